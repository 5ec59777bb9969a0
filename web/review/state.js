// What the page Review shows, what of it is in hand, and what can be undone.

import { attempt, NOTHING, Outbox, pageOf, placesOf, uuid } from '../common/all.js';

export const { state, update, set, turn, fail: told, begin } = pageOf('/review', {
  ...NOTHING,
  /** @type {any} */ queue: null,
  /** @type {any} the review in hand */ review: null,
  /** @type {any} with what was decided */ answer: null,
  /** @type {import('../common/picker.js').Word[]} of the document */ words: [],
  /** @type {string|null} the row in hand */ hand: null,
  /** @type {string|null} why a document is put back, being typed */ note: null,
  /** @type {{models: any[], model: string, job: any, problem?: any, asked?: boolean}|null} another model is being chosen, `asked` by the page, or reads, or wants a password */ again: null,
  /** @type {any[]|null} how often people agreed, where that is shown */ agreement: null,
  failures: 0, // documents of the batch that could not be read
  /** @type {any[]|null} those, where they are shown */ unread: null,
  frozen: false,
  unseen: false, // drawn a moment ago
  mayDecide: true,
  /** @type {boolean|Promise<void>} the last decision, until it is saved */ busy: false,
});
export const outbox = new Outbox(update);

/**
 * @typedef {{job: string, id: string, field: string, place: number, hand: string, redo: any, likewise?: any[], was?: import('./logic.js').Row[], joined?: boolean, made?: number}} Step
 *   what was decided `likewise`; what it `was`, until a reload; `joined` to the step before; the row that it `made`
 */
/** @type {Step[]} */
export const done = [];
/** @type {Step[]} */
export const undone = [];

/** @param {Step} step that can be undone */
export function did(step) {
  done.push(step);
  undone.length = 0;
}

export const NAME = 'fieldwright-reviewer';
/** Of who is not signed in. */
export const named = () => localStorage.getItem(NAME) ?? '';
const claimant = (sessionStorage.claimant ??= uuid());
export const me = () => ({ claimant, reviewer: state.session?.name ? '' : named() });

export const row = () => placesOf(state.answer).find(({ id }) => id === state.hand) ?? extra();

/** One more value of a field, that has no row yet. */
function extra() {
  const [field, place] = (state.hand ?? '.0').split('.');
  return { id: state.hand ?? '', field, place: Number(place), found: null };
}

/** The group and number of the row in hand; null where no cell is. */
export function rowInHand() {
  const [group, number, column] = (state.hand ?? '').split('.');
  return column ? { group, number: Number(number), column } : null;
}

/** The document has no answer any more, or is in another's hands. */
const GONE = ['job_unknown', 'job_expired', 'job_not_finished', 'review_claimed'];

/** @param {any} problem */
export function refused(problem) {
  if (problem.status === 401) return fail(problem);
  set({ problem, busy: false, mayDecide: state.mayDecide && !GONE.includes(problem.code) });
}

/** @param {unknown} error */
export function fail(error) {
  state.answer = null;
  told(error);
}

export const trying = attempt(refused);
