// The fields beside the page: the one in hand unfolded, with what can be done about it.

import { html, nothing } from '../library/lit-html/lit-html.js';
import { live } from '../library/lit-html/directives/live.js';
import { repeat } from '../library/lit-html/directives/repeat.js';
import { notice } from '../common/frame.js';
import { doubt, fieldName, percent, shownValue, sureness } from '../common/format.js';
import { checksOf } from '../common/checks.js';
import { grid } from './grid.js';
import { KEYS, ROW_KEYS } from './keys.js';
import { options, settles } from './logic.js';

/**
 * @param {{review: any, answer: any, rows: any[], left: number, hand: string|null, inHand: any, lit: string|null,
 *   text: string|null, typed: any, picking: boolean, picked: string, help: boolean,
 *   mayDecide: boolean, problem: any, undoable: boolean,
 *   run: (name: string, number?: number) => void, onHand: (id: string) => void,
 *   onPoint: (id: string|null) => void, onText: (text: string) => void}} shown
 */
export function fieldsPanel(shown) {
  const { review, answer, rows, left, hand, help, problem, run } = shown;
  const { inHand } = shown;
  const cell = inHand?.field.includes('.') ? inHand : null;
  const extra = inHand && !cell && !rows.some(({ id }) => id === hand);
  const all = extra ? [...rows, inHand] : rows;
  const keys = Object.keys(answer.rows).length
    ? [...KEYS, ...ROW_KEYS.map(([key, name, what]) => [`Ctrl ${key}`, name, what])]
    : KEYS;
  return html`
    <section class="panel review" aria-label="Values">
      <div class="strip">
        <div><strong class="file">${review.document || 'Document'}</strong>
          <span class="soft">${answer.model.name} ${answer.model.version}</span></div>
        <strong class=${left ? 'left doubtful' : 'left'}>${left ? `${left} to decide` : 'nothing doubtful'}</strong>
      </div>
      ${notice(problem)}
      ${answer.warnings.map((/** @type {string} */ warning) => html`<p class="warning">⚠ ${warning}</p>`)}
      <ul class="values">
        ${repeat(all, ({ id }) => id, (row) => item(row, shown))}
      </ul>
      ${grid({ ...shown, unfolded: cell ? cellInHand(cell, shown) : nothing })}
      ${checksOf(answer.checks)}
      ${review.note ? html`<p class="soft">Put back: ${review.note}</p>` : nothing}
      <div class="actions">
        <button class="main" ?disabled=${!shown.mayDecide} @click=${() => run('accept')}>
          ${shown.picking ? 'Take these words' : left ? 'Accept' : 'Done'} <kbd>Enter</kbd></button>
        ${button('Skip', 'skip', 's', shown)} ${button('Undo', 'undo', 'z', shown, !shown.undoable)}
        <button aria-expanded=${help} @click=${() => run('help')}>Keys <kbd>?</kbd></button>
      </div>
      ${help
        ? html`<dl class="keys">${keys.map(([key, , what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>`
        : nothing}
    </section>
  `;
}

/** What is said of the cell in hand, below its row. @param {any} cell @param {any} shown */
const cellInHand = (cell, shown) => html`
  ${cell.found && doubt(cell.found)
    ? html`<p class="why">${doubt(cell.found)} <span class="settles">${settles(shown.answer, cell)}</span></p>`
    : nothing}
  ${unfolded(cell, shown)}`;

/** @param {any} row @param {any} shown */
function item(row, shown) {
  const { hand, lit, onPoint } = shown;
  const inHand = row.id === hand;
  return html`
    <li id=${`value-${row.id}`} class=${`${inHand ? 'hand lit' : ''} ${row.id === lit ? 'lit' : ''}`}
      @pointerenter=${() => onPoint(row.id)} @pointerleave=${() => onPoint(null)}>
      ${said(row, inHand, shown)}
      ${inHand ? unfolded(row, shown) : nothing}
    </li>
  `;
}

/** @param {any} row @param {boolean} inHand @param {any} shown */
function said(row, inHand, { answer, onHand }) {
  const { id, field, found } = row;
  const why = found ? doubt(found) : '';
  const typed = found ? shownValue(found.value) : '';
  const mark = !found ? '– absent' : why ? `? ${sureness(found.confidence)}, ${percent(found.confidence)}` : '✓ ok';
  return html`
    <button class="value" aria-pressed=${inHand} @click=${() => onHand(id)} @focus=${() => onHand(id)}>
      <span class="name">${fieldName(field)}</span>
      <span class=${why ? 'mark doubtful' : found ? 'mark sure' : 'mark'}>${mark}</span>
      ${found ? html`<span class="said">${found.text}</span>` : nothing}
      ${typed && typed !== found.text ? html`<span class="typed">${typed}</span>` : nothing}
      ${why ? html`<span class="why">${why}${inHand ? html` <span class="settles">${settles(answer, row)}</span>` : nothing}</span>` : nothing}
    </button>
  `;
}

/** What a text was read as, and how else it can be. @param {any} typed */
function becomes({ value, normalisation }) {
  if (value === null) return `✗ ${normalisation.reason}`;
  return `→ ${[value, ...normalisation.alternatives].map(shownValue).join(' or ')}`;
}

/** What can be done about the value in hand. @param {any} row @param {any} shown */
function unfolded(row, shown) {
  const { text, typed, picking, picked, run, onText, mayDecide } = shown;
  if (!mayDecide) return nothing;
  if (text !== null) {
    const result = typed && becomes(typed);
    return html`<div class="editing">
      <label for="edit">${fieldName(row.field)} as text</label>
      <input id="edit" autocomplete="off" .value=${live(text)} aria-describedby="becomes"
        @input=${(/** @type {InputEvent} */ event) => onText(/** @type {HTMLInputElement} */ (event.target).value)}>
      <p id="becomes" class=${typed && typed.value === null ? 'why' : 'typed-now'}>${result || '…'}</p>
      <div class="row"><button class="main" @click=${() => run('save')}>Save <kbd>Enter</kbd></button>
        <button @click=${() => run('leave')}>Leave <kbd>Esc</kbd></button></div>
    </div>`;
  }
  if (picking) {
    return html`<div class="editing">
      <p>Click the first word and Shift-click the last (or tap both), drag over them, or draw a box.</p>
      <p class="said">${picked || '…'}</p>
      ${picked && typed ? html`<p class=${typed.value === null ? 'why' : 'typed-now'}>${becomes(typed)}</p>` : nothing}
      <div class="row"><button class="main" ?disabled=${!picked} @click=${() => run('accept')}>Take <kbd>Enter</kbd></button>
        <button @click=${() => run('leave')}>Leave <kbd>Esc</kbd></button></div>
    </div>`;
  }
  const choices = options(row.found);
  const many = Array.isArray(shown.answer.fields[row.field]);
  return html`
    ${choices.length > 1
      ? html`<ol class="choices">${choices.map(
          ({ text: printed, value, page }, place) => html`<li><button @click=${() => run('choose', place + 1)}>
            <kbd>${place + 1}</kbd> <span>${value && value !== printed ? html`<strong>${value}</strong> ${printed}` : html`<strong>${printed}</strong>`}</span>
            ${page ? html`<span class="soft">page ${page}</span>` : nothing}</button></li>`,
        )}</ol>`
      : nothing}
    <div class="row tools">
      ${button('Edit', 'edit', 'e', shown)} ${button('Words', 'words', 'w', shown)}
      ${row.found ? button('Absent', 'absent', 'x', shown) : nothing}
      ${many ? button('One more', 'more', 'm', shown) : nothing}
    </div>
  `;
}

/** @param {string} label @param {string} name @param {string} key @param {any} shown @param {boolean} [off] */
const button = (label, name, key, { run, mayDecide }, off = false) => html`
  <button ?disabled=${off || !mayDecide} @click=${() => run(name)}>${label} <kbd>${key}</kbd></button>`;
