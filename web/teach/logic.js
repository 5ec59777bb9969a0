// What is labelled, what is left, and how that is said. No DOM, no service.

import { counted, fieldName, nextOf, shownValue, UNCERTAIN } from '../common/all.js';

/**
 * @typedef {{key: string, name: string, kind: string, guessed: boolean, many: boolean,
 *   group: string|null}} Field of a dataset; the key of a column is its group, a point and its name
 * @typedef {{status: 'label'|'absent'|'suggestion', text: string, shown: string, problem: string,
 *   page: number|null, box: number[]|null, words: number[], confidence: number|null,
 *   doubt: string}} Value
 * @typedef {Record<string, Value>} Values by row: `field.place`, or `group.row.column`
 * @typedef {{id: string, field: Field, place: number, value: Value|null}} Row `place` counts
 *   the values of a field, and the rows of a group
 */

/** @type {Value} */
const NONE = {
  status: 'label', text: '', shown: '', problem: '', page: null, box: null, words: [], confidence: null, doubt: '',
};
/** @type {Value} */
const ABSENT = { ...NONE, status: 'absent' };

/** @param {{group: string|null}[]} fields */
export const groupsOf = (fields) => [...new Set(fields.map(({ group }) => group))].filter((group) => group !== null);

/** @param {Field} field @param {number} place */
export const rowId = ({ name, group }, place) => (group ? `${group}.${place}.${name}` : `${name}.${place}`);

/** @param {any} found as the service has it @param {'label'|'suggestion'} status @returns {Value} */
const valueOf = (found, status) => ({
  status,
  text: found.text ?? '',
  shown: shownValue(found.value),
  problem: UNCERTAIN[found.status] ?? '',
  page: found.page ?? null,
  box: found.box?.length ? found.box : null,
  words: found.words ?? [],
  confidence: found.confidence ?? null,
  doubt: '',
});

/**
 * What a document says, by row.
 * @param {Field[]} fields
 * @param {any} found the document as the service has it
 * @param {Set<string>} fresh groups, and keys of other fields, that are still being labelled: what
 *   is suggested beyond their labels stands, and a cell without a label is open
 * @returns {Values}
 */
export function valuesOf(fields, found, fresh) {
  /** @type {Values} */
  const values = {};
  for (const field of fields) {
    const { key, name, group } = field;
    /** @type {any[]|undefined} */
    const labelled = group ? found.rows?.[group] : found.labels?.[key];
    if (group) {
      const proposed = labelled && !fresh.has(group) ? [] : (found.suggested_rows?.[group] ?? []);
      for (let place = 0; place < Math.max(proposed.length, labelled?.length ?? 0); place += 1) {
        const cell = labelled?.[place]?.[name];
        const id = rowId(field, place);
        if (cell) values[id] = valueOf(cell, 'label');
        else if (proposed[place]?.[name]) values[id] = valueOf(proposed[place][name], 'suggestion');
        else if (labelled && !fresh.has(group)) values[id] = { ...ABSENT };
      }
    } else {
      /** @type {any[]} */
      const proposed = labelled && !(field.many && fresh.has(key) && labelled.length) ? [] : (found.suggestions?.[key] ?? []);
      const other = proposed.filter((one) => !labelled?.some(({ text }) => text === one.text));
      const all = [...(labelled ?? []), ...(field.many ? other : other.slice(0, 1))];
      all.forEach((one, place) => {
        values[rowId(field, place)] = valueOf(one, place < (labelled?.length ?? 0) ? 'label' : 'suggestion');
      });
    }
    if (labelled && !labelled.length) values[rowId(field, 0)] = { ...ABSENT };
    const first = values[rowId(field, 0)];
    if (first && first.status !== 'suggestion') first.doubt = found.doubts?.[key] ?? '';
  }
  return values;
}

/** @param {Value} value as the service takes a label */
function labelOf({ text, page, box, words }) {
  if (words.length) return { words };
  return page && box ? { text, page, box } : { text };
}

/**
 * What the service is told of a field, or of its whole group.
 * @param {Field[]} fields @param {Values} values @param {Field} field
 * @returns {{fields?: Record<string, any>, groups?: Record<string, any>}}
 */
export function labelsOf(fields, values, field) {
  if (field.group) {
    const { group } = field;
    const rows = rowsOf(fields.filter((one) => one.group === group), values);
    const said = rows.filter(({ value }) => value && value.status !== 'suggestion');
    if (!said.length) return { groups: { [group]: null } };
    /** @type {Record<string, any>[]} */
    const cells = [];
    for (const { place, field: { name }, value } of said) {
      if (value?.status === 'label') (cells[place] ??= {})[name] = labelOf(value);
    }
    return { groups: { [group]: cells.filter(Boolean) } };
  }
  const said = rowsOf([field], values).flatMap(({ value }) => (value && value.status !== 'suggestion' ? [value] : []));
  const labels = said.filter(({ status }) => status === 'label').map(labelOf);
  const one = said.length && !labels.length ? { absent: true } : (labels[0] ?? null);
  return { fields: { [field.key]: field.many && labels.length ? labels : one } };
}

/**
 * One row for each value and for each field without one, groups row by row behind the rest.
 * @param {Field[]} fields @param {Values} values @param {string|null} [extra] a row without a value
 * @returns {Row[]}
 */
export function rowsOf(fields, values, extra = null) {
  const taken = [...Object.keys(values), ...(extra ? [extra] : [])].map((id) => id.split('.'));
  /** @param {Field} field @param {number} place @returns {Row} */
  const row = (field, place) => {
    const id = rowId(field, place);
    return { id, field, place, value: values[id] ?? null };
  };
  const places = (/** @type {string} */ name, /** @type {number} */ parts) => {
    const found = taken.filter((id) => id[0] === name && id.length === parts).map((id) => Number(id[1]));
    return [...Array(Math.max(0, ...found) + 1).keys()];
  };
  return [
    ...fields.filter(({ group }) => !group)
      .flatMap((field) => places(field.name, 2).map((place) => row(field, place))),
    ...groupsOf(fields).flatMap((group) =>
      places(group, 3).flatMap((place) => fields.filter((field) => field.group === group).map((field) => row(field, place)))),
  ];
}

/** Whether a person has still to say something about a row. @param {Row} row */
export const open = ({ value }) => !value || value.status === 'suggestion' || value.doubt !== '';

/** The row to take in hand next. @param {Row[]} rows @param {string|null} from */
export const next = (rows, from) => nextOf(rows, from, open);

/**
 * Values as they will be once the service has the decision, as far as that can be told.
 * @param {Values} values @param {string} id of the row
 * @param {{kind: string, text?: string, words?: number[], page?: number, box?: number[]|null}} decision
 * @returns {Values}
 */
export function decided(values, id, { kind, text = '', words = [], page, box = null }) {
  const { [id]: before, ...rest } = values;
  if (kind === 'remove') return rest;
  if (kind === 'absent') return { ...rest, [id]: ABSENT };
  if (kind === 'accept') return { ...rest, [id]: { ...(before ?? NONE), status: 'label', doubt: '' } };
  return { ...rest, [id]: { ...NONE, text, words, page: page ?? null, box } };
}

// What is said.

const STATES = /** @type {const} */ ({
  reading: ['…', 'being read'],
  failed: ['✗', 'cannot be read'],
  new: ['○', 'new'],
  suggested: ['◐', 'suggested'],
  labelled: ['✓', 'labelled'],
  doubtful: ['?', 'doubtful'],
});

/** @param {string} state @returns {readonly [string, string]} symbol and words */
export const told = (state) => STATES[/** @type {keyof typeof STATES} */ (state)] ?? ['', state];

/** @param {number} score from 0 to 1 */
export const score = (score) => (score >= 0.995 ? '1.00' : score.toFixed(2).replace(/^0/, ''));

/** @param {number} gain */
export const signed = (gain) => `${gain < -0.005 ? '−' : '+'}${score(Math.abs(gain))}`;

/** @param {number} seconds */
function timeLeft(seconds) {
  if (seconds < 50) return 'less than a minute left';
  if (seconds < 5400) return `${counted(Math.max(1, Math.round(seconds / 60)), 'minute')} left`;
  return `${counted(Math.round(seconds / 3600), 'hour')} left`;
}

/** How far a dataset is from a model. @param {any} dataset */
export function readiness({ counts, needed }) {
  const have = `${counts.labelled + counts.doubtful} labelled`;
  return needed ? `${have}; ${needed} more until a first model is worth training` : `${have}; enough for a model`;
}

const STAGES = /** @type {Record<string, string>} */ ({
  reading: 'Reading the documents', final: 'Learning from all documents',
  curve: 'Learning from fewer, for the curve',
  judging: 'Measuring it on documents it has not seen', packing: 'Packing the model',
});

/** Whether a training goes on, or was stopped; its part done if known. @param {any} training */
export const standingOf = (training) => ({
  active: ['queued', 'running'].includes(training?.state),
  stopped: ['cancelled', 'failed'].includes(training?.state),
  part: training?.steps ? training.step / training.steps : null,
});

/** How far a training is, in words. @param {any} training */
export function trainingTold({ state, stage, epoch, epochs, best, seconds_left: seconds, cancelling }) {
  if (cancelling && state === 'running') return 'Ends at the next step';
  if (state === 'queued') return 'Training waits for its turn';
  if (state !== 'running') return `Training ${state}`;
  const left = Number.isFinite(seconds) ? [timeLeft(seconds)] : [];
  if (STAGES[stage]) return [STAGES[stage], ...left].join(', ');
  if (!epoch) return ['Training begins', ...left].join(', ');
  return [`epoch ${epoch} of ${epochs}`, ...(Number.isFinite(best) ? [score(best)] : []), ...left].join(', ');
}

/** Letters that are no base and accent. @type {Record<string, string>} */
const PLAIN = { ß: 'ss', æ: 'ae', œ: 'oe', ł: 'l', ø: 'o', đ: 'd', ı: 'i' };

/** Names are keys of the API: lower-case letters, digits and `_`. @param {string} typed */
function asName(typed) {
  const plain = typed.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[ßæœłøđı]/g, (one) => PLAIN[one]);
  if (/[^\P{L}a-z]/u.test(plain)) return ''; // a letter of another script: without it, the name would be another one
  return plain.replace(/[^a-z0-9]+/g, '_').replace(/^[_0-9]+|_+$/g, '').slice(0, 64);
}

/**
 * @param {string} typed such as `Total` or `items.amount`
 * @returns {{name: string, group: string|null}} an empty name where it can be none
 */
export function fieldTyped(typed) {
  const [first, ...rest] = typed.split('.');
  const parts = [first, rest.join('_')].filter((part) => part.trim()).map(asName);
  const [name = '', group = null] = parts.includes('') ? [] : parts.reverse();
  return { name, group };
}

/** @param {Row} row */
export function rowName({ field: { name, group, many }, place }) {
  if (group) return `${fieldName(group)} ${place + 1}, ${name.replaceAll('_', ' ')}`;
  return many && place ? `${fieldName(name)} ${place + 1}` : fieldName(name);
}
