// What is done with the document in hand: each decision is drawn and sent at once, and can be undone.

import {
  address, ask, blur, byId, DESK_KEYS, nextOf, NOTHING, picking, refusal, reveal as bring, seen as looked,
  showThumbnail, stopwatch, viewCommands,
} from '../common/all.js';
import { decided, labelsOf, next, rowId, rowName, rowsOf, valuesOf } from './logic.js';
import { CLEAN, fail, goOn, gone, isOpen, outbox, refreshDataset, seen, set, state, turn, unread } from './state.js';

/** @typedef {import('./logic.js').Values} Values */
/** @typedef {{document: string, hand: string|null, before: any, after: any, was: Values, is: Values}} Step */

/** @type {string[][]} as `VIEW_KEYS` */
export const KEYS = [
  ['Enter', 'take', 'take the picked words or the suggestion, and go on'],
  ['a', 'add', 'add a field'],
  ['m', 'more', 'one more value, or one more row'],
  ['e', 'edit', 'type the value'],
  ['w', 'words', 'pick words with the arrow keys'],
  ['Delete', 'remove', 'take the label away'],
  ['d', 'done', 'done: what is suggested holds, what is open is not in it'],
  ['s', 'skip', 'another document first'],
  ['n', 'following', 'the document behind this one'],
  ['p', 'previous', 'the document before this one'],
  ...DESK_KEYS,
];

/** @type {Step[]} */
export const done = [];
/** @type {Step[]} */
const undone = [];
/** Fields and groups without a label when the document was opened. @type {Set<string>} */
let fresh = new Set();
/** Whether the last row leads to the next document by itself. */
let flowing = false;
const lap = stopwatch();
let openings = 0;
let turning = false; // to the next document
let walked = false; // from where picking began
/** Documents left for later: the others come first. @type {Set<string>} */
const later = new Set();
/** Whether the service took what was said last. @type {Promise<boolean>|true} */
let taken = true;
const NO_OTHER = 'No other document is ready.';

const at = (/** @type {string} */ id) => `/datasets/${state.dataset.id}/documents/${id}`;
export const rows = () => rowsOf(state.dataset.fields, state.values, state.extra);
const row = () => rows().find(({ id }) => id === state.hand) ?? null;
export const pointer = picking(state, set, () => state.document.words, (said) => {
  walked = true;
  set({ said });
});

/** Whether something was begun that the service does not know. */
const atWork = () => state.picks.length || state.drawn || state.adding || outbox.unsaved || state.text !== null;

/**
 * Show a document, the last one asked for.
 * @param {string} id @param {{field?: string|null, page?: number, instead?: any}} [wanted] `instead` of
 *   which it opens by itself, unless work has begun by then
 */
export async function open(id, wanted = {}) {
  const { instead } = wanted;
  const asked = instead === undefined;
  if (asked) keep();
  const mine = asked ? ++openings : openings;
  const { id: of } = state.dataset;
  const found = await ask('GET', at(id)).catch((error) => {
    if (error.status === 404 && isOpen(of)) gone(id);
    throw error;
  });
  if (!isOpen(of) || mine !== openings || (!asked && (state.document !== instead || atWork()))) return;
  const fields = /** @type {any[]} */ (state.dataset.fields);
  seen(found);
  // What is in hand, and what was still to be said, stay.
  if (instead?.id === id) {
    set({ document: found, values: valuesOf(fields, found, fresh) });
    return row() ? address({ document: id, field: state.hand }) : hold(next(rows(), null));
  }
  fresh = new Set(fields.filter(({ key, group }) => !(group ? found.rows?.[group] : found.labels?.[key]))
    .map(({ key, group }) => group ?? key));
  const values = valuesOf(fields, found, fresh);
  lap();
  flowing = next(rowsOf(fields, values), null) !== null;
  set({ ...CLEAN, document: found, values, page: found.pages_of?.[0]?.number ?? 1, said: found.filename, problem: asked ? null : state.problem });
  const first = wanted.field ?? next(rows(), null) ?? rows()[0]?.id ?? null;
  hold(first);
  if (wanted.page) set({ page: wanted.page });
  address({ document: id });
  showThumbnail('.rail');
}

/** What was typed or picked for the row in hand, as a decision. */
function begun() {
  const text = state.text?.trim();
  if (text) return { kind: 'text', text };
  const { picks } = state;
  return picks.length ? { kind: 'words', words: picks, ...pointer.said() } : null;
}

/** Take what was typed or picked. @param {string|null} [onward] the row to be in hand then @returns {any} whether there was anything */
export function keep(onward = state.hand) {
  const now = row();
  const decision = now && (walked || !state.picking) && state.text !== now.value?.text && begun();
  if (decision) decide(decision, onward);
  return decision;
}

/** @param {string|null} id of a row, to be in hand */
export function hold(id) {
  if (id === state.hand && id !== null) return;
  if (keep(id)) return;
  set({ ...NOTHING, hand: id, lit: null, adding: false });
  const value = row()?.value;
  if (value?.page) set({ page: value.page });
  address({ field: id });
  reveal();
}

export function reveal() {
  if (turning) return;
  if (!state.hand) return byId('new-field')?.focus();
  bring(state.hand);
}

/** Send what became of some fields. @param {Values} values @param {any[]} fields @param {any} [more] */
function change(values, fields, more = {}) {
  goOn();
  const told = (/** @type {Values} */ of) => {
    const all = fields.map((field) => labelsOf(state.dataset.fields, of, field));
    const merged = (/** @type {'fields'|'groups'} */ part) => Object.assign({}, ...all.map((one) => one[part]));
    return { fields: merged('fields'), groups: merged('groups') };
  };
  const seconds = lap();
  const step = {
    document: state.document.id, hand: state.hand, was: state.values, is: values,
    before: told(state.values), after: { ...told(values), ...more },
  };
  for (const [group, before] of Object.entries(step.before.groups)) if (!before?.length) fresh.add(group); // is begun
  done.push(step);
  undone.length = 0;
  set({ ...NOTHING, values, extra: null, problem: null });
  put(step.document, { ...step.after, seconds });
}

/** @param {string} id @param {any} body */
function put(id, body) {
  const to = `${at(id)}/labels`;
  const here = () => state.document?.id === id;
  taken = outbox.send(to, body, 'PUT').then((found) => {
    seen(found);
    outbox.flushed().then(refreshDataset).catch(fail);
    const behind = outbox.letters.some((one) => one.path === to);
    if (!here() || behind) return true;
    // What was suggested stays in sight until the document is left.
    const both = (/** @type {string} */ part) => ({ __proto__: null, ...state.document[part], ...found[part] });
    const kept = { ...found, suggestions: both('suggestions'), suggested_rows: both('suggested_rows') };
    set({ document: kept, values: valuesOf(state.dataset.fields, kept, fresh) });
    return true;
  }).catch((error) => {
    fail(error);
    if (error.status !== 401 && here()) {
      set({ values: valuesOf(state.dataset.fields, state.document, fresh) });
      refreshDataset().then(() => open(id, { instead: state.document })).catch(fail); // fields may be others
    }
    return false;
  });
}

/** Decide on the row in hand, and go on. @param {any} decision @param {string|null} [onward] the row that was chosen */
function decide(decision, onward = null) {
  const now = row();
  if (!now) return;
  if (decision.kind === 'absent' && now.place > 0 && !now.field.group) decision = { kind: 'remove' };
  change(decided(state.values, now.id, decision), [now.field]);
  const said = { absent: 'absent', remove: 'cleared' }[/** @type {string} */ (decision.kind)] ?? row()?.value?.text;
  set({ said: `${rowName(now)}: ${said}` });
  if (onward) return hold(onward);
  if (decision.kind === 'remove') return reveal();
  const following = next(rows(), now.id);
  if (following) return hold(following);
  if (flowing) return finish();
  reveal();
}

/** The next document: those left for later come last. @param {string} [after] @returns {Promise<string|undefined>} */
export async function waiting(after = '') {
  const found = await ask('GET', `/datasets/${state.dataset.id}/next${after}`);
  if (!later.has(found?.id)) return found?.id;
  const other = nextOf(state.documents, state.document?.id, ({ id, state: how }) => /new|suggested/.test(how) && !later.has(id));
  if (!other) later.clear();
  return other ?? found.id;
}

/** Once all is said of a document, show the next one. @param {boolean} [skipped] */
async function finish(skipped = false) {
  const { document: { id }, dataset } = state;
  set({ said: skipped ? 'Left for later' : `${state.document.filename}: labelled` });
  turning = true;
  if (skipped) later.add(id);
  try {
    const well = await taken;
    taken = true;
    if (!well && !skipped) return;
    const found = await waiting(`?after=${id}`);
    if (!isOpen(dataset.id)) return;
    blur();
    if (found) await open(found).then(looked);
    else if (skipped) throw refusal(NO_OTHER, 'Label this one, or add more.');
    else set({ ended: !unread(), document: null, hand: null, said: NO_OTHER });
  } catch (error) {
    fail(error);
  } finally {
    turning = false;
    reveal();
  }
}

/** @param {Step|undefined} step @param {'before'|'after'} which */
async function again(step, which) {
  if (!step) return;
  if (state.document?.id !== step.document) await open(step.document);
  const back = which === 'before';
  set({ ...NOTHING, values: back ? step.was : step.is, extra: null, hand: step.hand, said: back ? 'Undone' : 'Done again' });
  address({ field: step.hand });
  reveal();
  flowing = next(rows(), null) !== null;
  (back ? undone : done).push(step);
  await put(step.document, step[which]);
}

/** @param {number} by files, in their order */
function step(by) {
  const place = state.documents.findIndex((one) => one.id === state.document.id);
  const to = state.documents[place + by];
  if (to) open(to.id).catch(fail);
}

const commands = {
  take() {
    const now = row();
    if (!now) return set({ adding: true });
    if (state.text !== null || state.picks.length) {
      const decision = begun();
      return decision && decide(decision);
    }
    if (now.value?.status === 'suggestion') return decide({ kind: 'accept' });
    if (now.value?.doubt) {
      const values = decided(state.values, now.id, { kind: 'accept' });
      change(values, [now.field], { dismiss: [now.field.key] });
    }
    const onward = next(rows(), now.id);
    if (!onward) return finish();
    if (onward !== now.id) return hold(onward);
    set({ said: `Click the words of ${rowName(now)}, or say that it is absent` });
  },
  absent: () => decide({ kind: 'absent' }),
  remove: () => row()?.value && row()?.value?.status !== 'suggestion' && decide({ kind: 'remove' }),
  edit() {
    if (!row()) return;
    set({ ...NOTHING, text: pointer.said().text || row()?.value?.text || '' });
    reveal();
    byId('edit')?.select();
  },
  more() {
    const now = row();
    if (!now || !(now.field.many || now.field.group)) return;
    const { group } = now.field;
    const alike = rows().filter(({ field }) => (group ? field.group === group : field.key === now.field.key));
    const place = Math.max(...alike.map((one) => one.place)) + 1;
    const id = rowId(alike[0].field, place);
    set({ extra: id });
    flowing = false;
    hold(id);
  },
  words() {
    const on = !state.picking;
    set({ ...NOTHING, picking: on });
    if (!on || !row()) return;
    const first = row()?.value?.words[0] ?? pointer.here()[0]?.number;
    if (first !== undefined) pointer.pick(first, false);
    walked = false;
  },
  done() {
    if (!state.dataset.fields.length) return;
    keep();
    /** @type {Values} */
    const values = { ...state.values };
    const all = rows().filter(({ value }) => !value || value.status === 'suggestion');
    for (const { id, value } of all) {
      values[id] = decided(values, id, { kind: value ? 'accept' : 'absent' })[id];
    }
    if (all.length) change(values, [...new Set(all.map(({ field }) => field))]);
    return finish();
  },
  skip: () => finish(true),
  following: () => step(1),
  previous: () => step(-1),
  undo: () => again(done.pop(), 'before'),
  redo: () => again(undone.pop(), 'after'),
  ...viewCommands(state, set, () => state.document.pages_of, turn),
  add() {
    set({ ...NOTHING, adding: true });
    byId('new-field')?.focus();
  },
  leave() {
    set({ ...NOTHING, adding: false, help: false });
    reveal();
  },
};

/** A field was added: its document does not end by itself, for more may follow. @param {string} id */
export function added(id) {
  flowing = false;
  hold(id);
}

/** @param {string} name of a command */
export const run = (name) => (turning ? null : commands[/** @type {keyof typeof commands} */ (name)]?.());
export const forget = () => { done.length = undone.length = 0; };
