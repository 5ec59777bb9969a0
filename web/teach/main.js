// The page Teach: a new kind of document, labelled by clicking, trained, and put in service.

import { html, nothing } from '../common/html.js';
import { Problem, ask, make, refusal } from '../common/api.js';
import { attempt, commandOf, following, letters, onDrop } from '../common/desk.js';
import { counted, each } from '../common/format.js';
import { address, entitle, notice, pageOf } from '../common/frame.js';
import { Outbox } from '../common/outbox.js';
import { paper, thumbnails } from '../common/sheet.js';
import { bar } from './bar.js';
import { besides } from './beside.js';
import { documentRail } from './documents.js';
import { fieldsPanel } from './fields.js';
import { CLEAN, KEYS, labelling } from './labelling.js';
import { fieldTyped, readiness, rowsOf, standingOf } from './logic.js';
import { picked, picker } from '../common/picker.js';
import { report } from './report.js';
import { datasets } from './sets.js';

const VIEWS = ['label', 'report', 'beside'];
const POLL = 1500; // milliseconds, while documents are read or a training runs
const AT_ONCE = 2; // uploads

/** What the page shows. */
const { state, update, set, fail, begin } = pageOf('/teach', {
  ...CLEAN,
  /** @type {any[]} */ datasets: [],
  /** @type {any} the one that is open */ dataset: null,
  /** @type {any[]} of that dataset */ documents: [],
  /** @type {any[]} of that dataset, newest first */ trainings: [],
  /** @type {Record<string, any>} those under way, of all datasets */ underWay: {},
  /** @type {any[]} of its model */ versions: [],
  /** @type {string|null} that a rollback puts in service */ earlier: null,
  /** @type {any} */ shadow: null,
  /** @type {string[]} */ kinds: [],
  /** @type {string[]} names of models */ models: [],
  view: 'label',
  /** @type {string|null} the training whose report is shown */ training: null,
  /** @type {File[]} for a dataset to be */ files: [],
  source: 'files',
  /** @type {any[]|null} to choose from, as soon as they are known */ batches: null,
  /** @type {{sent: number, all: number}|null} */ sending: null,
  /** @type {{said: string, act: () => Promise<void>, dataset: any}|null} a removal yet to be done, and the
   * dataset before it */ removing: null,
  /** @type {string|null} what is hidden for it */ hidden: null,
  ended: false,
  busy: false,
});
const outbox = new Outbox(update, 'fieldwright-labels');

const trying = attempt(fail);

/** Whether a dataset is still the one that is open. @param {string} id */
const isOpen = (id) => state.dataset?.id === id;

/** @param {any} found of a document, for the list */
function seen(found) {
  const { words, labels, rows, suggestions, suggested_rows, pages_of, doubts, ...told } = found;
  set({ documents: state.documents.map((one) => (one.id === found.id ? { ...one, ...told, doubts: Object.keys(doubts).length } : one)) });
}

const desk = labelling({
  state, set, outbox, address, fail, seen,
  acting: () => goOn(),
  saved(/** @type {any} */ found) {
    seen(found);
    outbox.flushed().then(refreshDataset).catch(fail);
  },
  allDone: () => set({ ended: true, document: null, hand: null, said: 'Every document is labelled' }),
});

const { run } = desk;

function view() {
  return html`
    ${state.dataset ? opened() : listed()}
    ${state.removing
      ? html`<div class="toast" role="region" aria-label="Removed">${state.removing.said}
          <button class="low" @click=${takeBack}>Undo <kbd>z</kbd></button>
          <button class="low" @click=${goOn}>Close <kbd>Esc</kbd></button></div>`
      : nothing}
  `;
}

function listed() {
  return datasets({
    ...state, ...acts, datasets: state.datasets.filter(({ id }) => id !== state.hidden), trainings: state.underWay,
  });
}

function opened() {
  const training = state.trainings[0] ?? null;
  return html`
    ${bar({ ...state, ...acts, training, unsaved: outbox.unsaved })}
    ${state.view === 'report' ? reported() : state.view === 'beside' ? compared() : labelled()}
  `;
}

const current = () => state.versions.find((one) => one.current);

function reported() {
  const training = state.trainings.find(({ id }) => id === state.training) ?? state.trainings[0] ?? null;
  return report({ ...state, ...acts, training, current: current(), jobs: Object.fromEntries(state.documents.map(({ id, job_id: job }) => [id, job])) });
}

function compared() {
  const training = state.trainings.find((one) => one.report && one.version !== current()?.version) ?? null;
  return besides({ ...state, ...acts, training, current: current(), model: state.dataset.model_name });
}

function labelled() {
  const { dataset, document: at } = state;
  return html`
    <main class="desk teaching">
      <h1 class="unseen">${dataset.name}${at ? `: ${at.filename}` : ''}</h1>
      ${documentRail({
        documents: state.documents.filter(({ id }) => id !== state.hidden), at: at?.id ?? null, sending: state.sending,
        addressOf: (/** @type {string} */ id) => `/teach?set=${dataset.id}&document=${id}`,
        onOpen: (/** @type {string} */ id) => desk.open(id).catch(fail), onFiles: upload, onRemove: removeDocument,
      })}
      ${!at ? waiting() : at.pages_of.length ? onPaper() : unread(at)}
      ${at
        ? fieldsPanel({
          ...state, rows: rowsOf(dataset.fields, state.values, state.extra), fields: dataset.fields,
          picked: picked(at.words, state.picks).text, undoable: desk.undoable(), suggester: at.suggested_by ?? '', run, onHand: desk.hold,
          set, onAdd: addField, onField: changeField,
        })
        : nothing}
    </main>
  `;
}

function onPaper() {
  const { document: at } = state;
  const pages = at.pages_of;
  const page = each(pages).find((one) => one.number === state.page) ?? pages[0];
  const rows = rowsOf(state.dataset.fields, state.values);
  return paper({
    job: at.job_id, name: at.filename, pages, page, zoom: state.zoom, run, lit: state.lit ?? state.hand,
    above: thumbnails({ job: at.job_id, pages, at: page.number, turn: desk.turn }),
    marked: rows.filter(({ value }) => value?.page === page.number && value?.box).map(({ id, value }) => ({
      id, box: value?.box ?? [], doubtful: value?.status === 'suggestion' || value?.doubt !== '',
    })),
    onChoose: desk.hold,
    over: picker({ ...state, words: desk.here(), onPick: desk.pick, onDraw: desk.draw }),
  });
}

/** @param {any} document whose pages are not known, or never will be */
function unread({ state: how, error }) {
  return html`<section class="paper" aria-label="Page" tabindex="0">
    <p class="empty">${how === 'failed' ? `${error?.detail ?? 'It cannot be read.'} ${error?.advice ?? ''}` : 'This document is being read.'}</p>
  </section>`;
}

/** Where no document is in hand. */
function waiting() {
  const { dataset, documents } = state;
  const read = documents.length - dataset.counts.reading;
  const words = state.ended
    ? [dataset.needed ? 'All of these are labelled' : 'Every document is labelled', `${readiness(dataset)}.`]
    : !documents.length && !state.sending
      ? ['Drop the documents here', 'About thirty of one kind; the more they differ, the better.']
      : ['The documents are being read', `${read} of ${documents.length}. Those that are ready can be opened.`];
  return html`<div class="empty-desk">
    <h2>${words[0]}</h2><p class="soft">${words[1]}</p>
    ${state.ended && dataset.may_train && !dataset.training ? html`<button class="main" @click=${train}>Train</button>` : nothing}
    ${notice(state.problem)}
  </div>`;
}

const go = following(({ href }) => {
  history.pushState(null, '', href);
  show().catch(fail);
});

/** Show what the address says. */
async function show() {
  const asked = new URL(location.href).searchParams;
  const id = asked.get('set');
  set({ problem: null });
  if (state.dataset && state.dataset.id !== id) await settle().catch(fail); // it is of that one
  set({ view: VIEWS.find((one) => one === asked.get('view')) ?? 'label', training: asked.get('training'), ended: false });
  if (!id) {
    const [all, { models }] = await Promise.all([allDatasets(), ask('GET', '/models')]);
    const names = [...new Set(each(models).map((one) => one.name))].sort();
    document.title = 'Teach · fieldwright';
    set({ ...CLEAN, dataset: null, documents: [], trainings: [], datasets: all, models: names });
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
  if (state.view !== 'label') return refreshVersions();
  const wanted = asked.get('document');
  if (wanted && wanted !== state.document?.id) {
    await desk.open(wanted, { field: asked.get('field'), page: Number(asked.get('page')) || undefined });
  } else if (!wanted) {
    await openNext();
  }
}

async function openNext() {
  const instead = state.document;
  const following = await ask('GET', `/datasets/${state.dataset.id}/next`);
  if (following) return desk.open(following.id, { instead });
  const any = state.documents.some((one) => one.state === 'reading');
  set({ ended: state.documents.length > 0 && !any });
}

/** All pages of a list. @param {string} path @param {string} name of what it holds @param {string} by the parameter of the next page */
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

async function refreshDataset() {
  const id = state.dataset?.id;
  if (!id || outbox.unsaved) return; // the answer may be older
  const { sent } = outbox;
  const dataset = await ask('GET', `/datasets/${id}`);
  if (isOpen(id) && sent === outbox.sent && !outbox.unsaved && !state.removing) set({ dataset });
}

async function refreshUnderWay() {
  const ids = state.datasets.map((one) => one.training).filter(Boolean);
  const all = await Promise.all(ids.map((id) => ask('GET', `/trainings/${id}`)));
  set({ underWay: Object.fromEntries(all.map((one) => [one.id, one])) });
}

async function refreshVersions() {
  if (!state.dataset) return;
  const { id, model_name: model } = state.dataset;
  const none = (/** @type {unknown} */ error) => {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  };
  const [versions, shadow] = await Promise.all([
    ask('GET', `/models/${model}/versions`).catch(none), ask('GET', `/models/${model}/shadow`).catch(none),
  ]);
  if (isOpen(id)) set({ versions: versions?.versions ?? [], earlier: versions?.earlier ?? null, shadow });
}

/** What the watch met, until it is over. @type {Problem|null} */
let met = null;
let turn = 0;
/** @param {any} now */
const replaced = (now) => state.trainings.map((one) => (one.id === now.id ? now : one));
const underWay = () => state.trainings.find((one) => standingOf(one).active);

/** Ask for what is under way. */
async function poll() {
  if (!state.session || document.hidden || state.busy) return;
  if (met?.status === 0 && met === state.problem) {
    await ask('GET', '/session');
    set({ problem: null });
  }
  if (!state.dataset) return Object.keys(state.underWay).length ? refreshUnderWay() : undefined;
  const { id } = state.dataset;
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
  const unread = state.documents.some((one) => one.state === 'reading');
  turn = (turn + 1) % 5; // suggestions are less urgent
  const awaited = !turn && state.dataset?.suggests && state.documents.some((one) => one.state === 'new');
  if (state.view === 'beside' && state.shadow?.active) await refreshVersions();
  if (!unread && !awaited) return;
  const documents = await allDocuments(id);
  if (!isOpen(id) || outbox.unsaved) return;
  set({ documents });
  if (unread) await refreshDataset();
  // The document in hand says by itself what it was: the list may be older.
  const before = state.document?.state;
  const after = documents.find((one) => one.id === state.document?.id)?.state;
  const more = (before === 'reading' && after !== 'reading') || (before === 'new' && after === 'suggested');
  if (state.document && more) await desk.open(state.document.id, { instead: state.document });
  if (!state.document && !state.ended && state.view === 'label' && documents.some((one) => !['reading', 'failed'].includes(one.state))) {
    await openNext();
  }
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
  set({ files: [], busy: false });
  await show();
  if (problem) throw problem; // of what is left; what was taken stays
  if (source === 'files' && files.length) await upload(files);
});

/** Send files, a few at a time, each until the service has it. @param {File[]} files */
async function upload(files) {
  if (!state.dataset) return; // left while the browser asked for them
  const { id } = state.dataset;
  const left = [...files];
  const all = (state.sending?.all ?? 0) + files.length;
  set({ sending: { sent: state.sending?.sent ?? 0, all }, problem: null });
  /** @type {any[]} */
  const refused = [];
  const work = async () => {
    for (let file = left.shift(); file; file = left.shift()) {
      const form = new FormData();
      form.append('files', file);
      try {
        const answer = await ask('POST', `/datasets/${id}/documents`, { form });
        refused.push(...answer.refused);
        const known = new Set(state.documents.map((one) => one.id));
        if (isOpen(id)) set({ documents: [...state.documents, ...answer.added.filter((/** @type {any} */ one) => !known.has(one.id))] });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if ([0, 429, 503].includes(error.status)) {
          left.unshift(file); // taken once, however often it is sent
          await new Promise((resolve) => setTimeout(resolve, POLL));
          continue;
        }
        refused.push({ filename: file.name, detail: error.detail, advice: error.advice });
      }
      if (state.sending) set({ sending: { ...state.sending, sent: state.sending.sent + 1 } });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } catch (error) {
    return fail(error);
  }
  const finished = !state.sending || state.sending.sent >= state.sending.all;
  set({ said: `${counted(files.length - refused.length, 'file')} sent`, ...(finished ? { sending: null } : {}) });
  const [first, ...others] = refused;
  if (first) {
    const more = others.length ? ` (and ${others.length} more)` : '';
    set({ problem: refusal(`${first.filename}: ${first.detail}${more}`, first.advice) });
  }
  await refreshDataset();
}

/** Hide what is to go; the next act removes it, unless it is taken back. @param {any} hiding @param {string} said @param {() => Promise<any>} act */
async function remove(hiding, said, act) {
  while (state.removing) await settle(); // another may come while one is done
  set({ removing: { said, act, dataset: state.dataset }, said, ...hiding });
}

/** Do the removal that waits. */
async function settle() {
  const { removing } = state;
  if (!removing) return;
  const acted = removing.act();
  set({ removing: null });
  // What could not be removed is there; what is to go next stays hidden.
  await acted.finally(() => state.removing || set({ hidden: null }));
}

const goOn = () => { settle().catch(fail); };

function takeBack() {
  const { removing } = state;
  if (!removing) return;
  const here = state.dataset?.id === removing.dataset?.id;
  set({ removing: null, hidden: null, said: 'Undone', ...(here ? { dataset: removing.dataset } : {}) });
}

/** @param {any} dataset */
const removeDataset = trying(({ id, name }) => remove({ hidden: id }, `${name} removed`, async () => {
  await ask('DELETE', `/datasets/${id}`);
  set({ datasets: state.datasets.filter((one) => one.id !== id) });
}));

/** @param {string} id */
const removeDocument = trying(async (id) => {
  await remove({ hidden: id }, 'Document removed', async () => {
    await ask('DELETE', `/datasets/${state.dataset.id}/documents/${id}`);
    set({ documents: state.documents.filter((one) => one.id !== id) });
    await refreshDataset();
  });
  if (id !== state.document?.id) return;
  const other = state.documents.find((one) => one.id !== id);
  if (other) await desk.open(other.id);
  else set({ ...CLEAN });
});

/** @param {any} field as the service has it */
const asked = ({ name, kind, guessed, many, group, range_start }) =>
  ({ name, kind: guessed ? null : kind, many, group, range_start });

/** @param {any[]} fields */
async function putFields(fields) {
  const { id, fields: before } = state.dataset;
  const known = (state.removing?.dataset.fields ?? before).map((/** @type {any} */ one) => one.key);
  try {
    const dataset = await outbox.send(`/datasets/${id}/fields`, { fields, known }, 'PUT');
    if (isOpen(id)) set({ dataset, problem: null });
  } catch (error) {
    const dataset = await ask('GET', `/datasets/${id}`).catch(() => null);
    if (dataset && isOpen(id)) set({ dataset }); // as others left it
    throw error;
  }
}

/** What was typed, as the key of a field. @param {string} typed @param {string} [before] its key until now */
function keyTyped(typed, before) {
  const { name, group } = fieldTyped(typed);
  if (!name) {
    throw refusal(`“${typed}” cannot name a field: names are keys of the API, of the letters a to z, digits and _.`,
      'Write it in these letters, with a letter first, such as total.');
  }
  const key = group ? `${group}.${name}` : name;
  if (key !== before && each(state.dataset.fields).some((one) => one.key === key)) {
    throw refusal(`There is a field ${key} already.`, 'Choose another name.');
  }
  return { name, group, key };
}

/** @param {string} typed */
const addField = trying(async (typed) => {
  await settle();
  const { name, group, key } = keyTyped(typed);
  const { id, fields } = state.dataset;
  await putFields([...fields.map(asked), { name, group, kind: null, many: false }]);
  if (!isOpen(id)) return;
  set({ adding: false, said: `Field ${key}: click its words` });
  const now = desk.rows().find(({ field }) => field.key === key);
  if (now) desk.added(now.id);
});

/**
 * Change a field's declaration, or remove it. @param {any} field
 * @param {{kind?: string, many?: boolean, name?: string, group?: string}|null} change
 */
const changeField = trying(async (field, change) => {
  await settle();
  const { id: of } = state.dataset;
  const fields = each(state.dataset.fields);
  const others = fields.filter((one) => one.key !== field.key);
  if (!change) {
    await remove({ dataset: { ...state.dataset, fields: others } }, `Field ${field.key} removed`, () => putFields(others.map(asked)));
    return desk.hold(desk.rows()[0]?.id ?? null);
  }
  const typed = 'name' in change ? keyTyped(change.group ? `${change.group}.${change.name}` : `${change.name}`, field.key) : field;
  const wanted = { ...asked(field), ...change, name: typed.name, group: typed.group };
  if (wanted.name !== field.name || wanted.group !== field.group) Object.assign(wanted, { was: field.key });
  if (wanted.group) wanted.many = false;
  await putFields(fields.map((one) => (one.key === field.key ? wanted : asked(one))));
  const { page } = state;
  const place = state.hand?.split('.')[1] ?? '0';
  const id = wanted.group ? `${wanted.group}.${place}.${wanted.name}` : `${wanted.name}.${place}`;
  await outbox.flushed();
  if (isOpen(of)) await desk.open(state.document.id, { field: id, page });
  set({ said: `${field.key} changed` });
});

const train = trying(async () => {
  if (state.busy) return;
  set({ busy: true });
  const { id } = state.dataset;
  await settle();
  await outbox.flushed();
  const training = await make(`/datasets/${id}/trainings`, {});
  if (isOpen(id)) set({ trainings: [training, ...state.trainings], problem: null, said: 'Training begins' });
  set({ busy: false });
  await refreshDataset();
});

/** @param {'cancel'|'resume'} how */
const steer = trying(async (how) => {
  const which = (how === 'cancel' ? underWay() : state.trainings.find(({ id }) => id === state.training)) ?? state.trainings[0];
  const now = await make(`/trainings/${which.id}/${how}`, {});
  set({ trainings: replaced(now), problem: null, said: `Training: ${how}` });
  await refreshDataset();
});

/** Change what is in service. @param {() => Promise<any>} act @param {string} said */
const versionsAfter = trying(async (act, said) => {
  const { id } = state.dataset;
  if (state.busy) return;
  set({ busy: true, problem: null });
  await act();
  const { trainings } = await ask('GET', `/trainings?dataset=${id}`);
  set({ said, busy: false, ...(isOpen(id) ? { trainings } : {}) });
  await refreshVersions();
});

const model = () => `/models/${state.dataset.model_name}`;

/** What buttons do. */
const acts = {
  set, onGo: go, onSource: choose_source, onBegin: beginDataset, onRemove: removeDataset, onTrain: train,
  onCancel: () => steer('cancel'), onResume: () => steer('resume'),
  onPromote: (/** @type {string} */ version) =>
    versionsAfter(() => ask('POST', `${model()}/promote`, { json: { version } }), `${version} is in service`),
  onRollback: () => versionsAfter(() => ask('POST', `${model()}/rollback`, { json: {} }), 'Rolled back'),
  onShadow: (/** @type {string} */ version) =>
    versionsAfter(() => make(`${model()}/shadow`, { version }), `${version} runs beside the current one`),
  onStop: () => versionsAfter(() => ask('DELETE', `${model()}/shadow`), 'Stopped'),
};

addEventListener('popstate', () => show().catch(fail));
addEventListener('pagehide', () => settle().catch(() => null));
addEventListener('keydown', (event) => {
  if (state.removing && !/** @type {Element} */ (event.target).closest('input, textarea')) {
    if (event.key === 'z' && letters()) return takeBack();
    if (event.key === 'Escape') goOn();
  }
  if (!state.dataset || state.view !== 'label' || !state.document) return;
  const command = commandOf(event, KEYS, { typing: state.text !== null, arrows: state.walking ? 'walk' : '' });
  if (!command) return;
  event.preventDefault();
  if (command.name === 'walk') desk.walk(command.key, command.further);
  else Promise.resolve(run(command.name)).catch(fail);
});
onDrop((files) => {
  if (!files.length || !state.session) return;
  if (state.dataset) upload(files);
  else set({ files: [...state.files, ...files], source: 'files' });
});
const watch = () => poll().catch((error) => {
  const passing = error instanceof Problem && error.status !== 401;
  if (!passing || !state.problem || state.problem === met) fail(met = error);
}).finally(() => setTimeout(watch, POLL));
setTimeout(watch, POLL);

begin(view, async () => {
  entitle(state.session, 'train', 'teaching', '--scope read');
  // What was decided before is shown as decided, where the service takes it soon.
  await Promise.race([outbox.open(state.session.name ?? ''), new Promise((resolve) => setTimeout(resolve, 3000))]);
  await show();
}).then(() => state.document && desk.reveal()); // nothing could have the focus before
