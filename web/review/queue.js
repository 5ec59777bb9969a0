// The queue: a document is claimed, shown, read again where it is of another kind, and given back;
// undo and redo, over documents too.

import {
  address, alter, ask, blur, byId, counted, doubt, each, ended, follow, idOfCell, locked, NOTHING, placesOf, Problem,
  refusal, seen, uuid,
} from '../common/all.js';
import { CHANGED, adopt, changeRows, decide, lap, lost, reveal, send, take_in_hand } from './decisions.js';
import { next, placed } from './logic.js';
import { did, done, fail, me, outbox, refused, set, state, trying, turn, undone } from './state.js';

const FITS = 0.5; // less, and every value is doubted
const RENEWED = 60_000; // milliseconds between two renewals of a claim

export const filters = new URL(location.href).searchParams;
/** What a link leads to, besides the document. */
const linked = { field: filters.get('field'), page: Number(filters.get('page')) };
filters.delete('field');
filters.delete('page');
let renewed = 0;

const batch = () => `/batches/${encodeURIComponent(filters.get('batch') ?? '')}`;

export const unread = trying(async () => {
  if (state.unread) return set({ unread: null });
  const pages = await Promise.all(['failed', 'refused'].map((how) => ask('GET', `${batch()}/items?state=${how}&limit=1000`)));
  set({ unread: pages.flatMap(({ items }) => items) });
});

/** @param {{password: string}} said */
export const retry = trying(async ({ password }) => {
  const form = new FormData();
  if (password) form.set('password', password);
  const { retried } = await ask('POST', `${batch()}/retry`, { form });
  set({ unread: null, failures: state.failures - retried, said: `${counted(retried, 'document')} to be read again`, problem: null });
});

/** @param {'done'|'skip'} how @param {string} [note] for whoever has it next */
export async function finish(how, note = '') {
  if (!state.mayDecide) return take(null);
  const { id } = state.answer;
  if (how === 'skip') did({ job: id, id: '', field: '', place: 0, hand: state.hand ?? '', redo: { kind: 'skip' } });
  const sent = outbox.send(`/reviews/${id}/end`, { ...me(), how, note });
  set({ busy: true, note: null, said: how === 'done' ? 'Done, the next document' : 'Put back, the next document' });
  try {
    await sent;
    await take(null);
  } catch (error) {
    refused(error);
  }
}

/** Claim a document, or the next one, and show it. @param {string|null} job @param {boolean} [quiet] until something came of it */
export async function take(job, quiet = false) {
  if (quiet) state.busy = true;
  else set({ busy: true, problem: null, said: '' });
  const [model, of, older_than] = ['model', 'batch', 'older_than'].map((name) => filters.get(name));
  let review;
  let mayDecide = true;
  try {
    review = await ask('POST', '/reviews/claims', { json: { ...me(), model, batch: of, job_id: job, older_than: Number(older_than) || 0 } });
    state.problem = null;
  } catch (error) {
    const { error: why, document, state: how } = job ? await ask('GET', `/jobs/${job}`).catch(() => ({})) : {};
    if (['queued', 'running'].includes(how)) return location.replace(`/?job=${job}&then=review`);
    if (why) return fail(refusal(`The document could not be read. ${why.detail}`, why.advice));
    if (!(error instanceof Problem) || !job || error.code !== 'review_claimed') return fail(error);
    mayDecide = false; // somebody else has it: to be looked at, not decided
    review = { job_id: job, document };
    state.problem = error;
  }
  try {
    const queue = await ask('GET', `/reviews?${alter(new URLSearchParams('limit=1'), { model, batch: of, older_than })}`);
    const counts = of ? (await ask('GET', batch()).catch(() => null))?.counts : null; // who sent it sees it
    state.failures = counts ? counts.failed + counts.refused : 0;
    if (!review) {
      address({ job: null, field: null, page: null });
      set({ queue, review: null, answer: null, busy: false });
      return;
    }
    const [answer, now, read] = await Promise.all([
      ask('GET', `/jobs/${review.job_id}/result`), // of the model that was chosen last
      ask('GET', `/reviews/${review.job_id}/decisions`),
      ask('GET', `/jobs/${review.job_id}/words`).catch(() => ({ pages: [] })),
    ]);
    const shown = { ...answer, model: now.model, fields: now.fields, rows: now.groups, checks: now.checks };
    lap();
    const places = placesOf(shown);
    // Of another kind, it seems, and nobody has said.
    const strange = (now.model.fit ?? 1) < FITS && !now.decisions.length && places.every(({ found }) => !found || doubt(found));
    const again = strange && mayDecide ? { ...await others(now.model), asked: true } : null;
    const first = places.find(({ id }) => id === linked.field)?.id ?? next(shown, null) ?? places[0]?.id ?? null;
    const at = linked.page;
    Object.assign(linked, { field: null, page: 0 }); // once
    set({
      queue, review, answer: shown, words: numbered(read.pages), mayDecide, hand: null, busy: false,
      ...NOTHING, page: answer.document.pages[0].number, note: null, again,
    });
    renewed = Date.now();
    address({ job: review.job_id, field: state.hand, page: String(state.page) });
    take_in_hand(first);
    blur();
    state.unseen = true;
    if (each(answer.document.pages).some((one) => one.number === at)) turn(at);
    seen().then(() => { if (state.unseen) reveal(); state.unseen = false; });
  } catch (error) {
    fail(error);
  }
}

/** The words of all pages, counted from 0 as the service does. @param {any[]} pages */
const numbered = (pages) => pages.flatMap(({ number: page, words }) => each(words).map((word) => ({ ...word, page })))
  .map((word, number) => ({ ...word, number }));

/** Decide on the value in hand; after the last one the next document comes. @param {any} decision */
export const settle = async (decision) => await decide(decision) === true && finish('done');

/** Put back what is in hand. */
export const release = () => outbox.send(`/reviews/${state.answer.id}/end`, { ...me(), how: 'release' }).catch(() => null);

/** A claim lasts from the last sign of work. */
export function renew() {
  if (!state.answer || !state.mayDecide || Date.now() - renewed < RENEWED) return;
  renewed = Date.now();
  ask('POST', '/reviews/claims', { json: { ...me(), job_id: state.answer.id } }).catch(() => null);
}

/** The other models to choose from, the likeliest first. @param {any} model that has answered */
async function others({ name, choice }) {
  const { models } = await ask('GET', '/models');
  const all = each(models).filter((one) => one.current && one.name !== name)
    .map((one) => ({ name: one.name, like: choice?.others[one.name] }));
  return { models: all.sort((one, other) => (other.like ?? 0) - (one.like ?? 0)), model: '', job: null };
}

export const choose_model = trying(async () => {
  if (!state.mayDecide) return;
  if (state.again) return set({ again: null });
  const { id, model } = state.answer;
  const again = await others(model);
  if (state.answer?.id !== id) return;
  set({ again, ...NOTHING, problem: null });
  reveal();
});

/** Take the answer of another model. @param {string} model @param {string} [password] of an encrypted PDF */
export async function read_again(model, password) {
  const { id } = state.answer;
  const wanted = { models: [], model, job: /** @type {any} */ (null) };
  const still = () => state.answer?.id === id && state.again?.model === model;
  set({ again: wanted, said: `Reading as ${model}` });
  try {
    const second = await ask('POST', `/reviews/${id}/again`, { json: { ...me(), model, password } });
    const told = (/** @type {any} */ job) => { if (still()) set({ again: { ...wanted, job: { ...state.again?.job, ...job } } }); };
    told(second);
    const last = ended(second) ? second : await follow(second.id, told);
    if (!still()) return;
    if (last?.state !== 'succeeded') await ask('GET', `/jobs/${second.id}/result`); // says why
    await send(state.hand ?? '', 'model', 0, { kind: 'model' });
    done[done.length - 1].redo = { kind: 'model', model };
    await take(id);
    set({ said: `Read as ${model}` });
  } catch (error) {
    if (locked(error) && still()) {
      set({ again: { ...wanted, problem: error }, said: '' });
      return byId('password')?.focus();
    }
    set({ again: null });
    refused(error);
  }
}

export async function undo() {
  const last = done.pop();
  if (!last) return;
  if (state.answer && state.answer.id !== last.job) await release();
  if (last.redo.kind === 'skip') {
    await take(last.job);
    undone.push(last);
    return set({ said: 'Undone' });
  }
  const body = { id: uuid(), ...me(), kind: 'undo', undoes: last.id, field: last.field, place: last.place,
    likewise: last.likewise?.map((one) => ({ ...one, id: uuid(), undoes: one.id })) };
  const back = (/** @type {any} */ answer) => {
    undone.push(last);
    set({ ...NOTHING, answer, busy: false, said: 'Undone', hand: null });
    take_in_hand(last.hand);
  };
  const at_once = last.was && state.answer?.id === last.job;
  if (at_once) back(last.was?.reduce((all, one) => placed(all, one, one.found), state.answer));
  try {
    const now = await outbox.send(`/reviews/${last.job}/decisions`, body);
    if (at_once) return adopt(last.job, now);
    if (state.answer?.id === last.job && last.redo.kind !== 'model') adopt(last.job, now);
    else await take(last.job);
    if (!last.joined) return back(state.answer);
    undone.push(last);
    await undo();
  } catch (error) {
    lost(error, last.job, last.hand, {});
  }
}

export async function redo() {
  const last = undone.pop();
  if (!last) return;
  if (state.answer?.id !== last.job) {
    if (state.answer) await release();
    await take(last.job);
  }
  const rest = [...undone];
  const { field, made, redo: { kind, model } } = last;
  if (kind === 'model') await read_again(model);
  else if (kind === 'skip') await finish('skip');
  else {
    take_in_hand(last.hand);
    await (kind in CHANGED ? changeRows(kind, field) : settle(last.redo));
  }
  if (state.problem) return;
  const now = done.at(-1)?.made ?? 0;
  undone.push(...rest.map((step) => (step.place === made && step.field.split('.')[0] === field
    ? { ...step, place: now, hand: idOfCell(field, now, step.hand.split('.')[2]) } : step)));
}
