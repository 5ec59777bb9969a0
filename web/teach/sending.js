// Files on their way into a dataset.

import { ask, counted, each, passing, pause, PAUSE, Problem, refusal } from '../common/all.js';
import { fail, isOpen, refreshDataset, set, state } from './state.js';

/** Send files, one after the other, each until the service has it. @param {File[]} files */
export async function upload(files) {
  if (!state.dataset) return; // left while the browser asked for them
  const { id } = state.dataset;
  set({ sending: { sent: state.sending?.sent ?? 0, all: (state.sending?.all ?? 0) + files.length }, problem: null });
  /** @type {any[]} */
  const refused = [];
  for (const left = [...files]; left.length;) {
    const form = new FormData();
    form.append('files', left[0]);
    try {
      const answer = await ask('POST', `/datasets/${id}/documents`, { form });
      refused.push(...answer.refused);
      const added = each(answer.added).filter((one) => state.documents.every((known) => known.id !== one.id));
      if (isOpen(id)) set({ documents: [...state.documents, ...added], ended: state.ended && !added.length });
    } catch (error) {
      if (!(error instanceof Problem) || error.status === 401) return fail(error);
      if (passing(error) && ![500, 507].includes(error.status)) { // that may be of the file, or last
        await pause(PAUSE); // taken once, however often it is sent
        continue;
      }
      refused.push({ filename: left[0].name, detail: error.detail, advice: error.advice });
    }
    left.shift();
    if (state.sending) set({ sending: { ...state.sending, sent: state.sending.sent + 1 } });
  }
  const finished = !state.sending || state.sending.sent >= state.sending.all;
  set({ said: `${counted(files.length - refused.length, 'file')} sent`, ...(finished && { sending: null }) });
  const [first, ...others] = refused;
  if (first) {
    const more = others.length ? ` (and ${others.length} more)` : '';
    set({ problem: refusal(`${first.filename}: ${first.detail}${more}`, first.advice) });
  }
  await refreshDataset();
}
