// The page Teach: a new kind of document, labelled by clicking, trained, and put in service.

import {
  ask, commandOf, each, entitle, hindrance, html, letters, make, nothing, NOTHING, notice, onDrop, paper,
  pause, Problem, refusal, showThumbnail, thumbnails,
} from '../common/all.js';
import { bar, documentRail } from './bar.js';
import { fieldsPanel } from './fields.js';
import * as desk from './labelling.js';
import { readiness, rowsOf } from './logic.js';
import { besides, report } from './report.js';
import { upload } from './sending.js';
import { datasets } from './sets.js';
import { CLEAN, begin, fail, goOn, gone, isOpen, outbox, refreshDataset, remove, set, settle, state, takeBack, trying, turn, unread } from './state.js';
import { refreshVersions, replaced, train, underWay } from './training.js';

/** @type {Record<string, () => unknown>} */
const VIEWS = { label: labelled, report, beside: besides };
const POLL = 1500; // milliseconds, while documents are read or a training runs

function view() {
  return html`${state.dataset
    ? html`${bar()} ${VIEWS[state.view]()}`
    : datasets({ onSource: choose_source, onBegin: beginDataset, onRemove: removeDataset })}
  ${state.removing
    ? html`<div class="toast" role="region" aria-label="Removed">${state.removing.said}
        <button class="low" @click=${takeBack}>Undo <kbd>z</kbd></button>
        <button class="low" @click=${goOn}>Close <kbd>Esc</kbd></button></div>`
    : nothing}`;
}

function labelled() {
  const { dataset, document: at } = state;
  return html`<main class="desk teaching">
    <h1 class="unseen">${dataset.name}${at ? `: ${at.filename}` : ''}</h1>
    ${documentRail(removeDocument)}
    ${!at ? waiting() : at.pages_of.length ? onPaper() : unprinted(at)}
    ${at ? fieldsPanel() : nothing}
  </main>`;
}

function onPaper() {
  const { document: at } = state;
  const pages = at.pages_of;
  const page = each(pages).find((one) => one.number === state.page) ?? pages[0];
  const rows = rowsOf(state.dataset.fields, state.values);
  return paper({
    job: at.job_id, name: at.filename, pages, page, zoom: state.zoom, run: desk.run, lit: state.lit ?? state.hand,
    above: thumbnails({ job: at.job_id, pages, at: page.number, turn }),
    marked: rows.filter(({ value }) => value?.page === page.number && value?.box).map(({ id, value }) => ({
      id, box: value?.box ?? [], doubtful: value?.status === 'suggestion' || value?.doubt !== '',
    })),
    onChoose: desk.hold,
    over: desk.pointer.over(),
  });
}

/** @param {any} document whose pages are not known, or never will be */
function unprinted({ state: how, error }) {
  return html`<section class="paper" aria-label="Page" tabindex="0">
    <p class="unprinted soft">${how === 'failed' ? `${error?.detail ?? 'It cannot be read.'} ${error?.advice ?? ''}` : `This document is being read. ${state.hindrance}`}</p>
  </section>`;
}

/** Where no document is in hand. */
function waiting() {
  const { dataset, documents } = state;
  const read = documents.length - dataset.counts.reading;
  const words = state.ended
    ? ['Every document is labelled', `${readiness(dataset)}.`]
    : !documents.length && !state.sending
      ? ['Drop the documents here', 'About thirty of one kind; the more they differ, the better.']
      : ['The documents are being read', `${read} of ${documents.length}. Those that are ready can be opened. ${state.hindrance}`];
  return html`<div class="empty-desk">
    <h2>${words[0]}</h2><p class="soft">${words[1]}</p>
    ${state.ended && dataset.may_train && !dataset.training ? html`<button class="main" @click=${train}>Train</button>` : nothing}
    ${notice(state.problem)}
  </div>`;
}

let due = false; // what the address says is to be shown
async function show() {
  due = true;
  const asked = new URL(location.href).searchParams;
  const id = asked.get('set');
  set({ problem: null });
  if (state.dataset && state.dataset.id !== id) { // begun in that one
    desk.keep();
    await settle().catch(fail);
  }
  const view = asked.get('view') ?? '';
  set({ view: Object.hasOwn(VIEWS, view) ? view : 'label', training: asked.get('training'), ended: false });
  if (!id) {
    document.title = 'Teach · fieldwright';
    set({ ...CLEAN, dataset: null, documents: [], trainings: [] });
    const [all, { models }] = await Promise.all([allDatasets(), ask('GET', '/models')]);
    due = false;
    set({ datasets: all, models: [...new Set(each(models).map((one) => one.name))].sort() });
    return refreshUnderWay();
  }
  if (!isOpen(id)) {
    desk.forget();
    const [dataset, { trainings }, { kinds }] = await Promise.all([
      ask('GET', `/datasets/${id}`), ask('GET', `/trainings?dataset=${id}`), ask('GET', '/datasets/kinds'),
    ]);
    set({ ...CLEAN, dataset, trainings, kinds, documents: await allDocuments(id) });
    document.title = `${dataset.name} · Teach · fieldwright`;
  }
  due = false;
  if (state.view !== 'label') return refreshVersions();
  const wanted = asked.get('document');
  if (wanted && wanted !== state.document?.id) {
    await desk.open(wanted, { field: asked.get('field'), page: Number(asked.get('page')) || undefined });
  } else if (!wanted) {
    await openNext();
  }
  desk.reveal();
}

async function openNext() {
  const instead = state.document;
  const found = await desk.waiting();
  if (found) return desk.open(found, { instead });
  set({ ended: state.documents.length > 0 && !unread() });
}

/** All of a list. @param {string} path @param {string} name of what it holds @param {string} by the parameter of the next page */
async function whole(path, name, by) {
  const all = [];
  let after = null;
  do {
    const page = await ask('GET', `${path}?limit=500${after ? `&${by}=${encodeURIComponent(after)}` : ''}`);
    all.push(...page[name]);
    after = page.next;
  } while (after);
  return all;
}
const allDatasets = () => whole('/datasets', 'datasets', 'cursor');
/** @param {string} id of a dataset */
const allDocuments = (id) => whole(`/datasets/${id}/documents`, 'documents', 'after');

async function refreshUnderWay() {
  const ids = state.datasets.map((one) => one.training).filter(Boolean);
  const all = await Promise.all(ids.map((id) => ask('GET', `/trainings/${id}`)));
  set({ underWay: Object.fromEntries(all.map((one) => [one.id, one])) });
}

/** Whether the list is as the dataset counts it: others may work on it, too. */
const listed = () => Object.entries(state.dataset.counts)
  .every(([how, number]) => state.documents.filter((one) => one.state === how).length === number);

let polls = 0;
async function poll() {
  if (!state.session || document.hidden || state.busy) return;
  const id = state.dataset?.id;
  if (state.problem?.status === 0 && (id || due)) {
    await ask('GET', '/session');
    if (due) return show();
    set({ problem: null });
  }
  if (!id) return Object.keys(state.underWay).length ? refreshUnderWay() : undefined;
  const running = underWay();
  const now = running && await ask('GET', `/trainings/${running.id}`);
  if (!isOpen(id)) return;
  if (now) {
    set({ trainings: replaced(now) });
    if (!underWay()) {
      set({ said: `Training ${now.state}` });
      await refreshDataset();
      await refreshVersions();
    }
  }
  const reading = unread();
  if (state.view === 'beside' && state.shadow?.active) await refreshVersions();
  if (!reading && (polls += 1) % 5) return;
  const { fields } = state.dataset;
  if (!reading) await refreshDataset();
  if (isOpen(id) && (reading || !listed())) {
    const { sent } = outbox;
    const [documents, why] = await Promise.all([allDocuments(id), reading ? hindrance() : '']);
    if (!isOpen(id) || outbox.unsaved || sent !== outbox.sent) return;
    set({ documents, hindrance: why });
    await refreshDataset();
  }
  if (!isOpen(id)) return;
  // The list may be older than the document in hand.
  const at = state.document;
  const after = state.documents.find((one) => one.id === at?.id)?.state;
  const others = JSON.stringify(fields) !== JSON.stringify(state.dataset.fields);
  if (at && (others || (at.state !== after && (at.state === 'reading' || after === 'suggested' || !after)))) await desk.open(at.id, { instead: at });
  if (!state.document && !state.ended && state.view === 'label') await openNext();
}

/** @param {string} source */
async function choose_source(source) {
  set({ source });
  if (source !== 'batch') return;
  const { batches } = await ask('GET', '/batches?limit=100').catch(() => ({ batches: null }));
  set({ batches }); // where they cannot be listed, an id is typed
}

/** @param {{name: string, called: string, batch?: string, model?: string}} wanted */
const beginDataset = trying(async ({ name, called, batch, model }) => {
  set({ busy: true, problem: null });
  await settle(); // its name is free then
  const dataset = await make('/datasets', { name: name.trim(), model_name: called || undefined });
  const { files, source } = state;
  let taken = 0;
  let problem = null;
  if (source !== 'files') {
    const from = source === 'batch' ? { batch_id: batch } : { reviewed: true, model: model || undefined };
    try {
      for (let left = 1; left;) {
        const answer = await ask('POST', `/datasets/${dataset.id}/documents/take`, { json: from });
        ({ left } = answer);
        taken += answer.added.length;
        if (!taken) {
          throw refusal('There is no document to take.', 'Choose another batch or model, or drop files.');
        }
      }
    } catch (error) {
      problem = error;
      if (!taken) {
        await ask('DELETE', `/datasets/${dataset.id}`).catch(() => null);
        throw error;
      }
    }
  }
  history.pushState(null, '', `/teach?set=${dataset.id}`);
  set({ files: [], busy: false, datasets: [dataset, ...state.datasets] });
  await show();
  if (problem) throw problem; // what was taken stays
  if (source === 'files' && files.length) await upload(files);
});

/** @param {any} dataset */
const removeDataset = trying(({ id, name }) => remove({ hidden: id }, `${name} removed`, async () => {
  await ask('DELETE', `/datasets/${id}`);
  set({ datasets: state.datasets.filter((one) => one.id !== id) });
}));

/** @param {string} id */
const removeDocument = trying(async (id) => {
  await remove({ hidden: id, ...(id === state.document?.id && NOTHING) }, 'Document removed', async () => {
    await ask('DELETE', `/datasets/${state.dataset.id}/documents/${id}`);
    gone(id);
    await refreshDataset();
  });
  if (id !== state.document?.id) return;
  const other = state.documents.find((one) => one.id !== id);
  if (other) await desk.open(other.id);
  else set(CLEAN);
});

addEventListener('popstate', () => show().catch(fail));
addEventListener('pagehide', () => settle().catch(() => null));
addEventListener('keydown', (event) => {
  if (state.removing && !/** @type {Element} */ (event.target).closest('input, textarea')) {
    if (event.key === 'z' && letters()) return takeBack();
    if (event.key === 'Escape') goOn();
  }
  if (!state.dataset || state.view !== 'label' || !state.document) return;
  const command = commandOf(event, desk.KEYS, { typing: state.text !== null, arrows: state.picking ? 'walk' : '' });
  if (!command) return;
  event.preventDefault();
  if (command.name === 'walk') desk.pointer.walk(command.key, command.further);
  else Promise.resolve(desk.run(command.name)).catch(fail);
});
onDrop((files) => {
  if (!files.length || !state.session) return;
  if (state.dataset) upload(files);
  else set({ files: [...state.files, ...files], source: 'files' });
});
const watch = () => poll().catch((error) => {
  if (!(error instanceof Problem) || error.status === 401 || !state.problem) fail(error);
}).finally(() => setTimeout(watch, POLL));
setTimeout(watch, POLL);

begin(view, async () => {
  entitle(state.session, 'train', 'teaching', '--scope read');
  // What was decided before is shown as decided, where the service takes it soon.
  await Promise.race([outbox.open(state.session.name ?? ''), pause(3000)]);
  await show();
}).then(() => { // nothing could be in sight or have the focus before
  showThumbnail('.rail');
  desk.reveal();
});
