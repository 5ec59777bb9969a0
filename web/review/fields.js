// The fields beside the page: the one in hand unfolded, with what can be done about it.

import {
  button, checksOf, doubt, each, edited, fieldName, given, helpButton, html, keysHelp, leave, letters, live,
  nothing, notice, passwordOf, percent, repeat, rowItem, shownValue, valueButton,
} from '../common/all.js';
import { grid } from './grid.js';
import { options, settles } from './logic.js';

/** @param {any} shown */
export function fieldsPanel(shown) {
  const { review, answer, rows, left, hand, help } = shown;
  const { inHand } = shown;
  const cell = inHand?.field.includes('.') ? inHand : null;
  const extra = inHand && !cell && !each(rows).some((one) => one.id === hand);
  const all = extra ? [...rows, inHand] : rows;
  return html`
    <section class="panel review" aria-label="Values">
      <div class="strip">
        <div><strong class="file">${review.document || 'Document'}</strong>
          <span class="soft">${answer.model.name} ${answer.model.version}</span></div>
        <strong class=${left ? 'left doubtful' : 'left'}>${left ? `${left} to decide` : 'nothing doubtful'}</strong>
      </div>
      ${review.note ? html`<p class="warning">Put back: ${review.note}</p>` : nothing}
      ${shown.again ? html`<div class="again editing" role="group" aria-label="Another model">${choosing(shown)}</div>` : nothing}
      ${answer.warnings.map((/** @type {string} */ warning) => html`<p class="warning">⚠ ${warning}</p>`)}
      <ul class="values">
        ${repeat(all, ({ id }) => id, (row) => rowItem(row, { ...shown, stops: !letters() }, said, unfolded))}
      </ul>
      ${grid({ ...shown, unfolded: cell ? cellInHand(cell, shown) : nothing })}
      ${checksOf(answer.checks)}
      ${help ? keysHelp(shown.keys) : nothing}
      ${shown.note === null ? actions(shown, left) : withNote(shown)}
    </section>
  `;
}

const MANY = 9; // doubtful values: to be accepted by the screenful
let was = 0;
/** A double click is one. @param {any} e */
const once = ({ timeStamp: at }) => at - was > 250 && (was = at);

/** @param {any} shown @param {number} left doubtful values */
const actions = (shown, left, skips = { ...shown, mayDecide: !shown.lost }) => html`
      <div class="actions">${notice(shown.problem)}
        <button class="main" ?disabled=${shown.again} @click=${(/** @type {any} */ e) => once(e) && shown.run('accept')}>
          ${shown.lost ? 'Go on with the queue' : shown.text !== null ? 'Save' : shown.picking ? 'Take these words' : left ? 'Accept' : 'Done'}
          <kbd>Enter</kbd></button>
        ${left > MANY ? button('Accept all in sight', 'sweep', 'A', shown, shown.again) : nothing}
        ${button('Undo', 'undo', 'z', shown, !shown.undoable)}
        ${button('Skip', 'skip', 's', skips)} ${button('Skip with note', 'note', 'S', skips)}
        <button aria-expanded=${Boolean(shown.again)} ?disabled=${!shown.mayDecide && !shown.again}
          @click=${() => shown.run('again')}>Other kind <kbd>r</kbd></button>
        ${helpButton(shown)}
      </div>`;

/** Why a document is put back, in a line. @param {any} shown */
const withNote = ({ note, run, set }) => html`
  <div class="actions noting">
    <label for="note">Put back, and say why</label>
    <input id="note" autocomplete="off" maxlength="500" .value=${live(note)}
      @input=${given((text) => set({ note: text }))}>
    <div class="row"><button class="main" @click=${() => run('put_back')}>Put back <kbd>Enter</kbd></button>
      ${leave(run)}</div>
  </div>`;

/** The other models, or how far the chosen one is. @param {any} shown */
function choosing({ again, answer, review, run, onPassword }) {
  const { models, model, job, problem, asked } = again;
  if (problem) {
    return passwordOf({ problem, name: review.document || 'the document', onPassword, onLeave: () => run('leave') });
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
function said(row, inHand, { answer, onHand }) {
  const { id, field, found } = row;
  const why = found ? doubt(found) : '';
  const typed = found ? shownValue(found.value) : '';
  const mark = !found ? '– absent' : why ? `? please check, ${percent(found.confidence)}` : '✓ ok';
  return valueButton({
    name: fieldName(field), mark, tone: why ? 'doubtful' : found ? 'sure' : '', said: found?.text, typed, pressed: inHand,
    why: [why && html`${why}${inHand ? html` <span class="settles">${settles(answer, row)}</span>` : nothing}`],
    onHand: () => onHand(id), onFocus: () => onHand(id),
  });
}

/** How a text was read, and can be. @param {any} typed */
function becomes({ value, normalisation }) {
  if (value === null) return `✗ ${normalisation.reason}`;
  return `→ ${[value, ...normalisation.alternatives].map(shownValue).join(' or ')}`;
}

/** What can be done about the value in hand. @param {any} row @param {any} shown */
function unfolded(row, shown) {
  const { text, typed, picking, picked, run, onText, mayDecide, stops } = shown;
  if (!mayDecide) return nothing;
  if (text !== null) {
    return edited(`${fieldName(row.field)} as text`, text, onText, run, html`
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
  return html`
    ${choices.length > 1
      ? html`<ol class="choices">${choices.map(({ text: printed, value, page }, place) => html`<li>
          <button tabindex=${stops ? nothing : -1} @click=${() => run('choose', place + 1)}>
            <kbd>${place + 1}</kbd> <span>${value && value !== printed ? html`<strong>${value}</strong> ${printed}` : html`<strong>${printed}</strong>`}</span>
            ${page ? html`<span class="soft">page ${page}</span>` : nothing}</button></li>`)}</ol>`
      : nothing}
    <div class="row tools">
      ${button('Edit', 'edit', 'e', shown)} ${button('Words', 'words', 'w', shown)}
      ${row.found ? button('Absent', 'absent', 'x', shown) : nothing}
      ${many ? button('One more', 'more', 'm', shown) : nothing}
    </div>
  `;
}
