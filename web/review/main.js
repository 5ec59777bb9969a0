// The page Review: the document that needs a person most, its doubtful values one after the other.

import { html, nothing } from '../common/html.js';
import { address, alter } from '../common/address.js';
import { Problem, ask, ended, follow, refusal, uuid } from '../common/api.js';
import { attempt, commandOf, reveal as bring, seen, viewCommands } from '../common/desk.js';
import { entitle, notice, pageOf } from '../common/frame.js';
import { counted, idOfCell, placesOf, rowsOf } from '../common/format.js';
import { answerDesk } from '../common/sheet.js';
import { Outbox } from '../common/outbox.js';
import { askFor, locked } from '../common/password.js';
import { picked, picker, picking } from '../common/picker.js';
import { addressOf, bar } from './bar.js';
import { neighbour } from './grid.js';
import { decided, doubtful, next, options } from './logic.js';
import { KEYS, ROW_KEYS } from './keys.js';
import { fieldsPanel } from './fields.js';

const JOINED = ['text', 'name', 'address']; // kinds whose parts in two rows are one value
const POLL = 5000; // milliseconds, while nothing waits
const RENEWED = 60_000; // milliseconds between two renewals of a claim, while somebody is at work
const NAME = 'fieldwright-reviewer';
const CHANGED = { insert: 'Row inserted', remove: 'Row removed', split: 'Row split' };

/** Nothing is being typed or picked. */
const NOTHING = {
  /** @type {string|null} text being typed */ text: null,
  /** @type {any} what it would become */ typed: null,
  /** @type {number[]} words being picked */ picks: [],
  /** @type {number[]|null} a box being drawn */ drawn: null,
  picking: false,
};

/** What the page shows. */
const state = {
  ...NOTHING,
  /** @type {any} */ session: null,
  /** @type {Problem|null} */ problem: null,
  /** @type {any} */ queue: null,
  /** @type {any} the review in hand */ review: null,
  /** @type {any} with what was decided */ answer: null,
  /** @type {import('../common/picker.js').Word[]} of the document */ words: [],
  /** @type {string|null} the row in hand */ hand: null,
  /** @type {string|null} pointed at */ lit: null,
  /** @type {string|null} why a document is put back, being typed */ note: null,
  /** @type {{models: any[], model: string, job: any, problem?: any}|null} another model is being chosen, or reads, or wants a password */ again: null,
  /** @type {any[]|null} how often people agreed, where that is shown */ agreement: null,
  failures: 0, // documents of the batch that could not be read
  /** @type {any[]|null} those, where they are shown */ unread: null,
  frozen: false,
  page: 1,
  zoom: 1,
  said: '',
  help: false,
  mayDecide: true,
  ready: false,
  busy: false,
};
const filters = new URL(location.href).searchParams;
/** What a link leads to, besides the document. */
const linked = { field: filters.get('field'), page: Number(filters.get('page')) };
filters.delete('field');
filters.delete('page');
const claimant = (sessionStorage.claimant ??= uuid());
const outbox = new Outbox(() => update());
/**
 * @typedef {{job: string, id: string, field: string, place: number, hand: string, redo: any, joined?: boolean, made?: number}} Step
 *   `joined` to the step before; the row that it `made`
 */
/** @type {Step[]} */
const done = [];
/** @type {Step[]} */
const undone = [];
let since = performance.now();
let renewed = 0;
let fresh = false; // unseen
const { update, set, fail: told, begin } = pageOf('/review', state, view);
const pointer = picking(state, set, () => state.words, () => preview(pickedText()));

const trying = attempt(refused);
const me = () => ({ claimant, reviewer: state.session?.name ? '' : (localStorage.getItem(NAME) ?? '') });

/** @returns {unknown} */
function view() {
  return html`${queueBar()} ${state.answer ? desk() : nothingWaits()}`;
}

function queueBar() {
  return bar({
    ...state,
    filters,
    unsaved: outbox.unsaved,
    name: localStorage.getItem(NAME) ?? '',
    onName: (/** @type {string} */ name) => localStorage.setItem(NAME, name),
    onFilter: (/** @type {any} */ change) => location.assign(addressOf(filters, change)),
    onAgreement: agreement,
    onUnread: unread,
    onRetry: retry,
  });
}

const agreement = trying(async () => {
  set({ agreement: state.agreement ? null : (await ask('GET', '/reviews/agreement')).fields });
});

const batch = () => `/batches/${encodeURIComponent(filters.get('batch') ?? '')}`;

const unread = trying(async () => {
  if (state.unread) return set({ unread: null });
  const pages = await Promise.all(['failed', 'refused'].map((how) => ask('GET', `${batch()}/items?state=${how}&limit=1000`)));
  set({ unread: pages.flatMap(({ items }) => items) });
});

/** @param {{password: string}} said */
const retry = trying(async ({ password }) => {
  const form = new FormData();
  if (password) form.set('password', password);
  const { retried } = await ask('POST', `${batch()}/retry`, { form });
  set({ unread: null, failures: state.failures - retried, said: `${counted(retried, 'document')} to be read again`, problem: null });
});

function nothingWaits() {
  const others = state.queue?.reviews.length;
  return html`<main class="narrow">
    <h1>${state.problem ? 'Not now' : state.busy ? 'One moment' : 'Nothing waits for you'}</h1>
    ${state.problem || state.busy
      ? nothing
      : html`${others ? html`<p>What is left is in the hands of others.</p>` : nothing}
          <p class="lead">Answers with doubtful values come here by themselves, the most doubtful first.
          <a href="/">Try a document</a>, or send some with the API.</p>`}
    ${notice(state.problem)}
    ${state.problem ? html`<p><button @click=${() => take(null)}>Go on with the queue</button></p>` : nothing}
  </main>`;
}

function desk() {
  const { answer, review, picking: marking } = state;
  const left = doubtful(answer);
  return answerDesk({
    ...state, name: review.document || 'Document', places: placesOf(answer), open: left, marking: !marking,
    lit: state.lit ?? state.hand, turn, run, onChoose: take_in_hand,
    over: marking ? picker({ ...state, words: pointer.here(), onPick: pointer.pick, onDraw: pointer.draw }) : nothing,
    panel: fieldsPanel({
      ...state, rows: rowsOf(answer), left: left.length, inHand: state.hand ? row() : null, picked: pickedText(),
      mayDecide: state.mayDecide && !state.again, lost: !state.mayDecide, undoable: done.length > 0, set, run,
      onHand: take_in_hand, onText: type, onPassword: (/** @type {string} */ password) => state.again && read_again(state.again.model, password),
    }),
  });
}

const row = () => placesOf(state.answer).find(({ id }) => id === state.hand) ?? extra();

/** One more value of a field, that has no row yet. */
function extra() {
  const [field, place] = (state.hand ?? '.0').split('.');
  return { id: state.hand ?? '', field, place: Number(place), found: null };
}

/** The group and number of the row in hand; null where no cell is. */
function rowInHand() {
  const [group, number, column] = (state.hand ?? '').split('.');
  return column ? { group, number: Number(number), column } : null;
}

/** What was typed or picked for the row in hand, as a decision. */
function begun() {
  const { picks, text } = state;
  if (state.picking) return picks.length ? { kind: 'pick', words: picks } : null;
  return text?.trim() && text !== row().found?.text ? { kind: 'edit', text } : null;
}

/** @param {string|null} id @returns {any} */
function take_in_hand(id) {
  fresh = false;
  if (id === state.hand) return; // it is focused again, such as when its words are to be picked
  const decision = state.hand && state.mayDecide && begun();
  if (decision) return decide(decision, id);
  set({ ...NOTHING, hand: id, lit: null });
  const found = id && row().found;
  if (found && !state.frozen) set({ page: found.page });
  address({ field: state.hand, page: String(state.page) });
  reveal();
}

const reveal = () => state.hand && bring(state.hand, state.frozen);

/** @param {number} number */
function turn(number) {
  set({ page: number });
  address({ field: state.hand, page: String(number) });
}

const pickedText = () => picked(state.words, state.picks).text;

/** @param {string} text */
function type(text) {
  set({ text });
  return preview(text);
}

/** Show what a text that is typed or picked would become. @param {string} text */
async function preview(text) {
  const { picks } = state;
  const still = () => (state.picking ? state.picks === picks : state.text === text);
  await new Promise((resolve) => setTimeout(resolve, 120));
  if (!still() || !text.trim()) return;
  const typed = await ask('POST', `/reviews/${state.answer.id}/reading`, { json: { field: row().field, text } })
    .catch(() => null);
  if (still()) set({ typed: typed && { ...typed, of: text } });
}

/**
 * Send a decision on the row in hand, show it at once, and go on.
 * @param {any} decision @param {string|null} [onward] the row to go on with, where one was chosen
 */
async function decide(decision, onward = null) {
  const { answer, hand } = state;
  if (!state.mayDecide || !hand) return;
  const at = row();
  const shown = decision.kind === 'pick' ? { ...decision, text: pickedText(), page: state.page } : decision;
  const typed = state.typed?.of === shown.text ? state.typed : null;
  if (decision.text && typed?.value === null) { // told before it is sent: it is no value
    set({ said: typed.normalisation.reason });
    return reveal();
  }
  const saved = send(hand, at.field, at.place, decision).then((now) => {
    adopt(answer.id, now);
    const found = placesOf({ ...now, rows: now.groups }).find(({ id }) => id === hand)?.found;
    if (decision.text && found?.normalisation.status === 'failed') {
      throw refusal(found.normalisation.reason, 'Correct the text.');
    }
  }).catch((error) => lost(error, answer.id, hand, decision));
  set({ ...NOTHING, problem: null, said: 'Saved', answer: decided(answer, at, { ...shown, typed }) });
  if (onward) return take_in_hand(onward);
  const { kind } = decision;
  const written = kind === 'edit' || kind === 'pick';
  if (written && doubtful(state.answer).some(({ id }) => id === hand)) {
    set({ said: 'Saved; please choose' });
    return reveal();
  }
  const following = (written && emptyBeside()) || next(state.answer, hand);
  if (following) return take_in_hand(following);
  if (written && rowInHand()) return reveal();
  set({ busy: true }); // until it is known that nothing is left
  await saved;
  if (state.answer?.id !== answer.id || !state.busy) return;
  set({ busy: false });
  const left = next(state.answer, hand);
  if (left) take_in_hand(left);
  else await finish('done');
}

/** A decision was refused: show what holds, and what was typed once more. @param {any} error @param {string} job @param {string} hand @param {any} decision */
function lost(error, job, hand, { text }) {
  refused(error);
  if (error.status === 401 || state.answer?.id !== job) return;
  ask('GET', `/reviews/${job}/decisions`).then((now) => adopt(job, now), () => null);
  if (!text) return;
  set({ problem: new Problem({ ...error, detail: `“${text}” was not taken. ${error.detail}` }) });
  if (!state.mayDecide || begun()) return;
  set({ ...NOTHING });
  take_in_hand(hand);
  type(text);
  reveal();
}

/**
 * @param {string} hand what is in hand then @param {string} field @param {number} place
 * @param {any} decision @returns {Promise<any>} what then is decided
 */
function send(hand, field, place, decision) {
  const job = state.answer.id;
  const id = uuid();
  const seconds = Math.min(3600, (performance.now() - since) / 1000);
  since = performance.now();
  did({ job, id, field, place, hand, redo: decision });
  return outbox.send(`/reviews/${job}/decisions`, { id, ...me(), field, place, seconds, ...decision });
}

/** @param {Step} step that can be undone */
function did(step) {
  done.push(step);
  undone.length = 0;
}

/** Show an answer as it is decided by now. @param {string} job @param {any} now */
function adopt(job, { fields, groups, checks }) {
  // What was decided since is not in it.
  if (state.answer?.id === job && !outbox.unsaved) set({ answer: { ...state.answer, fields, rows: groups, checks } });
}

/**
 * Insert a row below the one in hand, remove it, or split it.
 * @param {'insert'|'remove'|'split'} kind @param {string} [into] the group, where no row is in hand
 */
async function changeRows(kind, into) {
  const at = rowInHand();
  const group = at?.group ?? into;
  if (!state.mayDecide || !group || (kind !== 'insert' && !at)) return;
  const job = state.answer.id;
  const before = /** @type {any[]} */ (state.answer.rows[group]);
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
  const made = rows.find((/** @type {any} */ one) => !before.some(({ row }) => row === one.row));
  done[done.length - 1].made = made?.row;
  const shown = made ?? rows[Math.min(where, rows.length - 1)];
  set({ said: CHANGED[kind], hand: null });
  const column = shown && (at?.column ?? Object.keys(shown.cells)[0]);
  take_in_hand(column ? idOfCell(group, shown.row, column) : placesOf(state.answer)[0]?.id ?? null);
}

/** Take the row below into the one in hand, a cell at a time; Undo takes all of that back. */
async function mergeRows() {
  const at = rowInHand();
  if (!state.mayDecide || !at) return;
  const rows = /** @type {any[]} */ (state.answer.rows[at.group]);
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

/** The next empty cell of the row in hand. */
function emptyBeside() {
  const at = rowInHand();
  const { cells } = at ? state.answer.rows[at.group].find((/** @type {any} */ one) => one.row === at.number) : { cells: {} };
  const empty = Object.keys(cells).find((column) => !cells[column]);
  return at && empty ? idOfCell(at.group, at.number, empty) : null;
}

/** @param {'done'|'skip'|'release'} how @param {string} [note] for whoever has it next */
async function finish(how, note = '') {
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

/** Claim a document, or the next one, and show it. @param {string|null} job */
async function take(job) {
  set({ busy: true, problem: null, said: '' });
  const [model, of, older_than] = ['model', 'batch', 'older_than'].map((name) => filters.get(name));
  const wanted = { model, batch: of, job_id: job, older_than: Number(older_than) || 0 };
  let review;
  let mayDecide = true;
  try {
    review = await ask('POST', '/reviews/claims', { json: { ...me(), ...wanted } });
  } catch (error) {
    const { error: why } = job ? await ask('GET', `/jobs/${job}`).catch(() => ({})) : {};
    if (why) return fail(refusal(`The document could not be read. ${why.detail}`, why.advice));
    if (!(error instanceof Problem) || !job || error.code !== 'review_claimed') return fail(error);
    mayDecide = false; // somebody else has it: to be looked at, not decided
    const { document } = await ask('GET', `/jobs/${job}`).catch(() => ({ document: '' }));
    review = { job_id: job, document, reviewer: error.detail };
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
    since = performance.now();
    const first = placesOf(shown).find(({ id }) => id === linked.field)?.id ?? next(shown, null) ?? placesOf(shown)[0]?.id ?? null;
    const at = linked.page;
    Object.assign(linked, { field: null, page: 0 }); // once
    set({
      queue, review, answer: shown, words: numbered(read.pages), mayDecide, hand: null, busy: false,
      ...NOTHING, page: answer.document.pages[0].number, note: null, again: null,
    });
    renewed = Date.now();
    address({ job: review.job_id, field: state.hand, page: String(state.page) });
    take_in_hand(first);
    /** @type {HTMLElement} */ (document.activeElement).blur();
    fresh = true;
    if (answer.document.pages.some((/** @type {any} */ one) => one.number === at)) turn(at);
    seen().then(() => { if (fresh) reveal(); fresh = false; });
  } catch (error) {
    fail(error);
  }
}

/** The words of all pages, counted from 0 as the service does. @param {any[]} pages */
const numbered = (pages) => pages.flatMap(({ number: page, words }) => words.map((/** @type {any} */ word) => ({ ...word, page })))
  .map((word, number) => ({ ...word, number }));

/** Ask which other model should read the document. */
const choose_model = trying(async () => {
  if (!state.mayDecide) return;
  if (state.again) return set({ again: null });
  const { id, model } = state.answer;
  const { models } = await ask('GET', '/models');
  if (state.answer?.id !== id) return;
  const others = models.filter((/** @type {any} */ one) => one.current && one.name !== model.name);
  set({ again: { models: others, model: '', job: null }, ...NOTHING, problem: null });
  /** @type {HTMLElement|null} */ (document.querySelector('.again button'))?.focus();
});

/**
 * Have another model read the document, and take its answer.
 * @param {string} model @param {string} [password] of an encrypted PDF
 */
async function read_again(model, password) {
  const { id } = state.answer;
  const wanted = { models: [], model, job: /** @type {any} */ (null) };
  const still = () => state.answer?.id === id && state.again?.model === model;
  set({ again: wanted, said: `Reading as ${model}` });
  try {
    const second = await ask('POST', `/reviews/${id}/again`, { json: { ...me(), model, password } });
    const told = (/** @type {any} */ job) => { if (still()) set({ again: { ...wanted, job } }); };
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
      return askFor();
    }
    set({ again: null });
    refused(error);
  }
}

/** Put back what is in hand. */
const release = () => outbox.send(`/reviews/${state.answer.id}/end`, { ...me(), how: 'release' }).catch(() => null);

async function undo() {
  const last = done.pop();
  if (!last) return;
  if (state.answer && state.answer.id !== last.job) await release();
  if (last.redo.kind === 'skip') {
    await take(last.job);
    undone.push(last);
    return set({ said: 'Undone' });
  }
  const body = { id: uuid(), ...me(), kind: 'undo', undoes: last.id, field: last.field, place: last.place };
  try {
    const now = await outbox.send(`/reviews/${last.job}/decisions`, body);
    undone.push(last);
    if (state.answer?.id === last.job && last.redo.kind !== 'model') adopt(last.job, now);
    else await take(last.job);
    if (last.joined) return await undo();
    set({ said: 'Undone', hand: null });
    take_in_hand(last.hand);
  } catch (error) {
    refused(error);
  }
}

async function redo() {
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
    await (kind in CHANGED ? changeRows(kind, field) : decide(last.redo));
  }
  if (state.problem) return;
  const now = done.at(-1)?.made ?? 0;
  undone.push(...rest.map((step) => (step.place === made && step.field.split('.')[0] === field
    ? { ...step, place: now, hand: idOfCell(field, now, step.hand.split('.')[2]) } : step)));
}

/** What keys and buttons do, by name. */
const commands = {
  accept: () => {
    if (!state.mayDecide) return take(null);
    if (state.note !== null) return commands.put_back();
    if (!state.hand) return finish('done');
    if (state.text !== null) return state.text.trim() && decide({ kind: 'edit', text: state.text });
    if (state.picking) return state.picks.length ? decide({ kind: 'pick', words: state.picks }) : undefined;
    return decide({ kind: 'accept' });
  },
  edit: () => {
    type(row().found?.text ?? '');
    /** @type {HTMLInputElement|null} */ (document.getElementById('edit'))?.select();
    reveal();
  },
  words: () => {
    if (!state.mayDecide) return;
    set({ ...NOTHING, picking: !state.picking });
    reveal();
  },
  absent: () => decide({ kind: 'absent' }),
  more: () => {
    if (rowInHand()) return changeRows('insert');
    const { field } = row();
    const values = state.answer.fields[field];
    if (!Array.isArray(values)) return commands.words();
    set({ ...NOTHING, hand: `${field}.${values.length}`, picking: true });
  },
  insert: () => changeRows('insert'),
  remove: () => changeRows('remove'),
  split: () => changeRows('split'),
  merge: mergeRows,
  freeze: () => set({ frozen: !state.frozen, said: state.frozen ? 'The view follows' : 'The view is frozen' }),
  skip: () => finish('skip'),
  note: () => {
    set({ note: '', again: null });
    document.getElementById('note')?.focus();
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
  if (fresh && state.mayDecide && /^(accept|absent|choose|skip)$/.test(name) || state.busy && state.answer) return;
  if (name.startsWith('insert ')) return changeRows('insert', name.slice('insert '.length));
  if (name === 'choose' && state.again) {
    const model = state.again.models[number - 1];
    return model && read_again(model.name);
  }
  if (name === 'choose') {
    const option = options(row().found)[number - 1];
    return option && decide({ kind: option.kind, number: option.number });
  }
  return commands[/** @type {keyof typeof commands} */ (name)]?.();
}

/** @param {unknown} error */
function refused(error) {
  const problem = /** @type {Problem} */ (error);
  if (problem.status === 401) return fail(problem);
  set({ problem, busy: false, mayDecide: problem.code !== 'review_claimed' });
}

/** @param {unknown} error */
function fail(error) {
  state.answer = null;
  told(error);
}

/** A claim lasts from the last sign of work, not from the last decision. */
function renew() {
  if (!state.answer || !state.mayDecide || Date.now() - renewed < RENEWED) return;
  renewed = Date.now();
  ask('POST', '/reviews/claims', { json: { ...me(), job_id: state.answer.id } }).catch(() => null);
}

addEventListener('pagehide', () => {
  sessionStorage.steps = JSON.stringify({ by: state.session?.name, done, undone });
  // Others need not wait for it.
  if (state.answer && state.mayDecide && !outbox.unsaved) release();
});
addEventListener('keydown', renew);
addEventListener('pointerdown', renew);
const CHOOSING = ['choose', 'leave', 'again', 'help']; // while another model is
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
  if (state.session && !state.answer && !state.busy && !state.problem?.status) take(null); // none, or no connection
}, POLL);

begin(async () => {
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
