// What was found, beside the page: values, words, the answer as it came, and how to ask for it.

import {
  ask, cell, cellsOf, checksOf, counted, doubt, each, fieldName, groupsOf, helpButton, html, idOfCell, keysHelp,
  nothing, percent, repeat, rowItem, shownValue, table, valueButton, VIEW_KEYS,
} from '../common/all.js';

const TABS = [
  ['values', 'Values'], ['items', 'Items'], ['text', 'Text'], ['json', 'JSON'], ['use', 'Use it'],
];

/** @type {{id: string, text: string}} the words of the document last looked at */
let words = { id: '', text: '' };

/** @param {any} shown */
export function panel(shown) {
  const { answer, set } = shown;
  const tabs = TABS.filter(([name]) => name !== 'items' || filled(answer).length);
  const tab = tabs.some(([name]) => name === shown.tab) ? shown.tab : 'values';
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = tabs.findIndex(([name]) => name === tab);
    const next = tabs[(at + step + tabs.length) % tabs.length][0];
    set({ tab: next });
    document.getElementById(`tab-${next}`)?.focus();
  };
  const content = /** @type {any} */ ({ values, items, text, json, use })[tab];
  return html`
    <section class="panel" aria-label="What was found">
      ${strip(shown)}
      ${[...answer.warnings, ...shown.more].map((/** @type {string} */ warning) => html`<p class="warning">⚠ ${warning}</p>`)}
      <div class="tabs" role="tablist" aria-label="Views of the answer" @keydown=${keys}>
        ${tabs.map(([name, label]) => html`
          <button role="tab" id=${`tab-${name}`} aria-selected=${name === tab} aria-controls="view"
            tabindex=${name === tab ? 0 : -1} @click=${() => set({ tab: name })}>${label}</button>`)}
      </div>
      <div id="view" role="tabpanel" aria-labelledby=${`tab-${tab}`} tabindex="-1">${content(shown)}</div>
      <p>${helpButton(shown)}</p>
      ${shown.help ? keysHelp(VIEW_KEYS) : nothing}
    </section>
  `;
}

/** @param {any} shown */
function strip({ answer, job, onAnother }) {
  const { document: read, model } = answer;
  const seconds = Object.values(answer.timings).reduce((sum, one) => sum + /** @type {number} */ (one), 0);
  const facts = [
    `${model.name} ${model.version}`,
    model.fit === null ? '' : `fits by ${percent(model.fit)}`,
    read.pages.length === read.page_count
      ? counted(read.page_count, 'page')
      : `${read.pages.length} of ${read.page_count} pages`,
    `${read.word_count} words`,
    `${seconds.toFixed(1)} s`,
  ];
  return html`
    <div class="strip">
      <div><strong class="file">${job.document || 'Document'}</strong>
        <span class="soft">${facts.filter(Boolean).join(' · ')}</span></div>
      <button @click=${onAnother}>Another document</button>
    </div>
  `;
}

/** @param {any} shown */
function values(shown) {
  const { answer, rows, mayReview } = shown;
  const found = [...rows, ...cellsOf(answer)].filter((/** @type {any} */ row) => row.found);
  const open = found.filter((row) => doubt(row.found)).length;
  const summary = open ? `${open} of ${found.length} values should be checked`
    : found.length ? `${found.length} values found, none doubtful` : 'No value was found';
  return html`
    <p class="summary">${summary}${mayReview
      ? html` · <a href=${`/review?job=${answer.id}`}>Correct ${open === 1 || !found.length ? 'it' : 'them'}</a>`
      : nothing}</p>
    <ul class="values">
      ${repeat(rows, (row) => row.id, (row) => rowItem(row, { ...shown, hand: null }, said, () => nothing))}
    </ul>
    ${checksOf(answer.checks)}
  `;
}

/** @param {any} row @param {boolean} _ @param {any} shown */
function said({ id, field, found }, _, { lit, onChoose }) {
  const name = fieldName(field);
  if (!found) {
    return html`<div class="value absent"><span class="name">${name}</span> <span class="mark">– not found</span></div>`;
  }
  const why = doubt(found);
  const other = [
    ...found.normalisation.alternatives.map((/** @type {any} */ one) => ({ text: shownValue(one) })),
    ...found.candidates,
  ];
  return html`
    ${valueButton({
      name, tone: why ? 'doubtful' : 'sure', mark: `${why ? '? please check' : '✓ ok'}, ${percent(found.confidence)}`,
      said: found.text, typed: shownValue(found.value), why: [why], pressed: id === lit, onHand: () => onChoose(id),
    })}
    ${other.length
      ? html`<details><summary>${counted(other.length, 'other reading')}</summary>
          <ul>${other.map((one) => html`<li>${one.text}
            ${one.confidence === undefined ? nothing : html`<span class="soft">${percent(one.confidence)}, page ${one.page}</span>`}
          </li>`)}</ul></details>`
      : nothing}
  `;
}

/** Those groups that have rows. @param {any} answer */
const filled = (answer) => groupsOf(answer).filter(([, rows]) => rows.length);

/** @param {any} shown as the panel is */
const items = (shown) => filled(shown.answer).map(([group, rows]) => {
  // A column that no row of the document has would be empty space.
  const columns = Object.keys(rows[0].cells).filter((name) => rows.some(({ cells }) => cells[name]));
  return table(group, rows, columns, ({ row, cells }) => html`<tr>${columns.map((name) =>
    (cells[name] ? cell(idOfCell(group, row, name), name, cells[name], { ...shown, hand: shown.lit }, shown.onChoose) : html`<td></td>`))}</tr>`);
});

/** @param {any} shown */
function text({ answer, set }) {
  if (words.id !== answer.id) {
    words = { id: answer.id, text: '…' };
    ask('GET', `/jobs/${answer.id}/words`)
      .then((read) => { words.text = linesOf(read); }, (problem) => { words.text = problem.detail; })
      .then(() => set({ tab: 'text' }));
  }
  return html`<pre class="words" tabindex="0">${words.text}</pre>`;
}

/** @param {any} read the words as the API gives them @returns {string} a line for each line */
const linesOf = ({ pages }) => each(pages).map(({ words: all }) =>
  each(all).map(({ text, line }, at) =>
    (at === 0 ? '' : line === all[at - 1].line ? ' ' : '\n') + text).join('')).join('\n\n');

/** @param {any} shown */
const json = ({ answer, set }) => copyable('The answer as it came', JSON.stringify(answer, null, 2), set);

/** @typedef {{origin: string, model: string, file: string, password: boolean}} Asked */

/** @param {string} text @returns {string} as one word of a shell */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** @param {Asked} asked */
const curlOf = ({ origin, model, file, password }) =>
  `curl -H "Authorization: Bearer $FIELDWRIGHT_KEY" \\
  -F ${quoted(`file=@"${file.replaceAll(/["\\]/g, '\\$&')}"`)} -F model=${model}${password ? ' -F "password=$PASSWORD"' : ''} \\
  ${origin}/v1/extract`;

/** @param {Asked} asked */
const pythonOf = ({ origin, model, file, password }) => `import os
from pathlib import Path

import httpx

path = Path(${JSON.stringify(file)})
answer = httpx.post(
    "${origin}/v1/extract",
    headers={"Authorization": f"Bearer {os.environ.get('FIELDWRIGHT_KEY', 'none')}"},
    files={"file": (path.name, path.read_bytes())},
    data={"model": "${model}"${password ? ', "password": os.environ["PASSWORD"]' : ''}},
    timeout=60,
).raise_for_status().json()
for name, field in answer["fields"].items():
    print(name, field)
`;

/** The same request outside the page. @param {any} shown */
function use({ answer, job, withPassword: password, set }) {
  const asked = { origin: location.origin, model: answer.model.name, file: job.document || 'document.pdf', password };
  return html`
    ${copyable('With curl', curlOf(asked), set)}
    ${copyable('With Python', pythonOf(asked), set)}
    <p class="soft">On a service with keys, <code>FIELDWRIGHT_KEY</code> holds yours. All calls: <a href="/docs">/docs</a>.</p>
  `;
}

/** @param {string} title @param {string} code @param {(change: any) => void} set */
function copyable(title, code, set) {
  const copy = async () => {
    if (!navigator.clipboard) return set({ said: 'Copying needs HTTPS: select the text instead' });
    await navigator.clipboard.writeText(code);
    set({ said: `${title}: copied` });
  };
  return html`
    <div class="code">
      <div class="row"><h2>${title}</h2><button @click=${copy} aria-label=${`Copy: ${title}`}>Copy</button></div>
      <pre tabindex="0">${code}</pre>
    </div>
  `;
}
