// What is to be decided, and what a decision looks like before the service has answered. No DOM.

import { counted, doubt, each, nextOf, placesOf, shownValue } from '../common/all.js';

/** @typedef {import('../common/format.js').Row} Row */

const isDoubtful = (/** @type {Row} */ { found }) => found && doubt(found);

/** @param {any} answer @returns {Row[]} */
export const doubtful = (answer) => placesOf(answer).filter(isDoubtful);

/** The row to take in hand next. @param {any} answer @param {string|null} from */
export const next = (answer, from) => nextOf(placesOf(answer), from, isDoubtful);

/** What would settle a doubt; empty where there is none. @param {any} answer @param {Row} row */
export function settles(answer, { field, found }) {
  if (!found || !doubt(found)) return '';
  const { status, alternatives } = found.normalisation;
  if (status === 'ambiguous' && alternatives.length) {
    return 'Look how this document writes others of its kind, and take a reading.';
  }
  if (status === 'failed') return 'Edit the text, or pick the words that are meant.';
  const broken = (answer.checks ?? []).find((/** @type {any} */ check) =>
    !check.ok && check.fields.some((/** @type {string} */ name) => name.replace(/\[\d+\]$/, '') === field));
  if (broken) {
    return `“${broken.name}” fails: ${broken.found} where ${broken.expected} is expected. Correct what is off.`;
  }
  return `Compare with the page: accept it, ${found.candidates.length ? 'or take another place' : 'edit it, or say that it is absent'}.`;
}

/**
 * What a value may be: as it is, its other readings, other values of the document.
 * @param {any} found @returns {{kind: string, number: number, text: string, value: string, page?: number}[]}
 */
export function options(found) {
  if (!found) return [];
  const readings = each(found.normalisation.alternatives).map((value, number) => ({
      kind: 'reading', number, text: found.text, value: shownValue(value),
    }));
  const candidates = each(found.candidates).map((one, number) => ({
    kind: 'candidate', number, text: one.text, value: shownValue(one.value), page: one.page,
  }));
  const own = { kind: 'accept', number: 0, text: found.text, value: shownValue(found.value) };
  return [own, ...readings, ...candidates];
}

/**
 * The answer as it will be once the service has the decision, as far as that can be told.
 * @param {any} answer @param {Row} row
 * @param {{kind: string, number?: number, text?: string, typed?: any, page?: number}} decision `typed` is
 *   what its text becomes, where that is known
 */
export function decided(answer, row, decision) {
  const { found } = row;
  const settled = { needs_review: false, candidates: [], normalisation: { status: 'ok', alternatives: [] } };
  let value = found && { ...found, ...settled };
  const number = decision.number ?? 0;
  if (decision.kind === 'absent') value = null;
  if (decision.text) {
    const { text, typed, page = null } = decision;
    value = { box: [], confidence: 1, ...value, ...settled, page: page ?? found?.page ?? null, text, value: typed?.value ?? null };
    if (typed) value.normalisation = typed.normalisation;
  }
  if (decision.kind === 'reading') value.value = found.normalisation.alternatives[number];
  if (decision.kind === 'candidate') Object.assign(value, found.candidates[number]);
  return placed(answer, row, value);
}

/** The answer with another value in a place. @param {any} answer @param {Row} row @param {any} value */
export function placed(answer, { field, place }, value) {
  const [group, column] = field.split('.');
  if (column) {
    const rows = each(answer.rows[group]).map((one) =>
      (one.row === place ? { ...one, cells: { ...one.cells, [column]: value } } : one));
    return { ...answer, rows: { ...answer.rows, [group]: rows } };
  }
  const given = answer.fields[field];
  const changed = Array.isArray(given) ? Object.assign([...given], { [place]: value }) : value;
  return { ...answer, fields: { ...answer.fields, [field]: changed } };
}

/** @param {number|null} seconds */
export function age(seconds) {
  if (seconds === null) return '';
  if (seconds < 90) return 'oldest: just now';
  const [size, unit] = seconds < 5400 ? [60, 'minute'] : seconds < 129600 ? [3600, 'hour'] : [86400, 'day'];
  return `oldest: ${counted(Math.round(seconds / size), unit)}`;
}
