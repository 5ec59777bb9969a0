// The rows of a group, such as an invoice's items, as a table.

import { html, nothing } from '../library/lit-html/lit-html.js';
import { doubt, fieldName, percent, shownValue } from './format.js';

/** @param {string} group @param {any[]} rows @param {string[]} columns @param {(row: any, at: number) => unknown} draw */
export const table = (group, rows, columns, draw) => html`
  <div class="scrolled" tabindex="0" role="region" aria-label=${fieldName(group)}>
    <table class="items">
      <caption>${fieldName(group)}: ${rows.length} row${rows.length === 1 ? '' : 's'}</caption>
      ${columns.length
        ? html`<thead><tr>${columns.map((name) => html`<th scope="col">${fieldName(name)}</th>`)}</tr></thead>`
        : nothing}
      <tbody>${rows.map(draw)}</tbody>
    </table>
  </div>`;

/** @param {string} id @param {string} column @param {any} found @param {any} shown @param {(id: string) => void} choose */
export function cell(id, column, found, { hand, lit, set }, choose) {
  const why = found ? doubt(found) : '';
  const figure = ['amount', 'number', 'percent'].includes(found?.kind);
  const said = found ? shownValue(found.value) || found.text : '–';
  return html`
    <td id=${`value-${id}`} class=${`${id === lit || id === hand ? 'lit' : ''} ${figure ? 'figure' : ''}`}
      @pointerenter=${() => set({ lit: id })} @pointerleave=${() => set({ lit: null })}>
      <button class="cell value-cell" aria-pressed=${id === hand}
        aria-label=${`${fieldName(column)}: ${found ? said : 'empty'}${why ? ', please check' : ''}`}
        title=${found ? `${why} ${percent(found.confidence)}`.trim() : 'empty'}
        @click=${() => choose(id)}>${said}${
          why ? html` <span class="doubtful" aria-hidden="true">?</span>` : nothing}</button>
    </td>
  `;
}
