// A new version that answers beside the one in service: where the two differ.

import { counted, each, figures, html, keyName, nothing, notice, percent } from '../common/all.js';

/** @param {any} shown */
export function besides({ shadow, training, model, current, versions, problem, onStop, onShadow, onPromote }) {
  const other = each(versions).find((one) => !one.current && one.version === training?.version);
  if (!shadow) {
    return html`<main class="narrow">
      <h1>Side by side</h1>
      <p class="lead">A new version answers beside the one in service on live documents. Nobody is given its
        answers; what it would have said otherwise is listed here.</p>
      ${current && other
        ? html`<button class="main" @click=${() => onShadow(other.version)}>Run ${model} ${other.version} beside ${current.version}</button>`
        : html`<p>${current ? 'Train another version first.' : `Put a version of ${model} in service first.`}</p>`}
      ${notice(problem)}
    </main>`;
  }
  return html`<main class="report">
    <div class="verdict">
      <div><h1>${shadow.model} ${shadow.version} beside ${shadow.against.replace(/^.*@/, '')}</h1>
        <p class="lead">${shadow.active ? `Runs on ${percent(shadow.share)} of the documents that come` : 'Ended'};
          ${counted(shadow.documents, 'document')} so far</p></div>
      <p class="grade"><strong>${shadow.documents ? percent(shadow.same / shadow.documents) : '–'}</strong>
        <span class="soft">the same</span></p>
    </div>
    <div class="row service">
      ${shadow.active ? html`<button @click=${onStop}>Stop</button>` : nothing}
      ${current?.version === shadow.version
        ? html`<span class="pill">✓ ${shadow.version} in service</span>`
        : html`<button class="main" @click=${() => onPromote(shadow.version)}>Put ${shadow.version} in service</button>`}
      ${shadow.failed ? html`<span class="why">${counted(shadow.failed, 'document')} could not be read by it</span>` : nothing}
      ${shadow.skipped ? html`<span class="soft">${counted(shadow.skipped, 'document')} left out, for too many waited</span>` : nothing}
    </div>
    ${notice(problem)}
    ${shadow.fields.length
      ? html`<section class="card"><h2>By field</h2>
          ${figures(['Field', 'Compared', 'Different'], each(shadow.fields).map((one) =>
            [keyName(one.key), one.compared, one.different]))}</section>`
      : nothing}
    <section aria-labelledby="differences">
      <h2 id="differences" class="above">Differences</h2>
      ${shadow.differences.length
        ? html`<ul class="cards differences">${each(shadow.differences).map((one) => html`<li class="card">
            <a href=${`/?job=${one.job_id}`}>${one.document || one.job_id}</a>
            ${figures(['Field', 'In service', shadow.version], each(one.fields).map((field) =>
              [keyName(field.key), field.current ?? '–', field.shadow ?? '–']))}
          </li>`)}</ul>`
        : html`<p class="soft">${shadow.documents ? 'None: they say the same of every document.' : 'No document has come yet.'}</p>`}
    </section>
  </main>`;
}
