// What a training came to: scores by field, curve, worst documents, new against current; and a new
// version that answers beside the one in service: where the two differ.

import { counted, each, figures, html, keyName, nothing, notice, percent, pictureOf, svg } from '../common/all.js';
import { score, signed, standingOf, trainingTold } from './logic.js';
import { go, state } from './state.js';
import { current, promote, rollback, runBeside, steer, stop } from './training.js';

const [WIDTH, HEIGHT] = [460, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 14, 12, 38];

export function report() {
  const { trainings } = state;
  const training = trainings.find(({ id }) => id === state.training) ?? trainings[0];
  if (!training) {
    return html`<main class="narrow"><h1>No training yet</h1>
      <p class="lead">Label some documents, then press Train.</p></main>`;
  }
  return html`<main class="report">
    ${trainings.length < 2 ? nothing : history(training)}
    ${notice(state.problem)}
    ${training.report ? finished(training) : unfinished(training)}
  </main>`;
}

/** All trainings. @param {any} training that is shown */
const history = (training) => html`<nav class="row versions" aria-label="Trainings">
  ${state.trainings.map((one) => html`<a href=${`/teach?set=${one.dataset_id}&view=report&training=${one.id}`} @click=${go}
    aria-current=${one.id === training.id ? 'page' : nothing}>${one.version}
    <span class="soft">${one.promoted ? 'in service' : one.report ? score(one.report.all.f1) : one.state}</span></a>`)}
</nav>`;

/** @param {any} training */
function unfinished(training) {
  const { active, stopped } = standingOf(training);
  return html`<h1>${training.name} ${training.version}</h1>
  <section class="card">
    <p class="big">${trainingTold(training)}</p>
    ${active ? html`<p class="soft">You may go on labelling, or close this page.</p>` : nothing}
    ${training.error ? html`<p class="why"><strong>${training.error.detail}</strong> ${training.error.advice}</p>` : nothing}
    ${stopped
      ? html`<p class="soft">It goes on from where it was.</p><button class="main" @click=${() => steer('resume')}>Resume</button>`
      : nothing}
    ${training.scores?.length
      ? html`<h2 class="above">After each epoch</h2>${curve(
          training.scores.map((/** @type {number} */ f1, /** @type {number} */ at) => ({ documents: at + 1, f1 })), null, 'epoch')}`
      : nothing}
  </section>`;
}

/** @param {any} training */
function finished(training) {
  const { earlier, shadow } = state;
  const now = current();
  const { report: found } = training;
  const running = shadow?.active && shadow.version === training.version;
  return html`<div class="verdict">
    <div>
      <h1>${training.name} ${training.version}</h1>
      <p class="lead">${found.metric} on ${counted(found.held_out, 'document')} that it had not seen, after learning from
        ${found.trained_on}</p>
    </div>
    <p class="grade"><strong>${score(found.all.f1)}</strong>
      <span class="soft">${score(found.all.low)} to ${score(found.all.high)}</span></p>
  </div>
  <div class="row">
    ${training.promoted
      ? html`<span class="pill">✓ in service</span>
          ${earlier ? html`<button @click=${rollback}>Roll back to ${earlier}</button>` : nothing}`
      : html`<button class="main" @click=${() => promote(training.version)}>Put in service</button>
          ${now
            ? html`<button ?disabled=${running} @click=${() => runBeside(training.version)}>${running ? 'Runs beside the current one' : 'Run beside the current one'}</button>`
            : nothing}`}
    <span class="soft">${serviceTold(training, now)}</span>
  </div>
  ${found.notes.map((/** @type {string} */ note) => html`<p class="soft">${note}</p>`)}
  <div class="cards">
    ${byField(found)}
    ${found.curve.length
      ? html`<section class="card" aria-labelledby="curve-title">
          <h2 id="curve-title">Would more documents help?</h2>
          <p>${found.sentence}</p>
          ${found.curve.length > 1 ? curve(found.curve, found.gain) : nothing}
        </section>`
      : nothing}
  </div>
  ${against(found)}
  ${worst(training)}`;
}

/** @param {any} training @param {any} now the version in service */
function serviceTold(training, now) {
  if (training.promoted) return `curl and Try read with it as ${training.name}.`;
  return now ? `${training.name} ${now.version} is in service.` : 'No version is in service yet.';
}

/** @param {any} found */
function byField({ fields, against: other }) {
  const current = new Map((other?.fields ?? []).map((/** @type {any} */ one) => [one.key, one.f1]));
  return html`<section class="card" aria-labelledby="fields-title">
    <h2 id="fields-title">By field</h2>
    <div class="scrolled" tabindex="0" role="group" aria-label="Scores by field">${figures(
      ['Field', 'F1', '95 %', 'Values', ...(current.size ? ['Current'] : [])],
      each(fields).map((one) => [
        keyName(one.key), score(one.f1),
        one.support < 5 ? 'too few values' : `${score(one.low)}–${score(one.high)}`, one.support,
        ...(current.size ? [current.has(one.key) ? score(current.get(one.key)) : '–'] : []),
      ]))}</div>
  </section>`;
}

/** @param {any} found */
function against({ against: other }) {
  if (!other) return nothing;
  const [low, high] = other.interval ?? [-1, 1];
  return html`<section class="card" aria-labelledby="against-title">
    <h2 id="against-title">New against current</h2>
    <p>On the same ${counted(other.documents, 'document')}: <strong>${score(other.f1 + other.difference)}</strong> against
      <strong>${score(other.f1)}</strong> (${score(other.low)} to ${score(other.high)}) of ${other.model}:
      ${low > 0 ? 'better than it' : high < 0 ? 'worse than it' : 'no clear difference'}, <strong>${signed(other.difference)}</strong>
      (${signed(low)} to ${signed(high)}).
      ${other.seen ? `${other.model} has learnt from ${other.seen} of those held out.` : ''}</p>
  </section>`;
}

/** @param {any} training */
function worst(training) {
  const faulty = each(training.report.worst).filter((one) => one.faults);
  if (!faulty.length) return html`<section class="card"><h2>Worst documents</h2><p>None of those it had not seen has a fault.</p></section>`;
  return html`<section aria-labelledby="worst-title">
    <h2 id="worst-title" class="above">Worst documents</h2>
    <ul class="cards worst">${faulty.map(({ document: id, filename, fields }) => {
      const known = state.documents.find((one) => one.id === id);
      return html`<li class="card">
        <a href=${`/teach?set=${training.dataset_id}&document=${id}`} @click=${go}>
          ${known ? html`<img loading="lazy" alt="" src=${pictureOf(known.job_id, 1, 400)} width="150" height="200">` : nothing}
          <strong>${filename}</strong></a>
        <div>${each(fields).map(({ key, expected, found }) => html`<p><span class="name">${keyName(key)}</span><br>
          <span class="expected">${expected.join(' · ') || 'absent'}</span>
          <span class="found">✗ ${found.join(' · ') || 'nothing found'}</span></p>`)}</div>
      </li>`;
    })}</ul>
  </section>`;
}

/**
 * @param {{documents: number, f1: number}[]} points
 * @param {{more: number, f1: number}|null} gain what more documents would give
 * @param {string} [unit] what is counted
 */
function curve(points, gain, unit = 'document') {
  const last = points[points.length - 1];
  const ahead = gain && { documents: last.documents + gain.more, f1: Math.min(1, Math.max(0, last.f1 + gain.f1)) };
  const all = ahead ? [...points, ahead] : points;
  const most = Math.max(...all.map(({ documents }) => documents));
  const least = Math.max(0, Math.floor(Math.min(...all.map(({ f1 }) => f1)) * 5 - 0.25) / 5);
  const x = (/** @type {number} */ documents) => LEFT + (documents / most) * (WIDTH - LEFT - RIGHT);
  const y = (/** @type {number} */ f1) => TOP + ((1 - f1) / (1 - least || 1)) * (HEIGHT - TOP - BOTTOM);
  const path = (/** @type {{documents: number, f1: number}[]} */ some) =>
    some.map(({ documents, f1 }, at) => `${at ? 'L' : 'M'}${x(documents).toFixed(1)} ${y(f1).toFixed(1)}`).join(' ');
  const lines = [least, (1 + least) / 2, 1];
  const told = points.map(({ documents, f1 }) => `${counted(documents, unit)} ${score(f1)}`).join(', ');
  return html`<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${`F1: ${told}`}>
    ${lines.map((line) => svg`<path class="grid" d="M${LEFT} ${y(line)}H${WIDTH - RIGHT}"></path>
      <text x=${LEFT - 6} y=${y(line) + 4} text-anchor="end">${score(line)}</text>`)}
    <path class="learnt" d=${path(points)}></path>
    ${ahead ? svg`<path class="ahead" d=${path([last, ahead])}></path>` : nothing}
    ${all.map((point) => svg`<circle class=${point === ahead ? 'ahead' : 'learnt'} cx=${x(point.documents)} cy=${y(point.f1)} r="4"></circle>
      <text x=${x(point.documents)} y=${HEIGHT - BOTTOM + 18} text-anchor=${point.documents === most ? 'end' : 'middle'}>${point.documents}</text>
      <text class="figure" x=${x(point.documents)} y=${y(point.f1) + (y(point.f1) < TOP + 16 ? 18 : -9)}
        text-anchor=${point.documents === most ? 'end' : 'middle'}>${score(point.f1)}</text>`)}
    <text x=${LEFT} y=${HEIGHT - 4}>${unit === 'document' ? 'documents learnt from' : 'epochs'}</text>
  </svg>`;
}

export function besides() {
  const { shadow, problem, dataset: { model_name: model } } = state;
  const now = current();
  const training = state.trainings.find((one) => one.report && one.version !== now?.version);
  const other = state.versions.find((one) => !one.current && one.version === training?.version);
  if (!shadow) {
    return html`<main class="narrow">
      <h1>Side by side</h1>
      <p class="lead">A new version answers beside the one in service on live documents. Nobody is given its
        answers; what it would have said otherwise is listed here.</p>
      ${now && other
        ? html`<button class="main" @click=${() => runBeside(other.version)}>Run ${model} ${other.version} beside ${now.version}</button>`
        : html`<p>${now ? 'Train another version first.' : `Put a version of ${model} in service first.`}</p>`}
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
    <div class="row">
      ${shadow.active ? html`<button @click=${stop}>Stop</button>` : nothing}
      ${now?.version === shadow.version
        ? html`<span class="pill">✓ ${shadow.version} in service</span>`
        : html`<button class="main" @click=${() => promote(shadow.version)}>Put ${shadow.version} in service</button>`}
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
