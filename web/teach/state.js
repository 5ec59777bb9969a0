// What the page Teach shows, of a dataset and of the document in hand.

import { ask, attempt, following, NOTHING, Outbox, pageOf } from '../common/all.js';

/** What is about the document in hand. */
export const CLEAN = {
  ...NOTHING,
  /** @type {any} as the service has it */ document: null,
  /** @type {import('./logic.js').Values} with what was decided */ values: {},
  /** @type {string|null} the row in hand */ hand: null,
  /** @type {string|null} a row that has no value yet */ extra: null,
  /** @type {string|null} pointed at */ lit: null,
  adding: false,
  page: 1,
};

export const { state, update, set, turn, fail, begin } = pageOf('/teach', {
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
  hindrance: '', // why documents are not read
  ended: false,
  busy: false,
});
export const outbox = new Outbox(update, 'fieldwright-labels');

export const trying = attempt(fail);

/** Follow a link of the page: what its address says is shown. */
export const go = following(({ href }) => {
  history.pushState(null, '', href);
  dispatchEvent(new Event('popstate'));
});

/** @param {string} id of a dataset that may have been left */
export const isOpen = (id) => state.dataset?.id === id;

/** Whether documents are still read. */
export const unread = () => state.documents.some((one) => one.state === 'reading');

/** @param {any} found of a document, for the list */
export function seen(found) {
  const { words, labels, rows, suggestions, suggested_rows, pages_of, doubts, ...told } = found;
  set({ documents: state.documents.map((one) => (one.id === found.id ? { ...one, ...told, doubts: Object.keys(doubts).length } : one)) });
}

/** Leave out a document that is gone. @param {string} id */
export const gone = (id) =>
  set({ documents: state.documents.filter((one) => one.id !== id), ...(id === state.document?.id && CLEAN) });

export async function refreshDataset() {
  const id = state.dataset?.id;
  if (!id || outbox.unsaved) return; // the answer may be older
  const { sent } = outbox;
  const dataset = await ask('GET', `/datasets/${id}`);
  if (isOpen(id) && sent === outbox.sent && !outbox.unsaved && !state.removing) set({ dataset });
}

/** Hide what is to go; the next act removes it, unless it is taken back. @param {any} hiding @param {string} said @param {() => Promise<any>} act */
export async function remove(hiding, said, act) {
  while (state.removing) await settle(); // another may come while one is done
  set({ removing: { said, act, dataset: state.dataset }, said, ...hiding });
}

export async function settle() {
  const { removing } = state;
  if (!removing) return;
  const acted = removing.act();
  set({ removing: null });
  // What could not be removed is there; what is to go next stays hidden.
  await acted.finally(() => state.removing || set({ hidden: null }));
}

export const goOn = () => { settle().catch(fail); };

export function takeBack() {
  const { removing } = state;
  if (!removing) return;
  set({ removing: null, hidden: null, said: 'Undone', ...(isOpen(removing.dataset?.id) && { dataset: removing.dataset }) });
}
