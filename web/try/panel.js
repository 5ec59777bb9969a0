// What was found, beside the page: values, words, the answer as it came, and how to ask for it.

import {
  ask, byId, cell, cellsOf, checksOf, counted, doubt, each, fieldName, groupsOf, helpButton, html, idOfCell, keysHelp,
  nothing, percent, rowList, shownValue, strip, table, valueButton, VIEW_KEYS, warned,
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
    byId(`tab-${next}`)?.focus();
  };
  const content = /** @type {any} */ ({ values, items, text, json, use })[tab];
  return html`<section class="panel" aria-label="What was found">
    ${head(shown)}
    ${warned([...answer.warnings, ...shown.more])}
    <div class="tabs" role="tablist" aria-label="Views of the answer" @keydown=${keys}>
      ${tabs.map(([name, label]) => html`<button role="tab" id=${`tab-${name}`} aria-selected=${name === tab} aria-controls="view"
        tabindex=${name === tab ? 0 : -1} @click=${() => set({ tab: name })}>${label}</button>`)}
    </div>
    <div id="view" role="tabpanel" aria-labelledby=${`tab-${tab}`} tabindex="-1">${content(shown)}</div>
    <p>${helpButton(shown)}</p>
    ${shown.help ? keysHelp(VIEW_KEYS) : nothing}
  </section>`;
}

/** @param {any} shown */
function head({ answer, job, onAnother }) {
  const { document: read, model } = answer;
  const seconds = Object.values(answer.timings).reduce((sum, one) => sum + /** @type {number} */ (one), 0);
  const facts = [
    `${model.name} ${model.version}`,
    model.fit === null ? '' : `fits by ${percent(model.fit)}`,
    read.pages.length === read.page_count
      ? counted(read.page_count, 'page')
      : `${read.pages.length} of ${read.page_count} pages`,
    `${read.word_count} words`,
    `${seconds.toFixed(1)}\u00a0s`,
  ];
  return strip(job.document, facts.filter(Boolean).join(' · '), html`<button @click=${onAnother}>Another document</button>`);
}

/** @param {any} shown */
function values(shown) {
  const { answer, rows, mayReview } = shown;
  const found = [...rows, ...cellsOf(answer)].filter((/** @type {any} */ row) => row.found);
  const open = found.filter((row) => doubt(row.found)).length;
  const summary = open ? `${open} of ${found.length} values should be checked`
    : found.length ? `${found.length} values found, none doubtful` : 'No value was found';
  return html`<p class="summary">${summary}${mayReview
    ? html` · <a href=${`/review?job=${answer.id}`}>Correct ${open === 1 || !found.length ? 'it' : 'them'}</a>`
    : nothing}</p>
  ${rowList(rows, { ...shown, hand: null }, said, () => nothing)}
  ${checksOf(answer.checks)}`;
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
  return html`${valueButton({
    name, tone: why ? 'doubtful' : 'sure', mark: `${why ? '? please check' : '✓ ok'}, ${percent(found.confidence)}`,
    said: found.text, typed: shownValue(found.value), why: [why], pressed: id === lit, onHand: () => onChoose(id),
  })}
  ${other.length
    ? html`<details><summary>${counted(other.length, 'other reading')}</summary>
        <ul>${other.map((one) => html`<li>${one.text}
          ${one.confidence === undefined ? nothing : html`<span class="soft">${percent(one.confidence)}, page ${one.page}</span>`}
        </li>`)}</ul></details>`
    : nothing}`;
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

/** @param {string} text @returns {string} as one word of a shell */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** The same request outside the page. @param {any} shown */
function use({ answer, job, options: { password, pages }, set }) {
  const { name: model } = answer.model;
  const file = job.document || 'document.pdf';
  const to = `${location.origin}/v1/extract`;
  const curl = `curl -H "Authorization: Bearer $FIELDWRIGHT_KEY" \\
  -F ${quoted(`file=@"${file.replaceAll(/["\\]/g, '\\$&')}"`)} -F model=${model}${
  pages ? ` -F ${quoted(`pages=${pages}`)}` : ''}${password ? ' -F "password=$PASSWORD"' : ''} \\
  ${to}`;
  const python = `import os
from pathlib import Path

import httpx

path = Path(${JSON.stringify(file)})
answer = httpx.post(
    "${to}",
    headers={"Authorization": f"Bearer {os.environ.get('FIELDWRIGHT_KEY', 'none')}"},
    files={"file": (path.name, path.read_bytes())},
    data={"model": "${model}"${pages ? `, "pages": ${JSON.stringify(pages)}` : ''}${password ? ', "password": os.environ["PASSWORD"]' : ''}},
    timeout=60,
).raise_for_status().json()
for name, field in answer["fields"].items():
    print(name, field)
`;
  return html`${copyable('With curl', curl, set)}
  ${copyable('With Python', python, set)}
  <p class="soft">On a service with keys, <code>FIELDWRIGHT_KEY</code> holds yours. All calls: <a href="/docs">/docs</a>.</p>`;
}

/** @param {string} title @param {string} code @param {(change: any) => void} set */
function copyable(title, code, set) {
  const copy = async () => {
    if (!navigator.clipboard) return set({ said: 'Copying needs HTTPS: select the text instead' });
    await navigator.clipboard.writeText(code);
    set({ said: `${title}: copied` });
  };
  return html`<div class="code">
    <div class="row"><h2>${title}</h2><button @click=${copy} aria-label=${`Copy: ${title}`}>Copy</button></div>
    <pre tabindex="0">${code}</pre>
  </div>`;
}
