// Where a document is chosen.

import { html } from '../library/lit-html/lit-html.js';
import { valueOf } from '../common/desk.js';

const KINDS = 'application/pdf,image/*,.heic,.tif,.tiff,.xml';

const EXAMPLES = [['receipt.png', 'receipt'], ['invoice.pdf', 'invoice'], ['order.pdf', 'advertising order']];

/**
 * @param {{models: any[], model: string, onModel: (name: string) => void,
 *   onFiles: (files: FileList|null) => void, onExample: (name: string) => void}} shown
 */
export function start({ models, model, onModel, onFiles, onExample }) {
  const names = [...new Set(models.map((one) => one.name))].sort();
  const picked = (/** @type {Event} */ event) => onFiles(/** @type {HTMLInputElement} */ (event.target).files);
  return html`
    <h1>What does this document say?</h1>
    <p class="lead">Drop one here and see its fields on the page. This service reads it by itself, and
      passes it on to nobody.</p>
    <div class="card drop">
      <svg class="drawing" viewBox="0 0 120 80" aria-hidden="true">
        <rect x="34" y="4" width="52" height="70" rx="4"></rect>
        <path d="M42 16h36M42 25h24M42 52h20M42 61h28"></path>
        <rect class="found" x="41" y="33" width="38" height="11" rx="2"></rect>
      </svg>
      <p><strong>Drop a file anywhere on this page</strong><br>A PDF, a picture, or an invoice in XML; or paste one</p>
      <div class="row">
        <label class="button main">Choose a file
          <input class="unseen" type="file" accept=${KINDS} @change=${picked}></label>
        <label class="button">Take a photo
          <input class="unseen" type="file" accept="image/jpeg,image/png" capture="environment"
            @change=${picked}></label>
      </div>
      <p class="row">or an invented
        ${EXAMPLES.map(([name, said]) => html`<button class="low" @click=${() => onExample(name)}>${said}</button>`)}</p>
    </div>
    <div class="row choice">
      <label for="model">Kind of document</label>
      <select id="model" @change=${(/** @type {Event} */ event) => onModel(valueOf(event))}>
        <option value="auto" ?selected=${model === 'auto'}>Choose by content</option>
        ${names.map((name) => html`<option value=${name} ?selected=${model === name}>${name}</option>`)}
      </select>
    </div>
  `;
}
