// The line above a dataset: how far it is, its training, what is not saved yet; and its documents as
// small pictures, each with its state.

import { counted, fileButton, following, html, nothing, pictureOf, repeat, savedMark } from '../common/all.js';
import { open } from './labelling.js';
import { readiness, score, standingOf, told, trainingTold } from './logic.js';
import { upload } from './sending.js';
import { fail, go, outbox, state } from './state.js';
import { steer, train } from './training.js';

export function bar() {
  const { dataset, view, trainings: [training] } = state;
  const link = (/** @type {string} */ to, /** @type {string} */ text) => html`
    <a href=${`/teach?set=${dataset.id}${to === 'label' ? '' : `&view=${to}`}`} aria-current=${view === to ? 'page' : nothing}
      @click=${go}>${text}</a>`;
  const { active, stopped, part } = standingOf(training);
  return html`<section class="bar" aria-label="Dataset">
    <a class="back" href="/teach" @click=${go} aria-label="All datasets">‹</a>
    <strong class="called" title=${dataset.name}>${dataset.name}</strong> <span class="called soft" title="Its model">${dataset.model_name}</span>
    <nav aria-label="Of this dataset">
      ${link('label', 'Label')}
      ${training || view === 'report' ? link('report', 'Training') : nothing}
      ${dataset.trainings.length ? link('beside', 'Side by side') : nothing}
    </nav>
    <div class="far">
      ${active
        ? html`<span>${trainingTold(training)}</span>
            <progress class="thin" max="1" value=${part ?? nothing} aria-label="Training"></progress>
            <button class="low" ?disabled=${training.cancelling} @click=${() => steer('cancel')}>Cancel</button>`
        : html`<span>${(dataset.may_train && trained(training)) || readiness(dataset)}</span>
            ${stopped ? html`<button class="low" @click=${() => steer('resume')}>Resume</button>` : nothing}
            <button class=${dataset.needed ? 'low' : 'low main'} ?disabled=${!dataset.may_train} @click=${train}>Train</button>`}
    </div>
    ${savedMark(outbox.unsaved)}
  </section>`;
}

/** @param {any} training @returns {string|null} */
function trained(training) {
  if (training?.state === 'succeeded' && training.report) {
    return `${training.name} ${training.version}: ${score(training.report.all.f1)}${training.promoted ? ', in service' : ''}`;
  }
  return standingOf(training).stopped ? trainingTold(training) : null;
}

/** @param {(id: string) => void} onRemove */
export function documentRail(onRemove) {
  const { dataset, documents, document: at, hidden, sending } = state;
  return html`<nav class="rail" aria-label="Documents">
    <ul>
      ${repeat(documents.filter(({ id }) => id !== hidden), ({ id }) => id, (one) => {
        const [symbol, words] = told(one.state);
        const shown = one.state !== 'failed' && one.state !== 'reading';
        return html`<li class=${one.state}>
          <a href=${`/teach?set=${dataset.id}&document=${one.id}`} aria-current=${one.id === at?.id ? 'true' : nothing} @click=${following(() => open(one.id).catch(fail))}
            title=${one.filename}>
            ${shown
              ? html`<img loading="lazy" alt="" src=${pictureOf(one.job_id, 1, 160)}
                  width="120" height="160">`
              : html`<span class="blank" aria-hidden="true">${symbol}</span>`}
            <span class="title">${one.filename}</span>
            <span class="state"><span aria-hidden="true">${symbol}</span> ${words}</span>
          </a>
          ${one.state === 'failed' ? html`<p class="why">${one.error?.detail}</p>` : nothing}
          ${one.state === 'failed' || one.id === at?.id
            ? html`<button class="low" @click=${() => onRemove(one.id)}>Remove</button>`
            : nothing}
        </li>`;
      })}
    </ul>
    ${fileButton('Add documents', upload, { style: 'low', multiple: true })}
    ${sending
      ? html`<p class="soft">${sending.sent} of ${counted(sending.all, 'file')} sent</p>`
      : nothing}
  </nav>`;
}
