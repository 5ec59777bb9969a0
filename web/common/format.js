// Values, confidences and names as people read them. No document, no DOM.

/** A list of what the service says. @type {(all: any) => any[]} */
export const each = (all) => all;

/** @param {string} name such as `invoice_date` */
export const fieldName = (name) => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** @param {string} key of a field, or of a column: its group, a point and its name */
export const keyName = (key) => fieldName(key.replace('.', ', '));

/** @param {number} count @param {string} one */
export const counted = (count, one) => `${count} ${one}${count === 1 ? '' : 's'}`;

/** @param {any} value as the API has it @returns {string} */
export function shownValue(value) {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  if ('amount' in value) return [value.amount, value.currency].filter(Boolean).join(' ');
  if ('formatted' in value) return value.formatted;
  return Object.values(value).filter((part) => typeof part === 'string').join(' ');
}

/** @param {number} confidence */
export const percent = (confidence) =>
  `${confidence >= 0.995 && confidence < 1 ? '>\u00a099' : Math.round(confidence * 100)}\u00a0%`;

/** Why a text has no certain value, by its status. @type {Record<string, string>} */
export const UNCERTAIN = {
  ambiguous: 'It can be read in more than one way.', failed: 'The text is no value of this kind.',
};

/** Why a person should look at a value; empty where nobody needs to. @param {any} found */
export function doubt(found) {
  const { status, reason } = found.normalisation;
  if (status in UNCERTAIN) return reason ?? UNCERTAIN[status];
  return found.needs_review ? 'Not sure enough to be taken unseen.' : '';
}

/** One row for each value, and for each field without any. @param {any} answer @returns {Row[]} */
export function rowsOf(answer) {
  return Object.entries(answer.fields).flatMap(([field, value]) => {
    const values = Array.isArray(value) ? value : [value];
    if (!values.length) return [{ id: `${field}.0`, field, place: 0, found: null }];
    return values.map((found, place) => ({ id: `${field}.${place}`, field, place, found }));
  });
}

/**
 * The rows of all groups with their numbers: as they were decided on, or as they were read.
 * @param {any} answer @returns {[string, {row: number, cells: Record<string, any>}[]][]}
 */
export const groupsOf = ({ rows, groups = {} }) => Object.entries(rows ?? groups).map(([group, all]) =>
  [group, rows ? all : each(all).map((cells, row) => ({ row, cells }))]);

/** @param {string} group @param {number} row @param {string} column */
export const idOfCell = (group, row, column) => `${group}.${row}.${column}`;

/**
 * A value or cell that can be decided on; `field` and `place` are as the API has them.
 * @typedef {{id: string, field: string, place: number, found: any}} Row
 */

/** All cells of all rows, empty ones too. @param {any} answer @returns {Row[]} */
export const cellsOf = (answer) => groupsOf(answer).flatMap(([group, rows]) => rows.flatMap(({ row, cells }) =>
  Object.entries(cells).map(([column, found]) => ({ id: idOfCell(group, row, column), field: `${group}.${column}`, place: row, found }))));

/** All values and cells. @param {any} answer @returns {Row[]} */
export const placesOf = (answer) => [...rowsOf(answer), ...cellsOf(answer)];

/**
 * The first open row behind this one, else the first of all.
 * @template {{id: string}} Row
 * @param {Row[]} rows @param {string|null} from @param {(row: Row) => unknown} open
 * @returns {string|null} null where none is open
 */
export function nextOf(rows, from, open) {
  const at = rows.findIndex(({ id }) => id === from);
  return [...rows.slice(at + 1), ...rows.slice(0, at + 1)].find(open)?.id ?? null;
}
