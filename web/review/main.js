// The page Review: the document that needs a person most, its doubtful values one after the other.

import {
  answerDesk, byId, commandOf, DESK_KEYS, entitle, html, NOTHING, nothing, notNow, placesOf, seen,
  viewCommands,
} from '../common/all.js';
import { bar } from './bar.js';
import { CHANGED, changeRows, inSight, mergeRows, pointer, reveal, take_in_hand, type } from './decisions.js';
import { fieldsPanel, neighbour } from './fields.js';
import { doubtful, options } from './logic.js';
import { choose_model, filters, finish, read_again, redo, release, renew, settle, take, undo } from './queue.js';
import { begin, done, outbox, row, rowInHand, set, state, turn, undone } from './state.js';

const POLL = 5000; // milliseconds, while nothing waits

/** @type {string[][]} as `VIEW_KEYS` */
const KEYS = [
  ['Enter', 'accept', 'accept, and go to the next doubtful value'],
  ['1 to 9', 'choose', 'take that reading'],
  ['A', 'sweep', 'accept all that is doubtful and in sight, here and on the page'],
  ['e', 'edit', 'edit as text'],
  ['w', 'words', 'pick words on the page'],
  ['m', 'more', 'one more value, or row'],
  ['s', 'skip', 'put back for later'],
  ['S', 'note', 'put back, with a note'],
  ['r', 'again', 'not of this kind: read again with another model'],
  ['f', 'freeze', 'freeze the view, or let it follow'],
  ...DESK_KEYS,
];

/** In the grid, with Ctrl. @type {string[][]} */
const ROW_KEYS = [
  ['Enter', 'insert', 'insert a row below'],
  ['Backspace', 'remove', 'remove the row'],
  ['m', 'merge', 'merge the row with the one below'],
  ['s', 'split', 'split the row at its second line, or before the words that were picked'],
];

function view() {
  return html`${bar()} ${state.answer ? desk() : nothingWaits()}`;
}

function nothingWaits() {
  return html`<main class="narrow">${
    state.problem ? notNow(state.problem, 'Go on with the queue', () => take(null))
    : state.busy ? html`<h1>One moment</h1>`
    : html`<h1>Nothing waits for you</h1>
        ${state.queue?.reviews.length ? html`<p>What is left is in the hands of others.</p>` : nothing}
        <p class="lead">Answers with doubtful values come here by themselves, the most doubtful first.
        <a href="/">Try a document</a>, or send some with the API.</p>`}
  </main>`;
}

function desk() {
  const { answer, review, picking: marking } = state;
  const left = doubtful(answer);
  return answerDesk({
    ...state, name: review.document || 'Document', places: placesOf(answer), open: left, marking: !marking,
    lit: state.lit ?? state.hand, turn, run, onChoose: take_in_hand,
    over: marking ? pointer.over() : nothing,
    panel: fieldsPanel({
      ...state, keys: Object.keys(answer.rows).length ? [...KEYS, ...ROW_KEYS.map(([key, ...rest]) => [`Ctrl ${key}`, ...rest])] : KEYS,
      left: left.length, mayDecide: state.mayDecide && !state.again, lost: !state.mayDecide, run,
    }),
  });
}

const commands = {
  accept: () => {
    if (!state.mayDecide) return take(null);
    if (state.note !== null) return commands.put_back();
    if (!state.hand) return finish('done');
    if (state.text !== null) return state.text.trim() && settle({ kind: 'edit', text: state.text });
    if (state.picking) return state.picks.length ? settle({ kind: 'pick', words: state.picks }) : undefined;
    return settle({ kind: 'accept' });
  },
  sweep: async () => {
    const also = inSight().slice(0, 200).map(({ id }) => id);
    if (!state.mayDecide || state.picking || state.text !== null || !also.length) return set({ said: 'Nothing to accept in sight' });
    if (!also.includes(state.hand ?? '')) [state.hand] = also;
    await settle({ kind: 'accept', also });
    reveal(true);
    state.unseen = true;
    seen().then(() => { state.unseen = false; });
  },
  edit: () => {
    type(row().found?.text ?? '');
    byId('edit')?.select();
    reveal();
  },
  words: () => {
    if (!state.mayDecide) return;
    set({ ...NOTHING, picking: !state.picking });
    reveal();
  },
  absent: () => settle({ kind: 'absent' }),
  more: () => {
    if (rowInHand()) return changeRows('insert');
    const { field } = row();
    const values = state.answer.fields[field];
    if (!Array.isArray(values)) return commands.words();
    set({ ...NOTHING, hand: `${field}.${values.length}`, picking: true });
  },
  merge: mergeRows,
  freeze: () => set({ frozen: !state.frozen, said: state.frozen ? 'The view follows' : 'The view is frozen' }),
  skip: () => finish('skip'),
  note: () => {
    set({ note: '', again: null });
    byId('note')?.focus({ preventScroll: true });
  },
  put_back: () => finish('skip', (state.note ?? '').trim()),
  again: choose_model,
  undo,
  redo,
  ...viewCommands(state, set, () => state.answer.document.pages, turn),
  leave: () => {
    set({ ...NOTHING, help: false, note: null, again: null });
    reveal();
  },
};

/** @param {string} name @param {number} [number] of a choice */
function run(name, number = 1) {
  if (state.unseen && state.mayDecide && /^(accept|absent|choose|skip|sweep)$/.test(name) || state.busy && state.answer && (state.busy === true || name !== 'undo')) return;
  const [kind, into] = name.split(' ');
  if (kind in CHANGED) return changeRows(/** @type {any} */ (kind), into);
  if (name === 'choose' && state.again) {
    const model = state.again.models[number - 1];
    return model && read_again(model.name);
  }
  if (name === 'choose') {
    const option = options(row().found)[number - 1];
    return option && settle({ kind: option.kind, number: option.number });
  }
  return commands[/** @type {keyof typeof commands} */ (name)]?.();
}

addEventListener('pagehide', () => {
  sessionStorage.steps = JSON.stringify({ by: state.session?.name, done, undone }, (key, value) => (key === 'was' ? undefined : value));
  // Others need not wait for it.
  if (state.answer && state.mayDecide && !outbox.unsaved) release();
});
addEventListener('keydown', renew);
addEventListener('pointerdown', renew);
const CHOOSING = ['choose', 'leave', 'again', 'help', 'skip', 'note']; // while another model is
const BETWEEN = ['undo', 'redo']; // without a document, too
addEventListener('keydown', (event) => {
  const typing = state.text !== null || state.note !== null || Boolean(state.again?.problem);
  const command = commandOf(event, KEYS, {
    typing, arrows: state.picking ? 'walk' : rowInHand() ? 'move' : '', withCtrl: rowInHand() ? ROW_KEYS : [],
  });
  if (!command || !(state.answer || BETWEEN.includes(command.name))) return;
  if (state.again && !CHOOSING.includes(command.name)) return;
  event.preventDefault();
  if (command.name === 'walk') return pointer.walk(command.key, command.further, row().found?.words[0]);
  if (command.name === 'move') {
    const to = state.hand && neighbour(state.answer, state.hand, command.key);
    return to ? take_in_hand(to) : undefined;
  }
  return run(command.name, Number(command.key) || undefined);
});
setInterval(() => {
  if (state.session && !state.answer && !state.busy && !state.problem?.status) take(null, true); // none, or no connection
}, POLL);

begin(view, async () => {
  set({ ready: true });
  entitle(state.session, 'review', 'reviews', '--for KEY');
  const before = JSON.parse(sessionStorage.steps ?? '{}');
  if (before.by === state.session.name) { // the page was loaded again
    done.push(...before.done);
    undone.push(...before.undone);
  }
  await outbox.open(state.session.name ?? '');
  await take(filters.get('job'));
});

