// A page of a document as a picture, with boxes on it; and the small pictures of all its pages.

import { html, nothing, repeat, svg } from './html.js';
import { LEAST, MOST, VIEW_KEYS } from './desk.js';
import { doubt, each, percent } from './format.js';

/** @param {string} job @param {number} number @param {number} width in pixels of the screen */
export const pictureOf = (job, number, width) =>
  `/v1/jobs/${job}/pages/${number}.png?width=${Math.min(2000, Math.round(width))}`;

/** A picture is lost once the service says so (but 429), else asked for again. @param {Event} event */
async function told({ type, target }) {
  const image = /** @type {HTMLImageElement} */ (target);
  const { src } = image;
  const failed = type === 'error';
  const lost = failed && await fetch(src).then(({ status }) => /^4(?!29)/.test(`${status}`), () => false);
  if (image.src !== src) return;
  image.className = lost ? 'lost' : failed ? '' : 'drawn';
  if (failed && !lost) setTimeout(() => { if (image.isConnected && image.src === src) image.src = src; }, 3000);
}

/**
 * The desk of an answer: its pages, the one that is in sight, and the panel beside it.
 * @param {any} shown `places` of values, those of them that are `open`, and what can be done
 */
export const answerDesk = ({ answer, name, places, open, panel, turn, page: at, marking = true, ...shown }) => {
  const { pages } = answer.document;
  const page = each(pages).find((one) => one.number === at) ?? pages[0];
  const marked = each(places).filter(({ found }) => marking && found?.page === page.number)
    .map((/** @type {any} */ { id, found }) => ({ id, box: found.box, doubtful: doubt(found) !== '' }));
  return html`<main class=${pages.length > 1 ? 'desk many' : 'desk'}>
    <h1 class="unseen">${name}</h1>
    ${thumbnails({ job: answer.id, pages, at: page.number, turn, open })}
    ${paper({ ...shown, job: answer.id, name, pages, page, marked, count: answer.document.page_count })}
    ${panel}
  </main>`;
};

/**
 * The page that is in sight, as large as is wanted, below what turns and zooms it.
 * @param {any} shown the page, the places of values that are `marked` on it, and what lies `over` them
 */
export const paper = ({ above = nothing, pages, page, count = pages.at(-1).number, zoom, run, ...shown }) => {
  const tool = (/** @type {string} */ name, /** @type {string} */ sign, /** @type {boolean} */ off = false) => {
    const [key, , what] = VIEW_KEYS.find(([, one]) => one === name) ?? [];
    return html`<button class="low" ?disabled=${off} title=${`${what} (${key})`} @click=${() => run(name)}>
      <span class="unseen">${what}</span><span aria-hidden=${sign.length < 2}>${sign}</span></button>`;
  };
  return html`<section class="paper" aria-label="Page" tabindex="0">
    ${above}
    <div class="row view" role="group" aria-label="View of the page" ?hidden=${!page.width}>
      ${pages.length > 1 ? html`${tool('back', '‹', page === pages[0])} ${tool('on', '›', page === pages.at(-1))}` : nothing}
      <span>${pages.length > 1 ? `Page ${page.number} of ${count}` : ''}</span>
      ${tool('smaller', '−', zoom <= LEAST)} ${tool('fit', percent(zoom))} ${tool('larger', '+', zoom >= MOST)}
    </div>
    <div class=${zoom > 1 ? 'zoomed' : ''} .style=${`width: ${100 * zoom}%`}>${sheet({ ...shown, page, zoom })}</div>
  </section>`;
};

/** @param {any} shown */
function sheet({ job, name, page, zoom, marked, lit, onChoose, over = nothing }) {
  if (!page.width) return html`<p class="unprinted soft">This document is data, and has no pages to look at.</p>`;
  const { width, height } = page;
  const pixels = Math.min(1000, window.innerWidth) * window.devicePixelRatio * Math.max(1, zoom);
  return html`<div class="sheet">
    ${repeat([job + page.number], (one) => one, () => html`<img src=${pictureOf(job, page.number, pixels)} width=${width} height=${height}
      alt=${`Page ${page.number} of ${name}`} draggable="false" @load=${told} @error=${told}>`)}
    <p class="drawing">This page is being drawn.</p>
    <p class="unshown">This page cannot be shown: its PDF is encrypted and the password is not kept, or it was removed for its age.</p>
    <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
      ${repeat(each(marked).filter(({ box }) => box.length), // what is printed nowhere has none
        ({ id }) => id, ({ id, box: [x0, top, x1, bottom], doubtful }) => svg`
        <rect data-id=${id} x=${x0 - 0.004} y=${top - 0.003} width=${x1 - x0 + 0.008} height=${bottom - top + 0.006}
          class=${`${doubtful ? 'doubtful' : ''} ${id === lit ? 'lit' : ''}`} @click=${() => onChoose(id)}></rect>`)}
    </svg>
    ${over}
  </div>`;
}

/** @param {any} shown */
export function thumbnails({ job, pages, at, turn, open = [] }) {
  if (pages.length < 2) return nothing;
  const doubts = (/** @type {number} */ number) => each(open).filter(({ found }) => found.page === number).length;
  return html`<nav class="thumbnails" aria-label="Pages of the document">
    ${each(pages).map(({ number, width, height }) => html`<button aria-current=${number === at ? 'page' : nothing} @click=${() => turn(number)}
      aria-label=${`Page ${number}${doubts(number) ? `, ${doubts(number)} to check` : ''}`}>
      <img loading="lazy" alt="" src=${pictureOf(job, number, 160)}
        width=${width || 600} height=${height || 800} @load=${told} @error=${told}>
      <span>${number}${doubts(number) ? ' ?' : ''}</span></button>`)}
  </nav>`;
}
