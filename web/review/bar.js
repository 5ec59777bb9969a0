// The queue in a line: what waits, for how long, who decides, what is not saved yet.

import { alter, ask, each, fieldName, figures, given, html, nothing, optionsOf, percent, savedMark, submitted } from '../common/all.js';
import { age } from './logic.js';
import { filters, retry, unread as onUnread } from './queue.js';
import { NAME, named, outbox, set, state, trying } from './state.js';

const AGES = [['', 'of any age'], ['3600', 'older than an hour'], ['86400', 'older than a day'], ['604800', 'older than a week']];

const AT_ONCE = 'Its queue is shown at once';

const onAgreement = trying(async () => {
  set({ agreement: state.agreement ? null : (await ask('GET', '/reviews/agreement')).fields });
});

/** @param {Record<string, string>} change of the filters */
const onFilter = (change) => location.assign(addressOf(change));

export function bar() {
  const { queue, session, agreement, failures, unread } = state;
  const waiting = queue?.waiting ?? {};
  const all = Object.values(waiting).reduce((sum, one) => sum + one, 0);
  const link = (/** @type {string|null} */ model, /** @type {number} */ count) => html`
    <a href=${addressOf({ model })} aria-current=${filters.get('model') === model ? 'page' : nothing}>
      ${model ?? 'all'} <span class="count">${queue ? count : ''}</span></a>`;
  const batch = filters.get('batch') ?? '';
  const known = each(queue?.batches ?? []);
  const batches = !batch || known.some(({ id }) => id === batch)
    ? known : [...known, { id: batch, name: 'this batch', waiting: null }];
  const older = filters.get('older_than') ?? '';
  const ages = AGES.some(([seconds]) => seconds === older) ? AGES : [...AGES, [older, `older than ${older} s`]];
  return html`<section class="bar" aria-label="Queue">
    <nav aria-label="Kinds of document">${link(null, all)}
      ${[...new Set([...Object.keys(waiting), ...filters.getAll('model')])].sort().map((model) => link(model, waiting[model] ?? 0))}</nav>
    ${batches.length
      ? html`<select aria-label="Batch" title=${AT_ONCE} class="low" @change=${given((id) => onFilter({ batch: id }))}>
          ${optionsOf([['', 'of any batch'], ...batches.map(({ id, name, waiting: count }) =>
            [id, `${name || 'unnamed batch'}${count === null ? '' : ` (${count})`}`])], batch)}
        </select>`
      : nothing}
    ${failures
      ? html`<button class="low unsaved" aria-expanded=${unread !== null} @click=${onUnread}>${failures} not read</button>`
      : nothing}
    <select aria-label="Age" title=${AT_ONCE} class="low" @change=${given((seconds) => onFilter({ older_than: seconds }))}>
      ${optionsOf(ages, older)}
    </select>
    <span class="soft">${age(queue?.oldest_seconds ?? null)}</span>
    ${savedMark(outbox.unsaved)}
    <button class="low" aria-expanded=${agreement !== null} @click=${onAgreement}>Agreement</button>
    ${session.name
      ? nothing
      : html`<label class="soft">Your name <input class="short" autocomplete="name" .value=${named()}
          @change=${given((name) => localStorage.setItem(NAME, name))} maxlength="100"></label>`}
    ${agreement ? agreed(agreement) : nothing}
    ${unread ? notRead(unread) : nothing}
  </section>`;
}

/** What of a batch could not be read, why, and what then. @param {any[]} items of the batch */
const notRead = (items) => html`<section class="agreement" aria-label="Not read" tabindex="0">
  <ul class="values">${items.map(({ document, error }) => html`
    <li><strong>${document}</strong> <span class="why">${error?.detail}</span> ${error?.advice}</li>`)}</ul>
  ${items.some(({ state }) => state === 'failed')
    ? html`<form class="row" @submit=${submitted(retry)}>
        <label>Password, where they are encrypted <input name="password" class="short" type="password" autocomplete="off" maxlength="500"></label>
        <button class="low">Read them again</button></form>`
    : nothing}
</section>`;

/** @param {any[]} fields */
const agreed = (fields) => html`<section class="agreement scrolled" aria-label="Agreement" tabindex="0">
    ${fields.length ? figures(['Kind', 'Field', 'Decisions', 'Agreed', 'Seconds each'],
      fields.map(({ model, field, decisions, accepted, seconds }) =>
        [model, fieldName(field), decisions, percent(accepted / decisions), seconds === null ? '–' : seconds.toFixed(1)]),
      html`<caption>How often people agreed with the machine, and how long they took</caption>`) : 'Nothing was decided yet.'}</section>`;

/** @param {Record<string, string|null>} change of the filters */
const addressOf = (change) => `/review?${alter(new URLSearchParams(filters), { job: null, ...change })}`;
