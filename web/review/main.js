// The page Review: the document that needs a person most, its doubtful values one after the other.

import { html, nothing, render } from '../library/lit-html/lit-html.js';
import { Problem, ask } from '../common/api.js';
import { head, notice, signIn } from '../common/frame.js';
import { doubt, rowsOf } from '../common/format.js';
import { uuid } from '../common/ids.js';
import { sheet, thumbnails } from '../common/sheet.js';
import { Outbox } from './outbox.js';
import { age, decided, doubtful, next, options } from './logic.js';
import { commandOf } from './keys.js';
import { fieldsPanel } from './fields.js';
import { words, wordsBetween } from './words.js';

const POLL = 5000; // milliseconds, while nothing waits
const NAME = 'fieldwright-reviewer';

/** What the page shows; `update` draws all of it, at any time. */
const state = {
  /** @type {any} */ session: null,
  /** @type {Problem|null} */ problem: null,
  /** @type {any} */ queue: null,
  /** @type {any} the review in hand */ review: null,
  /** @type {any} with what was decided */ answer: null,
  /** @type {{number: number, words: any[]}[]} */ read: [],
  /** @type {string|null} the row in hand */ hand: null,
  /** @type {string|null} pointed at */ lit: null,
  /** @type {string|null} text being typed */ text: null,
  /** @type {any} what it would become */ typed: null,
  /** @type {{from: number, to: number}|null} words being picked */ picked: null,
  picking: false,
  page: 1,
  zoom: 1,
  said: '',
  help: false,
  mayDecide: true,
  ready: false,
  busy: false,
};
const root = /** @type {HTMLElement} */ (document.getElementById('page'));
const filters = new URL(location.href).searchParams;
const claimant = (sessionStorage.claimant ??= uuid());
const outbox = new Outbox(() => update());
/** @type {{job: string, id: string, field: string, place: number, redo: any}[]} */
const done = [];
/** @type {typeof done} */
const undone = [];
let since = performance.now();

function update() {
  render(view(), root);
}

/** @param {Partial<typeof state>} change */
function set(change) {
  Object.assign(state, change);
  update();
}

const me = () => ({ claimant, reviewer: state.session?.name ? '' : (localStorage.getItem(NAME) ?? '') });

function view() {
  if (!state.ready) return nothing;
  if (!state.session) {
    return html`${head(null, '/review')}${signIn(state.problem, begin, (problem) => set({ problem }))}`;
  }
  return html`
    ${head(state.session, '/review')}
    ${bar()}
    <p class="unseen" role="status">${state.said}</p>
    ${state.answer ? desk() : nothingWaits()}
  `;
}

/** The queue in a line: what waits, for how long, who decides, what is not saved yet. */
function bar() {
  const waiting = state.queue?.waiting ?? {};
  const all = Object.values(waiting).reduce((sum, one) => sum + one, 0);
  const link = (/** @type {string|null} */ model, /** @type {number} */ count) => html`
    <a href=${model ? `/review?model=${model}` : '/review'}
      aria-current=${(filters.get('model') ?? null) === model ? 'page' : nothing}>
      ${model ?? 'all'} <span class="count">${count}</span></a>`;
  const named = (/** @type {Event} */ event) =>
    localStorage.setItem(NAME, /** @type {HTMLInputElement} */ (event.target).value);
  return html`
    <section class="bar" aria-label="Queue">
      <nav aria-label="Kinds of document">${link(null, all)}
        ${Object.keys(waiting).sort().map((model) => link(model, waiting[model]))}</nav>
      <span class="soft">${age(state.queue?.oldest_seconds ?? null)}</span>
      ${outbox.unsaved
        ? html`<strong class="unsaved">${outbox.unsaved} unsaved</strong>`
        : html`<span class="soft">all saved</span>`}
      ${state.session.name
        ? nothing
        : html`<label class="soft">Your name <input class="short" .value=${localStorage.getItem(NAME) ?? ''}
            @change=${named} maxlength="100"></label>`}
    </section>
  `;
}

function nothingWaits() {
  return html`<main class="narrow">
    <h1>${state.problem ? 'Not now' : state.busy ? 'One moment' : 'Nothing waits for you'}</h1>
    ${state.problem || state.busy
      ? nothing
      : html`<p class="lead">Answers with doubtful values come here by themselves, the most doubtful first.
          <a href="/">Try a document</a>, or send some with the API.</p>`}
    ${notice(state.problem)}
    ${state.problem ? html`<p><button @click=${() => take(null)}>Go on with the queue</button></p>` : nothing}
  </main>`;
}

function desk() {
  const { answer, review } = state;
  const rows = rowsOf(answer);
  const pages = answer.document.pages;
  const page = pages.find((/** @type {any} */ one) => one.number === state.page) ?? pages[0];
  const onPage = (/** @type {number} */ number) =>
    rows.filter(({ found }) => found?.page === number && found.box.length);
  const left = doubtful(answer);
  return html`
    <main class=${pages.length > 1 ? 'desk many' : 'desk'}>
      <h1 class="unseen">${review.document || 'Document'}</h1>
      ${thumbnails({
        job: answer.id, pages, at: page.number, onTurn: turn,
        doubts: (number) => left.filter(({ found }) => found.page === number).length,
      })}
      <section class="paper" aria-label="Page" tabindex="0" data-zoom=${state.zoom}>
        <div class=${`zoomed zoom-${state.zoom * 4}`}>
        ${sheet({
          job: answer.id,
          name: review.document || 'the document',
          page,
          marked: state.picking ? [] : onPage(page.number).map(({ id, found }) => ({
            id, box: found.box, doubtful: doubt(found) !== '',
          })),
          lit: state.lit ?? state.hand,
          onPoint: (id) => set({ lit: id }),
          onChoose: take_in_hand,
          over: state.picking ? words(state.read, page.number, state.picked, pick) : nothing,
        })}
        </div>
      </section>
      ${fieldsPanel({
        review, answer, rows, left: left.length, hand: state.hand, lit: state.lit, text: state.text,
        typed: state.typed, picking: state.picking, picked: pickedText(), help: state.help,
        mayDecide: state.mayDecide, problem: state.problem, undoable: done.length > 0,
        run, onHand: take_in_hand, onPoint: (id) => set({ lit: id }), onText: type,
      })}
    </main>
  `;
}

const row = () => rowsOf(state.answer).find(({ id }) => id === state.hand) ?? extra();

/** One more value of a field, that has no row yet. */
function extra() {
  const [field, place] = (state.hand ?? '.0').split('.');
  return { id: state.hand ?? '', field, place: Number(place), found: null };
}

/** @param {string|null} id */
function take_in_hand(id) {
  if (id === state.hand && !state.picking) return;
  set({ hand: id, text: null, typed: null, picking: false, picked: null, lit: null });
  const found = id && row().found;
  if (found) set({ page: found.page });
  reveal();
}

/** Bring the row in hand and its place on the page into view. */
function reveal() {
  if (!state.hand) return;
  const item = document.getElementById(`value-${state.hand}`);
  item?.scrollIntoView({ block: 'nearest' });
  const control = item?.querySelector('#edit') ?? item?.querySelector('.value');
  /** @type {HTMLElement|null|undefined} */ (control)?.focus({ preventScroll: true });
  document.querySelector(`.sheet rect[data-id="${CSS.escape(state.hand)}"]`)
    ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** @param {number} number */
function turn(number) {
  const { pages } = state.answer.document;
  if (pages.some((/** @type {any} */ one) => one.number === number)) set({ page: number });
}

/** @param {number} number of a word of the document @param {boolean} further keep the first one */
function pick(number, further) {
  const from = further && state.picked ? state.picked.from : number;
  set({ picked: { from, to: number } });
}

const pickedWords = () => (state.picked ? wordsBetween(state.read, state.picked) : []);
const pickedText = () => pickedWords().map(({ word }) => word.text).join(' ');

/** Show what a text would become. @param {string} text */
async function type(text) {
  set({ text });
  await new Promise((resolve) => setTimeout(resolve, 120));
  if (state.text !== text || !text.trim()) return;
  const typed = await ask('POST', `/reviews/${state.answer.id}/reading`, { json: { field: row().field, text } })
    .catch(() => null);
  if (state.text === text) set({ typed });
}

/** Send a decision on the row in hand, and go on. @param {any} decision */
async function decide(decision) {
  if (!state.mayDecide || !state.hand) return;
  const at = row();
  const job = state.answer.id;
  const id = uuid();
  const seconds = Math.min(3600, (performance.now() - since) / 1000);
  since = performance.now();
  const body = { id, ...me(), field: at.field, place: at.place, seconds, ...decision };
  done.push({ job, id, field: at.field, place: at.place, redo: decision });
  undone.length = 0;
  const saved = outbox.post(`/reviews/${job}/decisions`, body);
  set({ text: null, typed: null, picking: false, picked: null, problem: null });
  if (decision.kind === 'edit' || decision.kind === 'pick') {
    try { // what it becomes is for the service to say, and may be doubtful in turn
      const { fields } = await saved;
      if (state.answer?.id === job) set({ answer: { ...state.answer, fields } });
    } catch (error) {
      return refused(error);
    }
  } else {
    set({ answer: decided(state.answer, at, decision) });
    saved.catch(refused);
  }
  if (state.answer?.id === job) go_on();
}

/** Take the next doubtful value in hand; after the last one, the next document. */
function go_on() {
  const following = next(state.answer, state.hand);
  if (following) return take_in_hand(following);
  return finish('done');
}

/** @param {'done'|'skip'|'release'} how */
async function finish(how) {
  const { id } = state.answer;
  const ended = outbox.post(`/reviews/${id}/end`, { ...me(), how });
  set({ busy: true, said: how === 'done' ? 'Done, the next document' : 'Put back, the next document' });
  try {
    await ended;
    await take(null);
  } catch (error) {
    refused(error);
  }
}

/** Claim a document, or the next one, and show it. @param {string|null} job */
async function take(job) {
  set({ busy: true, problem: null, said: '' });
  const wanted = { model: filters.get('model'), batch: filters.get('batch'), job_id: job };
  let review;
  let mayDecide = true;
  try {
    review = await ask('POST', '/reviews/claims', { json: { ...me(), ...wanted } });
  } catch (error) {
    if (!(error instanceof Problem) || !job || error.code !== 'review_claimed') return fail(error);
    mayDecide = false; // somebody else has it: to be looked at, not decided
    review = { job_id: job, document: '', reviewer: error.detail };
    state.problem = error;
  }
  try {
    const queue = await ask('GET', '/reviews?limit=1');
    if (!review) {
      address(null);
      set({ queue, review: null, answer: null, busy: false });
      return;
    }
    const [answer, now, read] = await Promise.all([
      ask('GET', `/jobs/${review.job_id}/result?reviewed=false`),
      ask('GET', `/reviews/${review.job_id}/decisions`),
      ask('GET', `/jobs/${review.job_id}/words`).catch(() => ({ pages: [] })),
    ]);
    const shown = { ...answer, fields: now.fields };
    since = performance.now();
    const first = next(shown, null) ?? rowsOf(shown)[0]?.id ?? null;
    set({
      queue, review, answer: shown, read: read.pages, mayDecide, hand: null, busy: false,
      page: answer.document.pages[0].number, picking: false, picked: null, text: null, typed: null,
    });
    address(review.job_id);
    take_in_hand(first);
  } catch (error) {
    fail(error);
  }
}

async function undo() {
  const last = done.pop();
  if (!last) return;
  if (state.answer && state.answer.id !== last.job) {
    await outbox.post(`/reviews/${state.answer.id}/end`, { ...me(), how: 'release' }).catch(() => null);
  }
  const body = { id: uuid(), ...me(), kind: 'undo', undoes: last.id, field: last.field, place: last.place };
  try {
    const { fields } = await outbox.post(`/reviews/${last.job}/decisions`, body);
    undone.push(last);
    if (state.answer?.id === last.job) set({ answer: { ...state.answer, fields }, said: 'Undone' });
    else await take(last.job);
    take_in_hand(`${last.field}.${last.place}`);
  } catch (error) {
    refused(error);
  }
}

async function redo() {
  const last = undone.pop();
  if (!last || state.answer?.id !== last.job) return;
  const rest = [...undone];
  take_in_hand(`${last.field}.${last.place}`);
  await decide(last.redo);
  undone.push(...rest);
}

/** What keys and buttons do, by name. */
const commands = {
  accept: () => {
    if (!state.hand) return finish('done');
    if (state.picking) {
      const numbers = pickedWords().map(({ number }) => number);
      return numbers.length ? decide({ kind: 'pick', words: numbers }) : undefined;
    }
    return decide({ kind: 'accept' });
  },
  edit: () => {
    type(row().found?.text ?? '');
    /** @type {HTMLInputElement|null} */ (document.getElementById('edit'))?.select();
    reveal();
  },
  save: () => state.text?.trim() && decide({ kind: 'edit', text: state.text }),
  words: () => {
    set({ picking: !state.picking, picked: null, text: null });
    reveal();
  },
  absent: () => decide({ kind: 'absent' }),
  more: () => {
    const { field } = row();
    const values = state.answer.fields[field];
    if (!Array.isArray(values)) return commands.words();
    set({ hand: `${field}.${values.length}`, picking: true, picked: null, text: null });
  },
  skip: () => finish('skip'),
  undo,
  redo,
  back: () => turn(state.page - 1),
  on: () => turn(state.page + 1),
  larger: () => set({ zoom: Math.min(3, state.zoom + 0.5) }),
  smaller: () => set({ zoom: Math.max(1, state.zoom - 0.5) }),
  fit: () => set({ zoom: 1 }),
  help: () => set({ help: !state.help }),
  leave: () => {
    set({ text: null, typed: null, picking: false, picked: null, help: false });
    reveal();
  },
};

/** @param {string} name @param {number} [number] */
function run(name, number) {
  if (name === 'choose') {
    const option = options(row().found)[(number ?? 1) - 1];
    return option && decide({ kind: option.kind, number: option.number });
  }
  return commands[/** @type {keyof typeof commands} */ (name)]?.();
}

/** @param {unknown} error */
function refused(error) {
  if (error instanceof Problem && error.status === 401) return fail(error);
  set({ problem: /** @type {Problem} */ (error), busy: false, mayDecide: /** @type {Problem} */ (error).code !== 'review_claimed' });
}

/** @param {unknown} error */
function fail(error) {
  if (!(error instanceof Problem)) throw error;
  if (error.status === 401) set({ session: null, problem: null });
  else set({ problem: error, busy: false, answer: null });
}

/** @param {string|null} job */
function address(job) {
  const here = new URL(location.href);
  if (job) here.searchParams.set('job', job);
  else here.searchParams.delete('job');
  history.replaceState(null, '', here);
}

async function begin() {
  try {
    const session = await ask('GET', '/session');
    set({ session, ready: true });
    if (!session.scopes.some((/** @type {string} */ one) => ['review', 'admin'].includes(one))) {
      throw new Problem({
        code: 'scope_missing', status: 403, detail: 'This key is not for reviews.',
        advice: 'The operator makes one with `fieldwright keys create NAME --scope review --for KEY`.',
      });
    }
    await outbox.flush();
    await take(filters.get('job'));
  } catch (error) {
    state.ready = true;
    fail(error);
  }
}

addEventListener('keydown', (event) => {
  if (!state.answer) return;
  const command = commandOf(event, { typing: state.text !== null, picking: state.picking });
  if (!command) return;
  event.preventDefault();
  run(command.name, command.number);
});
setInterval(() => {
  if (state.session && !state.answer && !state.busy && !state.problem) take(null);
}, POLL);

begin();
