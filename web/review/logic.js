// What is to be decided, and what a decision looks like before the service has answered. No DOM.

import { doubt, rowsOf, shownValue } from '../common/format.js';

/** @typedef {{id: string, field: string, place: number, found: any}} Row */

/** @param {any} answer @returns {Row[]} */
export const doubtful = (answer) => rowsOf(answer).filter(({ found }) => found && doubt(found));

/**
 * The row to take in hand next: the first doubtful one behind this one, else the first of all.
 * @param {any} answer @param {string|null} from @returns {string|null} null where nothing is left
 */
export function next(answer, from) {
  const rows = rowsOf(answer);
  const left = new Set(doubtful(answer).map(({ id }) => id));
  const at = rows.findIndex(({ id }) => id === from);
  const row = [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(({ id }) => left.has(id));
  return row?.id ?? null;
}

/**
 * What a value may be: as it is, its other readings, other values of the document.
 * @param {any} found
 * @returns {{kind: string, number: number, text: string, value: string, page?: number}[]}
 */
export function options(found) {
  if (!found) return [];
  const readings = found.normalisation.alternatives.map(
    (/** @type {any} */ value, /** @type {number} */ number) => ({
      kind: 'reading', number, text: found.text, value: shownValue(value),
    }));
  const candidates = found.candidates.map((/** @type {any} */ one, /** @type {number} */ number) => ({
    kind: 'candidate', number, text: one.text, value: shownValue(one.value), page: one.page,
  }));
  const own = { kind: 'accept', number: 0, text: found.text, value: shownValue(found.value) };
  return [own, ...readings, ...candidates];
}

/**
 * The answer as it will be once the service has the decision, as far as that can be told.
 * @param {any} answer @param {Row} row @param {{kind: string, number?: number}} decision
 */
export function decided(answer, row, decision) {
  const { found } = row;
  let value = found && {
    ...found,
    needs_review: false,
    candidates: [],
    normalisation: { ...found.normalisation, status: 'ok', alternatives: [] },
  };
  const number = decision.number ?? 0;
  if (decision.kind === 'absent') value = null;
  if (decision.kind === 'reading') value.value = found.normalisation.alternatives[number];
  if (decision.kind === 'candidate') Object.assign(value, found.candidates[number]);
  const given = answer.fields[row.field];
  const changed = Array.isArray(given) ? given.with(row.place, value) : value;
  return { ...answer, fields: { ...answer.fields, [row.field]: changed } };
}

/** @param {number|null} seconds */
export function age(seconds) {
  if (seconds === null) return '';
  if (seconds < 90) return 'oldest: just now';
  const [amount, unit] =
    seconds < 5400 ? [seconds / 60, 'minute'] : seconds < 129600 ? [seconds / 3600, 'hour'] : [seconds / 86400, 'day'];
  const rounded = Math.round(amount);
  return `oldest: ${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}
