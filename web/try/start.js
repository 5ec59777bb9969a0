// Where a document is chosen, and how far it is then.

import { fileButton, given, html, nothing, optionsOf, pictureOf } from '../common/all.js';

const EXAMPLES = [['receipt.png', 'receipt'], ['invoice.pdf', 'invoice'], ['order.pdf', 'advertising order']];

/**
 * @param {{models: any[], model: string, onModel: (name: string) => void,
 *   onFiles: (files: File[]) => void, onExample: (name: string) => void}} shown
 */
export function start({ models, model, onModel, onFiles, onExample }) {
  const names = [...new Set(models.map((one) => one.name))].sort();
  return html`<h1>What does this document say?</h1>
  <p class="lead">Drop one here and see its fields on the page. This service reads it by itself, and
    passes it on to nobody.</p>
  <div class="card drop">
    <img src="/web/icon.svg" alt="" width="64" height="64">
    <p><strong>Drop a file anywhere on this page</strong><br>A PDF, a picture, or an invoice in XML; or paste one</p>
    <div class="row">
      ${fileButton('Choose a file', onFiles, { style: 'main', more: ',.xml' })}
      ${fileButton('Take a photo', onFiles, { accept: 'image/jpeg,image/png', capture: 'environment' })}
    </div>
    <p class="row">or an invented
      ${EXAMPLES.map(([name, said]) => html`<button class="low" @click=${() => onExample(name)}>${said}</button>`)}</p>
  </div>
  <div class="row choice">
    <label for="model">Kind of document</label>
    <select id="model" @change=${given(onModel)}>
      ${optionsOf([['auto', 'Choose by content'], ...names.map((name) => [name])], model)}
    </select>
  </div>`;
}

/** @param {any} job */
function step(job) {
  if (job.state === 'sending') return 'Sending the document';
  if (job.state === 'queued') return job.position > 1 ? `Waiting, ${job.position - 1} before it` : 'Waiting';
  if (job.stage !== 'read') return 'Finding the fields';
  return job.pages_total ? `Reading page ${Math.min(job.pages_done + 1, job.pages_total)} of ${job.pages_total}` : 'Opening the document';
}

/** @param {any} job @param {() => void} onCancel */
export function progress(job, onCancel) {
  const part = job.pages_total ? job.pages_done / job.pages_total : null;
  return html`<h1>${job.document}</h1>
  <div class="card row working">
    ${job.id ? html`<img src=${pictureOf(job.id, 1, 400)} alt="" width="300" height="400">` : nothing}
    <div>
      <p id="step">${step(job)}</p>
      ${job.hindrance ? html`<p class="why" role="status">${job.hindrance}</p>` : nothing}
      <progress aria-labelledby="step" max="1" value=${part ?? nothing}></progress>
      <p><button @click=${onCancel}>Cancel</button></p>
    </div>
  </div>`;
}
