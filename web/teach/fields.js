// The fields of a set beside the page: the one in hand unfolded, with what can be said about it.

import {
  button, counted, each, edited, fieldName, given, helpButton, html, keysHelp, leave, leftMark, live, nothing, notice,
  optionsOf, percent, rowList, strip, submitted, valueButton,
} from '../common/all.js';
import { addField, changeField } from './declaring.js';
import { done, hold, KEYS, pointer, rows as allRows, run } from './labelling.js';
import { groupsOf, open, rowName, told } from './logic.js';
import { set, state } from './state.js';

export function fieldsPanel() {
  const { document: at, dataset: { fields }, help, problem, adding } = state;
  const rows = allRows();
  const shown = { ...state, run, picked: pointer.said().text };
  const left = rows.filter(open).length;
  const ready = rows.some(({ value }) => value?.status === 'suggestion');
  const [symbol, how] = told(at.state);
  const list = (/** @type {typeof rows} */ some) => rowList(some, shown, said, unfolded);
  return html`<section class="panel review teach" aria-label="Fields">
    ${strip(
      at.filename,
      html`<span aria-hidden="true">${symbol}</span> ${how}${at.suggested_by && ready ? `, by ${at.suggested_by}` : ''}`,
      fields.length && at.pages_of.length
        ? leftMark(left, rows.every((row) => !open(row) || row.value?.doubt) ? 'check' : 'label', 'all said') : nothing,
    )}
    ${fields.length ? nothing : html`<p class="soft">What should be read from these documents? Name the first
      field, such as <em>customer</em> or <em>total</em>; then click its words on the page.</p>`}
    ${list(rows.filter(({ field }) => !field.group))}
    ${groupsOf(fields).map((group) => {
      const own = rows.filter(({ field }) => field.group === group);
      const places = [...new Set(own.map(({ place }) => place))];
      return html`<section class="group" aria-label=${fieldName(group)}>
        <h2>${fieldName(group)} <span class="soft">${counted(places.length, 'row')}</span></h2>
        ${places.map((place) => html`<h3 class="soft">Row ${place + 1}</h3>
          ${list(own.filter((row) => row.place === place))}`)}
      </section>`;
    })}
    ${adding || !fields.length ? addition(fields) : html`<p class="add">${button('Add a field', 'add', 'a', shown)}</p>`}
    ${help ? keysHelp(KEYS) : nothing}
    <div class="actions">
      ${notice(problem)}
      <button class="main" ?disabled=${!rows.length} @click=${() => run('take')}>${mainAction(shown.picked, left)} <kbd>Enter</kbd></button>
      ${button('Skip', 'skip', 's', shown)} ${button('Undo', 'undo', 'z', shown, !done.length)}
      ${left && fields.length ? button('Done', 'done', 'd', shown) : nothing}
      ${helpButton(shown)}
    </div>
  </section>`;
}

/** @param {string} picked @param {number} left */
function mainAction(picked, left) {
  if (state.text !== null) return 'Save';
  const row = allRows().find((one) => one.id === state.hand);
  if (picked) return 'Take these words';
  if (row?.value?.status === 'suggestion') return 'Accept';
  if (row?.value?.doubt) return 'It is right';
  return left ? 'Go on' : 'Next document';
}

/** @param {import('./logic.js').Value|null} value @returns {[string, string]} text and class */
function mark(value) {
  if (!value) return ['○ open', ''];
  if (value.doubt) return ['? doubtful', 'doubtful'];
  if (value.status === 'suggestion') {
    return [`◐ suggested${value.confidence === null ? '' : `, ${percent(value.confidence)}`}`, 'doubtful'];
  }
  return value.status === 'absent' ? ['– absent', ''] : ['✓ labelled', 'sure'];
}

/** @param {import('./logic.js').Row} row @param {boolean} inHand @param {any} shown */
function said(row, inHand, { picked, text }) {
  const { id, value } = row;
  const [words, tone] = mark(value);
  const picking = inHand && picked && text === null;
  const told = picking ? { said: picked, mark: 'picked' } : { said: value?.text, typed: value?.shown, mark: words };
  return valueButton({
    ...told, picking, tone, name: row.field.group ? fieldName(row.field.name) : rowName(row), pressed: inHand,
    why: [!picking && value?.problem, value?.doubt], onHand: () => hold(id), onFocus: () => hold(id),
  });
}

/** What can be done about the row in hand. @param {import('./logic.js').Row} row @param {any} shown */
function unfolded(row, shown) {
  const { text, kinds } = shown;
  const { field } = row;
  if (text !== null) {
    return edited(`${rowName(row)} as the document says it`, text, (typed) => set({ text: typed }), run);
  }
  return html`<div class="row tools">
    ${row.value?.status === 'absent' ? nothing : button('Absent', 'absent', 'x', shown)}
    ${button('Type', 'edit', 'e', shown)}
    ${field.many || field.group ? button(field.group ? 'One more row' : 'One more', 'more', 'm', shown) : nothing}
    ${row.value && row.value.status !== 'suggestion' ? button('Clear', 'remove', 'Del', shown) : nothing}
  </div>
  <div class="kind">
    <label for="kind">Kind</label>
    <select id="kind" class="low" @change=${given((kind) => changeField(field, { kind }))}>
      ${optionsOf(each(kinds).map((kind) => [kind, kind.replace('_', ' ')]), field.kind)}
    </select>
    ${field.guessed ? html`<span class="soft">guessed</span>` : nothing}
    ${field.group ? nothing : html`<label class="check"><input type="checkbox" .checked=${live(field.many)}
        @change=${() => changeField(field, { many: !field.many })}> many values</label>`}
  </div>
  ${settings(field)}`;
}

/** The rest of a field's declaration. @param {import('./logic.js').Field} field */
const settings = (field) => html`<details>
  <summary>Name and group</summary>
  <form class="form tight" @submit=${submitted((said) => changeField(field, said))}>
    <label>Name <input name="name" required maxlength="64" autocomplete="off" .value=${field.name}></label>
    <label>Group of rows <input name="group" maxlength="64" autocomplete="off" list="groups" placeholder="none" .value=${field.group ?? ''}></label>
    <datalist id="groups">${optionsOf(groupsOf(state.dataset.fields).map((group) => [group, '']))}</datalist>
    <div class="row"><button class="low">Change</button>
      <button class="low" type="button" @click=${() => changeField(field, null)}>Remove the field</button></div>
  </form>
</details>`;

/** @param {any[]} fields */
const addition = (fields) => html`<form class="row add" @submit=${submitted(({ name }) => addField(name))}>
  <label for="new-field">New field</label>
  <input id="new-field" name="name" required maxlength="128" autocomplete="off" placeholder="total, or items.amount"
    aria-describedby="field-help">
  <button class="main">Add <kbd>Enter</kbd></button>
  ${fields.length ? leave(run) : nothing}
  <p id="field-help" class="soft">A point makes it a column of a table: <code>items.amount</code></p>
</form>`;
