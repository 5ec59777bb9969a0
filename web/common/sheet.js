// A page of a document as a picture, with boxes on it; and the small pictures of all its pages.

import { html, nothing, svg } from '../library/lit-html/lit-html.js';
import { repeat } from '../library/lit-html/directives/repeat.js';

/** @param {string} job @param {number} number @param {number} width in pixels of the screen */
export const pictureOf = (job, number, width) =>
  `/v1/jobs/${job}/pages/${number}.png?width=${Math.min(2000, Math.round(width))}`;

const told = (/** @type {Event} */ { type, target }) =>
  /** @type {Element} */ (target).classList.toggle('lost', type === 'error');

/** @param {any} shown the page, and the places of values that are `marked` on it */
export function sheet({ job, name, page, marked, lit, set, onChoose, over = nothing }) {
  if (!page.width) return html`<p class="unprinted soft">This document is data, and has no pages to look at.</p>`;
  const { width, height } = page;
  const pixels = Math.min(1000, window.innerWidth) * window.devicePixelRatio;
  return html`
    <div class="sheet">
      <img src=${pictureOf(job, page.number, pixels)} width=${width} height=${height}
        alt=${`Page ${page.number} of ${name}`} draggable="false" @load=${told} @error=${told}>
      <p class="unshown">This page cannot be shown: its PDF is encrypted and the password is not kept, or it was removed for its age.</p>
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
        ${repeat(
          /** @type {any[]} */ (marked).filter(({ box }) => box.length), // what is printed nowhere has none
          (one) => one.id,
          ({ id, box: [x0, top, x1, bottom], doubtful }) => svg`
            <rect data-id=${id} x=${x0 - 0.004} y=${top - 0.003}
              width=${x1 - x0 + 0.008} height=${bottom - top + 0.006}
              class=${`${doubtful ? 'doubtful' : ''} ${id === lit ? 'lit' : ''}`}
              @pointerenter=${() => set({ lit: id })} @pointerleave=${() => set({ lit: null })}
              @click=${() => onChoose(id)}></rect>`,
        )}
      </svg>
      ${over}
    </div>
  `;
}

/**
 * @param {{job: string, pages: any[], at: number, onTurn: (number: number) => void,
 *   doubts: (number: number) => number}} shown
 */
export function thumbnails({ job, pages, at, onTurn, doubts }) {
  if (pages.length < 2) return nothing;
  return html`
    <nav class="thumbnails" aria-label="Pages of the document">
      ${pages.map(
        ({ number, width, height }) => html`
          <button aria-current=${number === at ? 'page' : nothing} @click=${() => onTurn(number)}
            aria-label=${`Page ${number}${doubts(number) ? `, ${doubts(number)} to check` : ''}`}>
            <img loading="lazy" alt="" src=${pictureOf(job, number, 160)}
              width=${width || 600} height=${height || 800} @load=${told} @error=${told}>
            <span>${number}${doubts(number) ? ' ?' : ''}</span>
          </button>`,
      )}
    </nav>
  `;
}
