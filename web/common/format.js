// Values, confidences and names as people read them. No document, no DOM.

/** @param {string} name such as `invoice_date` */
export const fieldName = (name) => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

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
  `${confidence >= 0.995 && confidence < 1 ? '> 99' : Math.round(confidence * 100)} %`;

/** Why a text has no certain value, by its status. @type {Record<string, string>} */
export const UNCERTAIN = {
  ambiguous: 'It can be read in more than one way.', failed: 'The text is no value of this kind.',
};

/**
 * Why a person should look at a value, in a sentence; empty where nobody needs to.
 * @param {any} found a value of the answer
 */
export function doubt(found) {
  const { status, reason } = found.normalisation;
  if (status in UNCERTAIN) return reason ?? UNCERTAIN[status];
  if (found.needs_review) return 'Less sure than this model usually is of the field.';
  return '';
}

/**
 * One row for each value of an answer, and one for each field without any.
 * @param {any} answer
 * @returns {{id: string, field: string, place: number, found: any}[]}
 */
export function rowsOf(answer) {
  return Object.entries(answer.fields).flatMap(([field, value]) => {
    const values = Array.isArray(value) ? value : [value];
    if (!values.length) return [{ id: `${field}.0`, field, place: 0, found: null }];
    return values.map((found, place) => ({ id: `${field}.${place}`, field, place, found }));
  });
}

/**
 * The cells of all groups' rows that say something; ids do not occur among those of `rowsOf`.
 * @param {any} answer
 * @returns {{id: string, group: string, row: number, column: string, found: any}[]}
 */
export function cellsOf(answer) {
  return Object.entries(answer.groups ?? {}).flatMap(([group, rows]) =>
    rows.flatMap((/** @type {any} */ cells, /** @type {number} */ row) =>
      Object.entries(cells)
        .filter(([, found]) => found)
        .map(([column, found]) => ({ id: `${group}.${row}.${column}`, group, row, column, found })),
    ),
  );
}
