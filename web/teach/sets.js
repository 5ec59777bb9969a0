// The datasets there are, and a new one.

import { counted, each, fileButton, html, nothing, notice, optionsOf, submitted } from '../common/all.js';
import { readiness, trainingTold } from './logic.js';
import { go, set, state } from './state.js';

/** @param {any} acts what can be done */
export function datasets(acts) {
  const all = state.datasets.filter(({ id }) => id !== state.hidden);
  return html`<main class="narrow wide">
    <h1>Teach it a new kind of document</h1>
    <p class="lead">Thirty documents, a few fields, a click for each value: then it reads the others by
      itself. Nothing leaves this service.</p>
    ${beginning(acts)}
    ${all.length
      ? html`<h2 class="above">Datasets</h2>
        <ul class="cards sets">${all.map((one) => html`<li class="card">
          <a class="set" href=${`/teach?set=${one.id}`} @click=${go}><strong>${one.name}</strong>
            <span class="soft">${counted(one.documents, 'document')}, ${counted(one.fields.length, 'field')}; model ${one.model_name}</span></a>
          <p class="soft">${one.training && state.underWay[one.training] ? trainingTold(state.underWay[one.training]) : standing(one)}</p>
          <div class="row"><button class="low" @click=${() => acts.onRemove(one)}
            aria-label=${`Remove ${one.name}`}>Remove</button></div>
        </li>`)}
        </ul>`
      : nothing}
  </main>`;
}

/** What a dataset is good for by now. @param {any} dataset */
function standing(dataset) {
  const { counts, trainings, model_name: model } = dataset;
  if (!trainings.length) return readiness(dataset);
  return `${counts.labelled + counts.doubtful} labelled; ${counted(trainings.length, 'training')} of ${model}`;
}

/** @param {any} acts */
function beginning({ onSource, onBegin }) {
  const { files, source, models, batches, busy, problem } = state;
  const SOURCES = [['files', 'Files'], ['batch', 'A batch'], ['reviewed', 'Reviewed answers']];
  return html`<form class="card form" @submit=${submitted(onBegin)} aria-label="A new dataset">
    <label for="name">What are they called?</label>
    <input id="name" name="name" required maxlength="120" autocomplete="off" placeholder="Delivery notes">
    <label for="called">Name of the model, for the API</label>
    <input id="called" name="called" maxlength="64" pattern="[a-z][a-z0-9_\\-]*" title="a letter, then a to z, digits, - and _" autocomplete="off" placeholder="as they are called: delivery-notes">
    <fieldset class="row">
      <legend>Made from</legend>
      ${SOURCES.map(([value, text]) => html`<label class="check"><input type="radio" name="source" value=${value}
          .checked=${value === source} @change=${() => onSource(value)}> ${text}</label>`)}
    </fieldset>
    ${source === 'files'
      ? html`<div class="drop inner">
          <p><strong>${files.length ? `${counted(files.length, 'file')} ready` : 'Drop thirty files anywhere on this page'}</strong><br>
            <span class="soft">${files.length ? names(files) : 'PDFs, pictures, or a ZIP of them; more can follow'}</span></p>
          ${fileButton(files.length ? 'Others' : 'Choose files', (chosen) => set({ files: chosen }), { multiple: true, more: ',.zip' })}
        </div>`
      : nothing}
    ${source === 'batch'
      ? batches?.length ? html`<label for="batch">Documents of the batch</label>
        <select id="batch" name="batch">${optionsOf(each(batches).map((one) => [one.id,
          `${one.name || 'unnamed'}, ${counted(one.total, 'document')}, ${new Date(one.created_at).toLocaleString()}`]))}</select>`
      : html`<label for="batch">Id of the batch</label>
        <input id="batch" name="batch" required pattern="[0-9a-fA-F\\-]{36}" autocomplete="off" aria-describedby="batch-help">
        <p id="batch-help" class="soft">As <code>POST /batches</code> answered it.</p>`
      : nothing}
    ${source === 'reviewed'
      ? html`<label for="reviewed">Answers of the model</label>
        <select id="reviewed" name="model">${optionsOf([['', 'all models'], ...models.map((name) => [name])])}</select>
        <p class="soft">What people accepted and corrected in <a href="/review">Review</a> counts as a label.</p>`
      : nothing}
    <div class="row"><button class="main" ?disabled=${busy}>Begin</button></div>
    ${notice(problem)}
  </form>`;
}

/** @param {File[]} files */
function names(files) {
  const all = files.map(({ name }) => name);
  return all[2] ? `${all[0]}, ${all[1]}, ${all.length - 2} more` : all.join(', ');
}
