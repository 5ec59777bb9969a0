// A training, and the versions of the model that came of it.

import { ask, make, Problem } from '../common/all.js';
import { standingOf } from './logic.js';
import { isOpen, outbox, refreshDataset, set, settle, state, trying } from './state.js';

export async function refreshVersions() {
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

/** @param {any} now */
export const replaced = (now) => state.trainings.map((one) => (one.id === now.id ? now : one));
export const underWay = () => state.trainings.find((one) => standingOf(one).active);

export const train = trying(async () => {
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
export const steer = trying(async (how) => {
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
  set({ said, busy: false, ...(isOpen(id) && { trainings }) });
  await refreshVersions();
});

const model = () => `/models/${state.dataset.model_name}`;
export const current = () => state.versions.find((one) => one.current);
/** @param {string} version */
export const promote = (version) => versionsAfter(() => ask('POST', `${model()}/promote`, { json: { version } }), `${version} is in service`);
export const rollback = () => versionsAfter(() => ask('POST', `${model()}/rollback`, { json: {} }), 'Rolled back');
/** @param {string} version */
export const runBeside = (version) => versionsAfter(() => make(`${model()}/shadow`, { version }), `${version} runs beside the current one`);
export const stop = () => versionsAfter(() => ask('DELETE', `${model()}/shadow`), 'Stopped');
