// How far a document is.

import { html, nothing } from '../library/lit-html/lit-html.js';
import { pictureOf } from '../common/sheet.js';

/** @param {any} job */
function step(job) {
  if (job.state === 'sending') return 'Sending the document';
  if (job.state === 'queued') return job.position > 1 ? `Waiting, ${job.position - 1} before it` : 'Waiting';
  if (job.stage === 'read' && job.pages_total) {
    return `Reading page ${Math.min(job.pages_done + 1, job.pages_total)} of ${job.pages_total}`;
  }
  return job.stage === 'read' ? 'Opening the document' : 'Finding the fields';
}

/** @param {any} job @param {() => void} onCancel */
export function progress(job, onCancel) {
  const part = job.pages_total ? job.pages_done / job.pages_total : null;
  return html`
    <h1>${job.document}</h1>
    <div class="card working">
      ${job.id ? html`<img src=${pictureOf(job.id, 1, 400)} alt="" width="300" height="400">` : nothing}
      <div>
        <p id="step">${step(job)}</p>
        <progress aria-labelledby="step" max="1" value=${part ?? nothing}></progress>
        <p><button @click=${onCancel}>Cancel</button></p>
      </div>
    </div>
  `;
}
