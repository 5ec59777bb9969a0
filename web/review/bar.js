// The queue in a line: what waits, for how long, who decides, what is not saved yet.

import { html, nothing } from '../library/lit-html/lit-html.js';
import { alter } from '../common/address.js';
import { valueOf } from '../common/desk.js';
import { fieldName, percent } from '../common/format.js';
import { age } from './logic.js';

const AGES = [['', 'of any age'], ['3600', 'older than an hour'], ['86400', 'older than a day'], ['604800', 'older than a week']];

/** @param {any} shown the state of the page, and what can be done */
export function bar({ queue, filters, unsaved, session, name, agreement, onName, onFilter, onAgreement }) {
  /** @type {Record<string, number>} */
  const waiting = queue?.waiting ?? {};
  const all = Object.values(waiting).reduce((sum, one) => sum + one, 0);
  const link = (/** @type {string|null} */ model, /** @type {number} */ count) => html`
    <a href=${addressOf(filters, { model })} aria-current=${filters.get('model') === model ? 'page' : nothing}>
      ${model ?? 'all'} <span class="count">${count}</span></a>`;
  const batch = filters.get('batch') ?? '';
  /** @type {{id: string, name: string, waiting: number|null}[]} */
  const known = queue?.batches ?? [];
  const batches = !batch || known.some(({ id }) => id === batch)
    ? known : [...known, { id: batch, name: 'this batch', waiting: null }];
  const older = filters.get('older_than') ?? '';
  const ages = AGES.some(([seconds]) => seconds === older) ? AGES : [...AGES, [older, `older than ${older} s`]];
  return html`
    <section class="bar" aria-label="Queue">
      <nav aria-label="Kinds of document">${link(null, all)}
        ${Object.keys(waiting).sort().map((model) => link(model, waiting[model]))}</nav>
      ${batches.length
        ? html`<select aria-label="Batch" class="low" @change=${(/** @type {Event} */ event) => onFilter({ batch: valueOf(event) })}>
            <option value="">of any batch</option>
            ${batches.map(({ id, name, waiting: count }) => html`<option value=${id} ?selected=${id === batch}>${
              name || 'unnamed batch'}${count === null ? '' : ` (${count})`}</option>`)}
          </select>`
        : nothing}
      <select aria-label="Age" class="low" @change=${(/** @type {Event} */ event) => onFilter({ older_than: valueOf(event) })}>
        ${ages.map(([seconds, label]) => html`<option value=${seconds} ?selected=${seconds === older}>${label}</option>`)}
      </select>
      <span class="soft">${age(queue?.oldest_seconds ?? null)}</span>
      ${unsaved
        ? html`<strong class="unsaved">${unsaved} unsaved</strong>`
        : html`<span class="soft">all saved</span>`}
      <button class="low" aria-expanded=${agreement !== null} @click=${onAgreement}>Agreement</button>
      ${session.name
        ? nothing
        : html`<label class="soft">Your name <input class="short" .value=${name}
            @change=${(/** @type {Event} */ event) => onName(valueOf(event))} maxlength="100"></label>`}
    </section>
    ${agreement ? agreed(agreement) : nothing}
  `;
}

/** @param {any[]} fields */
function agreed(fields) {
  if (!fields.length) return html`<section class="agreement" aria-label="Agreement"><p>Nothing was decided yet.</p></section>`;
  return html`<section class="agreement scrolled" aria-label="Agreement" tabindex="0">
    <table class="items"><caption>How often people agreed with the machine, and how long they took</caption>
      <thead><tr><th scope="col">Kind</th><th scope="col">Field</th><th scope="col">Decisions</th>
        <th scope="col">Agreed</th><th scope="col">Seconds each</th></tr></thead>
      <tbody>${fields.map(({ model, field, decisions, accepted, seconds }) => html`<tr>
        <td>${model}</td><td>${fieldName(field)}</td><td>${decisions}</td>
        <td>${percent(accepted / decisions)}</td><td>${seconds === null ? '–' : seconds.toFixed(1)}</td></tr>`)}
      </tbody></table></section>`;
}

/** @param {URLSearchParams} filters @param {Record<string, string|null>} change */
export const addressOf = (filters, change) => `/review?${alter(new URLSearchParams(filters), { job: null, ...change })}`;
