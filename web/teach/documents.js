// The documents of a set as small pictures, each with its state.

import { counted, fileButton, following, html, nothing, pictureOf, repeat } from '../common/all.js';
import { told } from './logic.js';

/** @param {any} shown the documents, and what can be done */
export function documentRail({ documents, at, sending, addressOf, onOpen, onFiles, onRemove }) {
  return html`
    <nav class="rail" aria-label="Documents">
      <ul>
        ${repeat(documents, ({ id }) => id, (/** @type {any} */ one) => {
          const [symbol, words] = told(one.state);
          const shown = one.state !== 'failed' && one.state !== 'reading';
          return html`<li class=${one.state}>
            <a href=${addressOf(one.id)} id=${`document-${one.id}`} aria-current=${one.id === at ? 'true' : nothing} @click=${following(() => onOpen(one.id))}
              title=${one.filename}>
              ${shown
                ? html`<img loading="lazy" alt="" src=${pictureOf(one.job_id, 1, 160)}
                    width="120" height="160">`
                : html`<span class="blank" aria-hidden="true">${symbol}</span>`}
              <span class="title">${one.filename}</span>
              <span class="state"><span aria-hidden="true">${symbol}</span> ${words}</span>
            </a>
            ${one.state === 'failed' ? html`<p class="why">${one.error?.detail}</p>` : nothing}
            ${one.state === 'failed' || one.id === at
              ? html`<button class="low" @click=${() => onRemove(one.id)}>Remove</button>`
              : nothing}
          </li>`;
        })}
      </ul>
      ${fileButton('Add documents', onFiles, { style: 'low', multiple: true })}
      ${sending
        ? html`<p class="soft">${sending.sent} of ${counted(sending.all, 'file')} sent</p>`
        : nothing}
    </nav>
  `;
}
