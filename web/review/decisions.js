// What a person decides on the value or row in hand: drawn and sent at once.

import {
  address, ask, boxOf, byId, each, idOfCell, NOTHING, pause, picking, placesOf, refusal, reveal as bring, stopwatch,
  uuid,
} from '../common/all.js';
import { decided, doubtful, next } from './logic.js';
import { did, done, me, outbox, refused, row, rowInHand, set, state } from './state.js';

/** @typedef {import('./logic.js').Row} Row */

const JOINED = ['text', 'name', 'address']; // kinds whose parts in two rows are one value
export const CHANGED = { insert: 'Row inserted', remove: 'Row removed', split: 'Row split' };

/** Seconds since the last decision. */
export const lap = stopwatch();
export const pointer = picking(state, set, () => state.words, preview);

/** What was typed or picked for the row in hand, as a decision. */
function begun() {
  const { picks, text } = state;
  if (state.picking) return picks.length ? { kind: 'pick', words: picks } : null;
  return text?.trim() && text !== row().found?.text ? { kind: 'edit', text } : null;
}

/** @param {string|null} id @returns {any} */
export function take_in_hand(id) {
  state.unseen = false;
  if (id === state.hand) return; // it is focused again, such as when its words are to be picked
  const decision = state.hand && state.mayDecide && begun();
  if (decision) return decide(decision, id);
  set({ ...NOTHING, hand: id, lit: null });
  const found = id && row().found;
  if (found && !state.frozen) set({ page: found.page });
  address({ field: state.hand, page: String(state.page) });
  reveal();
}

/** @param {boolean} [first] with what is below it */
export function reveal(first) {
  if (state.again) return /** @type {HTMLElement|null} */ (document.querySelector('.again button'))?.focus();
  if (state.hand) bring(state.hand, state.frozen, first);
}

/**
 * The doubtful values that can be seen whole now, and their places on the page; the one in hand, too.
 * Of two readings one has to be chosen: those are left.
 */
export const inSight = () => doubtful(state.answer).filter(({ id, found }) => {
  const picture = /** @type {any} */ (document.querySelector('.sheet img'));
  if (found.page !== state.page || found.normalisation.status !== 'ok') return false;
  const item = byId(`value-${id}`);
  const said = item?.querySelector('button')?.getBoundingClientRect();
  if (id === state.hand || !item || !said) return id === state.hand;
  const seen = [[said.left + 4, said.top + 4], [said.right - 4, said.bottom - 4]]
    .every(([x, y]) => item.contains(document.elementFromPoint(x, y)));
  const place = seen && boxOf(id)?.getBoundingClientRect();
  return place && picture.complete && picture.naturalWidth && document.elementFromPoint(place.x + place.width / 2, place.y + place.height / 2)?.closest('.sheet');
});

/** @param {string} text */
export function type(text) {
  set({ text });
  return preview(text);
}

/** Show what a text would become. @param {string} text */
async function preview(text) {
  const { picks } = state;
  const still = () => (state.picking ? state.picks === picks : state.text === text);
  await pause(120);
  if (!still() || !text.trim()) return;
  const typed = await ask('POST', `/reviews/${state.answer.id}/reading`, { json: { field: row().field, text } })
    .catch(() => null);
  if (still()) set({ typed: typed && { ...typed, of: text } });
}

/**
 * Send a decision on the row in hand, show it at once, and go on.
 * @param {any} decision `also` on these rows @param {string|null} [onward] the row that was chosen
 * @returns {Promise<any>} true where nothing is left to decide
 */
export async function decide(decision, onward = null) {
  const { answer, hand } = state;
  if (!state.mayDecide || !hand) return;
  const at = row();
  const shown = decision.kind === 'pick' ? { ...decision, text: pointer.said().text, page: state.page } : decision;
  const typed = state.typed?.of === shown.text ? state.typed : null;
  if (decision.text && typed?.value === null) { // told before it is sent: it is no value
    set({ said: typed.normalisation.reason });
    return reveal();
  }
  const { also = [], ...own } = decision;
  const others = placesOf(answer).filter(({ id }) => also.includes(id) && id !== hand);
  const saved = send(hand, at.field, at.place, own, others, [at, ...others]).then((now) => {
    adopt(answer.id, now);
    const found = placesOf({ ...now, rows: now.groups }).find(({ id }) => id === hand)?.found;
    if (decision.text && found?.normalisation.status === 'failed') {
      throw refusal(found.normalisation.reason, 'Correct the text.');
    }
  }).catch((error) => lost(error, answer.id, hand, decision));
  const now = [at, ...others].reduce((all, one) => decided(all, one, { ...shown, typed }), answer);
  set({ ...NOTHING, problem: null, said: others.length ? `${others.length + 1} accepted` : 'Noted', answer: now });
  if (onward) return take_in_hand(onward);
  const { kind } = decision;
  const written = kind === 'edit' || kind === 'pick';
  if (written && doubtful(state.answer).some(({ id }) => id === hand)) {
    set({ said: 'Noted; please choose' });
    return reveal();
  }
  const following = (written && emptyBeside()) || next(state.answer, hand);
  if (following) return take_in_hand(following);
  if (written && rowInHand()) return reveal();
  set({ busy: saved });
  await saved;
  if (state.answer?.id !== answer.id || state.busy !== saved) return;
  set({ busy: false });
  const left = next(state.answer, hand);
  return left ? take_in_hand(left) : true;
}

/** A decision was refused: show what holds, and what was typed once more. @param {any} error @param {string} job @param {string} hand @param {any} decision */
export function lost(error, job, hand, { text }) {
  refused(error);
  if (error.status === 401 || state.answer?.id !== job) return;
  ask('GET', `/reviews/${job}/decisions`).then((now) => adopt(job, now), () => null);
  if (!text) return;
  set({ problem: refusal(`“${text}” was not taken. ${error.detail}`, error.advice) });
  if (!state.mayDecide || begun()) return;
  set({ ...NOTHING });
  take_in_hand(hand);
  type(text);
  reveal();
}

/**
 * @param {string} hand what is in hand then @param {string} field @param {number} place
 * @param {any} decision @param {Row[]} [others] that it is about, too @param {Row[]} [was] as they were
 * @returns {Promise<any>} what then is decided
 */
export function send(hand, field, place, decision, others = [], was) {
  const job = state.answer.id;
  const id = uuid();
  const likewise = others.map((one) => ({ id: uuid(), field: one.field, place: one.place }));
  did({ job, id, field, place, hand, redo: { ...decision, also: others.map((one) => one.id) }, likewise, was });
  const seconds = lap() / (1 + others.length);
  return outbox.send(`/reviews/${job}/decisions`, { id, ...me(), field, place, seconds, ...decision, likewise });
}

/** @param {string} job @param {any} now as it is decided */
export function adopt(job, { fields, groups, checks }) {
  // What was decided since is not in it.
  if (state.answer?.id === job && !outbox.unsaved) set({ answer: { ...state.answer, fields, rows: groups, checks } });
}

/** The next empty cell of the row in hand. */
function emptyBeside() {
  const at = rowInHand();
  const { cells } = at ? each(state.answer.rows[at.group]).find((one) => one.row === at.number) : { cells: {} };
  const empty = Object.keys(cells).find((column) => !cells[column]);
  return at && empty ? idOfCell(at.group, at.number, empty) : null;
}

/**
 * Insert a row below the one in hand, remove it, or split it.
 * @param {'insert'|'remove'|'split'} kind @param {string} [into] the group, where no row is in hand
 */
export async function changeRows(kind, into) {
  const at = rowInHand();
  const group = at?.group ?? into;
  if (!state.mayDecide || !group || (kind !== 'insert' && !at)) return;
  const job = state.answer.id;
  const before = each(state.answer.rows[group]);
  const place = at?.number ?? before.at(-1)?.row ?? -1;
  const words = kind === 'split' ? state.picks : [];
  set({ ...NOTHING, busy: true, problem: null });
  try {
    adopt(job, await send(state.hand ?? '', group, place, { kind, words }));
  } catch (error) {
    done.pop();
    return refused(error);
  }
  set({ busy: false });
  if (state.answer?.id !== job) return;
  const rows = state.answer.rows[group];
  const where = before.findIndex((one) => one.row === place);
  const made = each(rows).find((one) => !before.some(({ row }) => row === one.row));
  done[done.length - 1].made = made?.row;
  const shown = made ?? rows[Math.min(where, rows.length - 1)];
  set({ said: CHANGED[kind], hand: null });
  const column = shown && (at?.column ?? Object.keys(shown.cells)[0]);
  take_in_hand(column ? idOfCell(group, shown.row, column) : placesOf(state.answer)[0]?.id ?? null);
}

/** Take the row below into the one in hand, a cell at a time; Undo takes all of that back. */
export async function mergeRows() {
  const at = rowInHand();
  if (!state.mayDecide || !at) return;
  const rows = each(state.answer.rows[at.group]);
  const [own, below] = rows.slice(rows.findIndex((one) => one.row === at.number));
  if (!below) return set({ said: 'There is no row below' });
  const { id: job } = state.answer;
  const hand = state.hand ?? '';
  const first = done.length;
  for (const column of Object.keys(below.cells)) {
    const [cell, more] = [own, below].map(({ cells }) => cells[column]);
    if (!more || (cell && !JOINED.includes(cell.kind))) continue; // of two amounts, the one in hand stays
    const words = [...(cell?.words ?? []), ...more.words].sort((one, other) => one - other);
    const decision = words.length ? { kind: 'pick', words } : { kind: 'edit', text: [cell?.text, more.text].filter(Boolean).join(' ') };
    send(hand, `${at.group}.${column}`, own.row, decision).catch((error) => lost(error, job, hand, decision));
  }
  state.hand = idOfCell(at.group, below.row, at.column);
  await changeRows('remove');
  done.slice(first + 1).forEach((step) => { step.joined = true; });
  take_in_hand(hand);
  set({ said: 'Rows merged' });
}
