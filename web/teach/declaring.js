// The fields of a dataset: added, changed, removed.

import { ask, each, refusal } from '../common/all.js';
import * as desk from './labelling.js';
import { fieldTyped } from './logic.js';
import { isOpen, outbox, remove, set, settle, state, trying } from './state.js';

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
export const addField = trying(async (typed) => {
  await settle();
  const { name, group, key } = keyTyped(typed);
  const { id, fields } = state.dataset;
  await putFields([...fields.map(asked), { name, group, kind: null, many: false }]);
  if (!isOpen(id)) return;
  set({ adding: false, said: `Field ${key}: click its words` });
  const now = desk.rows().find(({ field }) => field.key === key);
  if (now) desk.added(now.id);
});

/** @param {any} field @param {{kind?: string, many?: boolean, name?: string, group?: string}|null} change null removes it */
export const changeField = trying(async (field, change) => {
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
