// The page Try: a document in, its fields beside its picture.

import { html, nothing, render } from '../library/lit-html/lit-html.js';
import { address } from '../common/address.js';
import { Problem, ask, ended, follow } from '../common/api.js';
import { head, may, notice, signIn } from '../common/frame.js';
import { cellsOf, doubt, rowsOf } from '../common/format.js';
import { sheet, thumbnails } from '../common/sheet.js';
import { askFor, locked, passwordOf } from '../common/password.js';
import { panel } from './panel.js';
import { start } from './start.js';
import { progress } from './progress.js';

/** What the page shows; `update` draws all of it, at any time. */
const state = {
  /** @type {any} */ session: null,
  /** @type {any[]} */ models: [],
  model: 'auto',
  /** @type {Problem|null} */ problem: null,
  /** @type {any} */ job: null,
  /** @type {any} */ answer: null,
  /** @type {string|null} */ lit: null,
  /** @type {string|null} */ chosen: null,
  /** @type {File|null} what was sent last */ file: null,
  withPassword: false,
  /** @type {string[]} what is said of files that were not read */ more: [],
  page: 1,
  tab: 'values',
  said: '',
  ready: false,
};
const root = /** @type {HTMLElement} */ (document.getElementById('page'));
let turns = 0; // of documents; an answer that comes after its turn is left

function update() {
  render(view(), root);
}

/** @param {Partial<typeof state>} change */
function set(change) {
  Object.assign(state, change);
  update();
}

function view() {
  if (!state.ready) return nothing;
  if (!state.session) {
    return html`${head(null, '/')}${signIn(state.problem, (problem) => set({ problem }))}`;
  }
  return html`
    ${head(state.session, '/')}
    <p class="unseen" role="status">${state.said}</p>
    ${state.answer ? reading() : entrance()}
  `;
}

function entrance() {
  const busy = state.job && !state.problem;
  if (state.file && locked(state.problem)) return unlock(state.file);
  return html`
    <main class="narrow">
      ${busy
        ? progress(state.job, cancel)
        : start({ models: state.models, model: state.model, onModel: (model) => set({ model }), onFiles: take, onExample: example })}
      ${notice(state.problem)}
    </main>
  `;
}

/** @param {File} file */
const unlock = (file) => html`<main class="narrow"><h1>${file.name}</h1><div class="card">${passwordOf({
  problem: state.problem, name: 'this document', onPassword: (/** @type {string} */ password) => send(file, password), onLeave: another,
})}</div></main>`;

function reading() {
  const { answer, job } = state;
  const rows = rowsOf(answer);
  const pages = answer.document.pages;
  const page = pages.find((/** @type {any} */ one) => one.number === state.page) ?? pages[0];
  const places = [...rows, ...cellsOf(answer)];
  const onPage = (/** @type {number} */ number) => places.filter(({ found }) => found?.page === number);
  const lit = state.lit ?? state.chosen;
  return html`
    <main class=${pages.length > 1 ? 'desk many' : 'desk'}>
      <h1 class="unseen">${job.document}</h1>
      ${thumbnails({
        job: answer.id,
        pages,
        at: page.number,
        onTurn: turn,
        doubts: (number) => onPage(number).filter(({ found }) => doubt(found)).length,
      })}
      <section class="paper" aria-label="Page" tabindex="0">
        ${sheet({
          job: answer.id,
          name: job.document || 'the document',
          page,
          marked: onPage(page.number).map(({ id, found }) => ({
            id, box: found.box, doubtful: doubt(found) !== '',
          })),
          lit,
          set,
          onChoose: (/** @type {string} */ id) => {
            choose(id);
            document.getElementById(`value-${id}`)?.scrollIntoView({ block: 'nearest' });
          },
        })}
      </section>
      ${panel({
        ...state,
        rows,
        lit,
        mayReview: may(state.session, 'review'),
        set,
        onChoose: choose,
        onAnother: another,
      })}
    </main>
  `;
}

/** Show the page of a value and light its box up. @param {string} id */
function choose(id) {
  const cell = cellsOf(state.answer).find((one) => one.id === id);
  const place = cell ?? rowsOf(state.answer).find((one) => one.id === id);
  set({ chosen: id, page: place?.found?.page ?? state.page, tab: cell ? 'items' : 'values' });
  address({ field: id, page: String(state.page) });
  const box = document.querySelector(`.sheet rect[data-id="${CSS.escape(id)}"]`);
  box?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** @param {number} number */
function turn(number) {
  set({ page: number, chosen: null });
  address({ page: String(number), field: null });
}

/** Read the first of some files; of others it is said. @param {FileList|null|undefined} files */
function take(files) {
  const file = files?.[0];
  if (!file || !state.session) return;
  const more = files.length > 1 ? [`Only ${file.name} was read: this page takes one document at a time.`] : [];
  set({ more });
  send(file);
}

/** @param {string} name of an invented document */
async function example(name) {
  try {
    const data = await (await fetch(`/web/examples/${name}`)).blob();
    send(new File([data], name, { type: data.type }));
  } catch {
    await ask('GET', '/session').catch(fail); // says why
  }
}

/** @param {File} file @param {string} [password] of an encrypted PDF */
async function send(file, password) {
  const mine = ++turns;
  const form = new FormData();
  form.set('file', file);
  form.set('wait', '0');
  form.set('model', state.model);
  if (password) form.set('password', password);
  set({ file, withPassword: Boolean(password), answer: null, problem: null });
  set({ job: { document: file.name, state: 'sending' }, said: `Sending ${file.name}` });
  try {
    const job = await ask('POST', '/extract', { form });
    if (mine !== turns) return;
    address({ job: job.id, page: null, field: null }, true);
    await show(job.id, mine);
  } catch (error) {
    if (mine === turns) fail(error);
  }
}

/** Follow a job to its end and show its answer, unless another was asked for. @param {string} id */
async function show(id, mine = ++turns) {
  try {
    const found = await ask('GET', `/jobs/${id}`);
    if (mine !== turns) return;
    set({ job: found, answer: null, problem: null });
    if (!ended(state.job)) {
      const last = await follow(id, (event) => mine === turns && set({ job: { ...state.job, ...event } }));
      if (mine !== turns) return;
      if (!last || last.state === 'cancelled') return another();
    }
    const answer = await ask('GET', `/jobs/${id}/result`);
    const job = await ask('GET', `/jobs/${id}`);
    if (mine !== turns) return;
    const asked = new URL(location.href).searchParams;
    const count = rowsOf(answer).filter(({ found }) => found).length;
    set({
      answer,
      job,
      page: Number(asked.get('page')) || answer.document.pages[0].number,
      chosen: asked.get('field'),
      said: `Read: ${count} values found`,
    });
  } catch (error) {
    if (mine === turns) fail(error);
  }
}

async function cancel() {
  if (state.job?.id) await ask('DELETE', `/jobs/${state.job.id}`).catch(() => null);
  another();
}

function another() {
  turns += 1;
  address({ job: null, page: null, field: null }, true);
  set({ answer: null, job: null, file: null, more: [], problem: null, chosen: null, lit: null, tab: 'values', page: 1 });
}

/** @param {unknown} error */
function fail(error) {
  if (!(error instanceof Problem)) throw error;
  if (error.status === 401) set({ session: null, problem: null });
  else set({ problem: error, said: '' });
  if (locked(error)) askFor();
}

async function begin() {
  try {
    const session = await ask('GET', '/session');
    const { models } = await ask('GET', '/models');
    set({ session, models, problem: null, ready: true });
    await asked();
  } catch (error) {
    state.ready = true;
    fail(error);
  }
}

/** Show what the address says. */
async function asked() {
  const job = new URL(location.href).searchParams.get('job');
  if (job) await show(job);
  else another();
}

addEventListener('popstate', asked);
// A file may be dropped, or pasted, anywhere.
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  take(event.dataTransfer?.files);
});
addEventListener('paste', (event) => take(event.clipboardData?.files));

begin();
