// The page Try: a document in, its fields beside its picture.

import {
  address, answerDesk, ask, boxOf, byId, commandOf, doubt, ended, fileButton, follow, given, html, intoView, locked, may,
  nothing, notice, onDrop, optionsOf, pageOf, passwordOf, pictureOf, placesOf, rowsOf, submitted, VIEW_KEYS, viewCommands,
} from '../common/all.js';
import { panel } from './panel.js';

const EXAMPLES = [['receipt.png', 'receipt'], ['invoice.pdf', 'invoice'], ['order.pdf', 'advertising order']];

const { state, set, turn, fail: told, begin } = pageOf('/', {
  /** @type {any[]} */ models: [],
  model: 'auto',
  /** @type {any} */ job: null,
  /** @type {any} */ answer: null,
  /** @type {string|null} */ chosen: null,
  /** @type {File|null} what was sent last */ file: null,
  /** @type {{password?: string, pages?: string}} and how */ options: {},
  /** @type {string[]} what is said of files that were not read */ more: [],
  tab: 'values',
});
let turns = 0; // of documents; an answer that comes after its turn is left

function view() {
  return state.answer ? reading() : entrance();
}

function entrance() {
  const busy = state.job && !state.problem;
  if (state.file && locked(state.problem)) return unlock(state.file);
  if (state.file && ['too_many_pages', 'page_range_invalid'].includes(state.problem?.code ?? '')) return choosePages(state.file);
  return html`<main class="narrow">
    ${busy ? progress(state.job) : start()}
    ${notice(state.problem)}
  </main>`;
}

/** Where a document is chosen. */
function start() {
  const names = [...new Set(state.models.map((one) => one.name))].sort();
  return html`<h1>What does this document say?</h1>
  <p class="lead">Drop one here and see its fields on the page. This service reads it by itself, and
    passes it on to nobody.</p>
  <div class="card drop">
    <img src="/web/icon.svg" alt="" width="64" height="64">
    <p><strong>Drop a file anywhere on this page</strong><br>A PDF, a picture, or an invoice in XML; or paste one</p>
    <div class="row">
      ${fileButton('Choose a file', take, { style: 'main', more: ',.xml' })}
      ${fileButton('Take a photo', take, { accept: 'image/jpeg,image/png', capture: 'environment' })}
    </div>
    <p class="row">or an invented
      ${EXAMPLES.map(([name, said]) => html`<button class="low" @click=${() => example(name)}>${said}</button>`)}</p>
  </div>
  <div class="row choice">
    <label for="model">Kind of document</label>
    <select id="model" @change=${given((model) => set({ model }))}>
      ${optionsOf([['auto', 'Choose by content'], ...names.map((name) => [name])], state.model)}
    </select>
  </div>`;
}

/** @param {any} job */
function step(job) {
  if (job.state === 'sending') return 'Sending the document';
  if (job.state === 'queued') return job.position > 1 ? `Waiting, ${job.position - 1} before it` : 'Waiting';
  if (job.stage !== 'read') return 'Finding the fields';
  return job.pages_total ? `Reading page ${Math.min(job.pages_done + 1, job.pages_total)} of ${job.pages_total}` : 'Opening the document';
}

/** How far it is then. @param {any} job */
function progress(job) {
  const part = job.pages_total ? job.pages_done / job.pages_total : null;
  return html`<h1>${job.document}</h1>
  <div class="card row working">
    ${job.id ? html`<img src=${pictureOf(job.id, 1, 400)} alt="" width="300" height="400">` : nothing}
    <div>
      <p id="step">${step(job)}</p>
      ${job.hindrance ? html`<p class="why" role="status">${job.hindrance}</p>` : nothing}
      <progress aria-labelledby="step" max="1" value=${part ?? nothing}></progress>
      <p><button @click=${cancel}>Cancel</button></p>
    </div>
  </div>`;
}

/** @param {File} file */
const unlock = (file) => html`<main class="narrow"><h1>${file.name}</h1><div class="card">${passwordOf({
  problem: state.problem, name: 'this document', onPassword: (/** @type {string} */ password) => send(file, { ...state.options, password }), onLeave: another,
})}</div></main>`;

/** @param {File} file of more pages than are read at once */
const choosePages = (file) => html`<main class="narrow"><h1>${file.name}</h1>
  <form class="card form" @submit=${submitted(({ pages }) => send(file, { ...state.options, pages }))}>
    <label for="pages">Pages to be read</label>
    <input id="pages" name="pages" required maxlength="100" autocomplete="off" placeholder="1-10">
    <div class="row"><button class="main">Read</button><button type="button" @click=${another}>Another document</button></div>
    ${notice(state.problem)}
  </form></main>`;

function reading() {
  const { answer, job } = state;
  const rows = rowsOf(answer);
  const places = placesOf(answer);
  const lit = state.lit ?? state.chosen;
  return answerDesk({
    ...state, name: job.document || 'the document', places, open: places.filter(({ found }) => found && doubt(found)), lit, turn, run,
    onChoose: (/** @type {string} */ id) => {
      choose(id);
      intoView(byId(`value-${id}`));
    },
    panel: panel({ ...state, rows, lit, run, mayReview: may(state.session, 'review'), set, onChoose: choose, onAnother: another }),
  });
}

/** Show the page of a value and light its box up. @param {string} id */
function choose(id) {
  const place = placesOf(state.answer).find((one) => one.id === id);
  set({ chosen: id, page: place?.found?.page ?? state.page, tab: place?.field.includes('.') ? 'items' : 'values' });
  address({ field: id, page: String(state.page) });
  intoView(boxOf(id));
}

const commands = viewCommands(state, set, () => state.answer.document.pages, turn);
/** @param {string} name of a command */
const run = (name) => commands[name]();

/** Read the first of some files; of others it is said. @param {ArrayLike<File>} [files] */
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

/** @param {File} file @param {{password?: string, pages?: string}} [options] */
async function send(file, options = {}) {
  const mine = ++turns;
  const form = new FormData();
  form.set('file', file);
  form.set('wait', '0');
  form.set('model', state.model);
  for (const [name, value] of Object.entries(options)) form.set(name, value);
  set({ file, options, answer: null, problem: null });
  set({ job: { document: file.name, state: 'sending' }, said: `Sending ${file.name}` });
  try {
    const job = await ask('POST', '/extract', { form });
    if (mine !== turns) return;
    address({ job: job.id, page: null, field: null, then: null }, true);
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
    if (asked.has('then')) return location.replace(`/review?job=${id}`);
    set({
      answer,
      job,
      page: Number(asked.get('page')) || answer.document.pages[0].number,
      chosen: asked.get('field'),
      said: `Read: ${placesOf(answer).filter(({ found }) => found).length} values found`,
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
  address({ job: null, page: null, field: null, then: null }, true);
  set({ answer: null, job: null, file: null, options: {}, more: [], problem: null, chosen: null, lit: null, tab: 'values', page: 1 });
}

/** @param {unknown} error */
function fail(error) {
  told(error);
  byId(locked(error) ? 'password' : 'pages')?.focus();
}

/** Show what the address says. */
async function asked() {
  const job = new URL(location.href).searchParams.get('job');
  if (job) await show(job);
  else another();
}

addEventListener('popstate', asked);
addEventListener('keydown', (event) => {
  const command = state.answer && commandOf(event, VIEW_KEYS, { typing: false });
  if (command) run(command.name);
});
onDrop(take);
addEventListener('paste', (event) => take(event.clipboardData?.files));

begin(view, async () => {
  const { models } = await ask('GET', '/models');
  set({ models, ready: true });
  await asked();
});
