// The fields beside the page: the one in hand unfolded, with what can be done about it; and the rows
// of groups, such as an invoice's items: cells to be corrected, rows added, removed, split.

import {
  button, cell, checksOf, doubt, each, edited, fieldName, given, groupsOf, helpButton, html, idOfCell, keyName, keysHelp,
  leave, leftMark, letters, live, nothing, notice, passwordOf, percent, rowList, rowsOf, shownValue, strip, table,
  valueButton, warned,
} from '../common/all.js';
import { pointer, take_in_hand, type } from './decisions.js';
import { options, settles } from './logic.js';
import { read_again } from './queue.js';
import { done, row as rowOf, set } from './state.js';

/** @param {any} shown */
export function fieldsPanel(shown) {
  const { review, answer, left, hand, help } = shown;
  const rows = rowsOf(answer);
  const inHand = hand ? rowOf() : null;
  const ofRow = inHand?.field.includes('.') ? inHand : null;
  const extra = inHand && !ofRow && !rows.some((one) => one.id === hand);
  const all = extra ? [...rows, inHand] : rows;
  return html`<section class="panel review" aria-label="Values">
    ${strip(review.document, `${answer.model.name} ${answer.model.version}`, leftMark(left, 'decide', 'nothing doubtful'))}
    ${review.note ? html`<p class="warning">Put back: ${review.note}</p>` : nothing}
    ${shown.again ? html`<div class="again editing" role="group" aria-label="Another model">${choosing(shown)}</div>` : nothing}
    ${warned(answer.warnings)}
    ${rowList(all, { ...shown, stops: !letters() }, said, unfolded)}
    ${grid({ ...shown, unfolded: ofRow ? cellInHand(ofRow, shown) : nothing })}
    ${checksOf(answer.checks)}
    ${help ? keysHelp(shown.keys) : nothing}
    ${shown.note === null ? actions(shown, left) : withNote(shown)}
  </section>`;
}

const MANY = 9; // doubtful values: to be accepted by the screenful
let was = 0;
/** A double click is one. @param {any} e */
const once = ({ timeStamp: at }) => at - was > 250 && (was = at);

/** @param {any} shown @param {number} left doubtful values */
const actions = (shown, left, skips = { ...shown, mayDecide: !shown.lost }) => html`<div class="actions">${notice(shown.problem)}
      <button class="main" ?disabled=${shown.again} @click=${(/** @type {any} */ e) => once(e) && shown.run('accept')}>
        ${shown.lost ? 'Go on with the queue' : shown.text !== null ? 'Save' : shown.picking ? 'Take these words' : left ? 'Accept' : 'Done'}
        <kbd>Enter</kbd></button>
      ${left > MANY ? button('Accept all in sight', 'sweep', 'A', shown, shown.again) : nothing}
      ${button('Undo', 'undo', 'z', shown, !done.length)}
      ${button('Skip', 'skip', 's', skips)} ${button('Skip with note', 'note', 'S', skips)}
      <button aria-expanded=${Boolean(shown.again)} ?disabled=${!shown.mayDecide && !shown.again}
        @click=${() => shown.run('again')}>Other kind <kbd>r</kbd></button>
      ${helpButton(shown)}
    </div>`;

/** Why a document is put back, in a line. @param {any} shown */
const withNote = ({ note, run }) => html`<div class="actions noting">
  <label for="note">Put back, and say why</label>
  <input id="note" autocomplete="off" maxlength="500" .value=${live(note)}
    @input=${given((text) => set({ note: text }))}>
  <div class="row"><button class="main" @click=${() => run('put_back')}>Put back <kbd>Enter</kbd></button>
    ${leave(run)}</div>
</div>`;

/** The other models, or how far the chosen one is. @param {any} shown */
function choosing({ again, answer, review, run }) {
  const { models, model, job, problem, asked } = again;
  if (problem) {
    return passwordOf({
      problem, name: review.document || 'the document', onPassword: (/** @type {string} */ password) => read_again(model, password),
      onLeave: () => run('leave'),
    });
  }
  if (model) {
    const far = job?.pages_total ? `, page ${job.pages_done} of ${job.pages_total}` : '';
    return html`<p>Reading as <strong>${model}</strong>${far} …</p> ${job?.hindrance ? html`<p class="why">${job.hindrance}</p>` : nothing} <div class="row">${leave(run)}</div>`;
  }
  return html`
    ${asked
      ? html`<p><strong>Is this one of ${answer.model.name} at all?</strong> It fits by ${percent(answer.model.fit)}.</p>
        <button class="main" @click=${() => run('leave')}>It is: check its values <kbd>Enter</kbd></button>`
      : nothing}
    <p>${models.length ? 'Not of this kind? Read it again as' : 'There is no other model yet.'}</p>
    <ol class="choices">${each(models).map(({ name, like }, place) => html`
      <li><button @click=${() => run('choose', place + 1)}><kbd>${place + 1}</kbd> <span><strong>${name}</strong></span>
        ${like === undefined ? nothing : html`<span class="soft">${percent(like)}</span>`}</button></li>`)}
    </ol>
    <div class="row">${models.length ? nothing : html`<a href="/teach">Teach one</a>`} ${asked ? nothing : leave(run)}</div>`;
}

/** What is said of the cell in hand, below its row. @param {any} cell @param {any} shown */
const cellInHand = (cell, shown) => html`
  ${cell.found && doubt(cell.found)
    ? html`<p class="why">${doubt(cell.found)} <span class="settles">${settles(shown.answer, cell)}</span></p>`
    : nothing}
  ${unfolded(cell, { ...shown, stops: true })}`;

/** @param {any} row @param {boolean} inHand @param {any} shown */
function said(row, inHand, { answer }) {
  const { id, field, found } = row;
  const why = found ? doubt(found) : '';
  const typed = found ? shownValue(found.value) : '';
  const mark = !found ? '– absent' : why ? `? please check, ${percent(found.confidence)}` : '✓ ok';
  return valueButton({
    name: fieldName(field), mark, tone: why ? 'doubtful' : found ? 'sure' : '', said: found?.text, typed, pressed: inHand,
    why: [why && html`${why}${inHand ? html` <span class="settles">${settles(answer, row)}</span>` : nothing}`],
    onHand: () => take_in_hand(id), onFocus: () => take_in_hand(id),
  });
}

/** How a text was read, and can be. @param {any} typed */
function becomes({ value, normalisation }) {
  if (value === null) return `✗ ${normalisation.reason}`;
  return `→ ${[value, ...normalisation.alternatives].map(shownValue).join(' or ')}`;
}

/** What can be done about the value in hand. @param {any} row @param {any} shown */
function unfolded(row, shown) {
  const { text, typed, picking, run, mayDecide, stops } = shown;
  const { text: picked } = pointer.said();
  if (!mayDecide) return nothing;
  if (text !== null) {
    return edited(`${keyName(row.field)} as text`, text, type, run, html`
      <p id="becomes" aria-live="polite" class=${typed && typed.value === null ? 'why' : nothing}>${(typed && becomes(typed)) || '…'}</p>`);
  }
  if (picking) {
    return html`<div class="editing" aria-live="polite">
      <p>Click the first word and Shift-click the last (or tap both), drag over them, draw a box, or use the arrows and Shift.</p>
      <p class="said">${picked || '…'}</p>
      ${picked && typed ? html`<p class=${typed.value === null ? 'why' : nothing}>${becomes(typed)}</p>` : nothing}
      <div class="row">${leave(run)}</div>
    </div>`;
  }
  const choices = options(row.found);
  const many = Array.isArray(shown.answer.fields[row.field]);
  return html`${choices.length > 1
    ? html`<ol class="choices">${choices.map(({ text: printed, value, page }, place) => html`<li>
        <button tabindex=${stops ? nothing : -1} @click=${() => run('choose', place + 1)}>
          <kbd>${place + 1}</kbd> <span>${value && value !== printed ? html`<strong>${value}</strong> ${printed}` : html`<strong>${printed}</strong>`}</span>
          ${page ? html`<span class="soft">page ${page}</span>` : nothing}</button></li>`)}</ol>`
    : nothing}
  <div class="row tools">
    ${button('Edit', 'edit', 'e', shown)} ${button('Words', 'words', 'w', shown)}
    ${row.found ? button('Absent', 'absent', 'x', shown) : nothing}
    ${many ? button('One more', 'more', 'm', shown) : nothing}
  </div>`;
}

/** The columns of a group, those first in which something was read. @param {any} answer @param {string} group @returns {string[]} */
function columnsOf({ rows, groups }, group) {
  const empty = (/** @type {string} */ column) => Number(!each(groups[group] ?? []).some((cells) => cells[column]));
  return Object.keys(rows[group][0]?.cells ?? {}).sort((one, other) => empty(one) - empty(other));
}

/** @param {any} shown as the panel is */
const grid = (shown) => groupsOf(shown.answer).map(([group, rows]) => {
  const { hand } = shown;
  const columns = columnsOf(shown.answer, group);
  const within = hand?.startsWith(`${group}.`);
  // Tab leads to one cell of a group and then on, the arrows to the others.
  const entry = within ? hand : rows.length ? idOfCell(group, rows[0].row, columns[0]) : null;
  return html`${table(group, rows, columns, ({ row, cells }) => {
    const inHand = hand?.startsWith(`${group}.${row}.`);
    return html`
      <tr class=${inHand ? 'row-in-hand' : ''} @focusin=${(/** @type {any} */ { target }) => take_in_hand(target.closest('td').id.slice(6))}>
        ${columns.map((column) => cell(idOfCell(group, row, column), column, cells[column], { ...shown, entry }, take_in_hand))}</tr>
      ${inHand ? html`<tr class="row-in-hand"><td colspan=${columns.length}>${shown.unfolded}</td></tr>` : nothing}`;
  })}
  <div class="row tools">
    ${button('Insert a row', within ? 'insert' : `insert ${group}`, 'Ctrl Enter', shown)}
    ${button('Remove it', 'remove', 'Ctrl ⌫', shown, !within)}
    ${button('Merge with the next', 'merge', 'Ctrl M', shown, !within)}
    ${button('Split it', 'split', 'Ctrl S', shown, !within)}
  </div>`;
});

/**
 * The cell that an arrow leads to.
 * @param {any} answer @param {string} id of a cell @param {string} key such as `ArrowUp`
 * @returns {string|null} null at the edge
 */
export function neighbour(answer, id, key) {
  const [group, row, column] = id.split('.');
  const rows = answer.rows[group];
  const columns = columnsOf(answer, group);
  const at = each(rows).findIndex((one) => String(one.row) === row);
  const across = columns.indexOf(column) + (key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0);
  const down = at + (key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0);
  return rows[down] && columns[across] ? idOfCell(group, rows[down].row, columns[across]) : null;
}
