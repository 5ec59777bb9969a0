// Rows of a group, such as an invoice's items, and figures, as tables; what came of checks.

import { html, nothing } from './html.js';
import { counted, doubt, fieldName, percent, shownValue } from './format.js';

/** @param {string} group @param {any[]} rows @param {string[]} columns @param {(row: any, at: number) => unknown} draw */
export const table = (group, rows, columns, draw) => html`<div class="scrolled" tabindex="0" role="region" aria-label=${fieldName(group)}>
  <table class="items">
    <caption>${fieldName(group)}: ${counted(rows.length, 'row')}</caption>
    ${columns.length
      ? html`<thead><tr>${columns.map((name) => html`<th scope="col">${fieldName(name)}</th>`)}</tr></thead>`
      : nothing}
    <tbody>${rows.map(draw)}</tbody>
  </table>
</div>`;

/** @param {string} id @param {string} column @param {any} found @param {any} shown @param {(id: string) => void} choose */
export function cell(id, column, found, { hand, lit, entry = id }, choose) {
  const why = found ? doubt(found) : '';
  const figure = ['amount', 'number', 'percent'].includes(found?.kind);
  const said = found ? shownValue(found.value) || found.text : '–';
  return html`<td id=${`value-${id}`} class=${`${id === lit || id === hand ? 'lit' : ''} ${figure ? 'figure' : ''}`}>
    <button class="cell value-cell" aria-pressed=${id === hand} tabindex=${id === entry ? 0 : -1}
      aria-label=${`${fieldName(column)}: ${found ? said : 'empty'}${why ? ', please check' : ''}`}
      title=${found ? `${why} ${percent(found.confidence)}`.trim() : 'empty'}
      @click=${() => choose(id)}>${said}${
        why ? html` <span class="doubtful" aria-hidden="true">?</span>` : nothing}</button>
  </td>`;
}

/** @param {unknown[]} heads @param {unknown[][]} rows the first cell of each is its head @param {unknown} [caption] */
export const figures = (heads, rows, caption = nothing) => html`<table class="scores">${caption}
  <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
  <tbody>${rows.map(([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((one) => html`<td>${one}</td>`)}</tr>`)}</tbody>
</table>`;

/** Of sums, products and dates. @param {{name: string, ok: boolean, expected: string, found: string}[]|undefined} checks */
export const checksOf = (checks) => (checks?.length
  ? html`<h2>Checks</h2><ul class="checks">${checks.map(({ name, ok, expected, found }) => html`
      <li class=${ok ? 'mark sure' : 'mark doubtful'}>${ok ? '✓' : '✗'} ${name}${
        ok ? nothing : `: ${found} where ${expected} is expected`}</li>`)}</ul>`
  : nothing);
