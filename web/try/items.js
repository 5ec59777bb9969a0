// The rows of repeated groups, such as an invoice's items: a table for each.

import { html, nothing } from '../library/lit-html/lit-html.js';
import { doubt, fieldName, percent, shownValue } from '../common/format.js';

/** Whether an answer has rows to show. @param {any} answer */
export const hasRows = (answer) => Object.values(answer.groups ?? {}).some((rows) => rows.length);

/**
 * @param {{answer: any, lit: string|null, onPoint: (id: string|null) => void,
 *   onChoose: (id: string) => void}} shown
 */
export function items(shown) {
  return Object.entries(shown.answer.groups)
    .filter(([, rows]) => rows.length)
    .map(([group, rows]) => table(group, rows, shown));
}

/** @param {string} group @param {any[]} rows @param {any} shown */
function table(group, rows, shown) {
  // A column that no row of the document has would be empty space.
  const columns = Object.keys(rows[0]).filter((name) => rows.some((row) => row[name]));
  return html`
    <div class="scrolled" tabindex="0" role="region" aria-label=${fieldName(group)}>
      <table class="items">
        <caption>${fieldName(group)}: ${rows.length} row${rows.length === 1 ? '' : 's'}</caption>
        <thead><tr>${columns.map((name) => html`<th scope="col">${fieldName(name)}</th>`)}</tr></thead>
        <tbody>
          ${rows.map((row, number) => html`
            <tr>${columns.map((name) => cell(`${group}.${number}.${name}`, row[name], shown))}</tr>`)}
        </tbody>
      </table>
    </div>
  `;
}

/** @param {string} id @param {any} found @param {any} shown */
function cell(id, found, { lit, onPoint, onChoose }) {
  if (!found) return html`<td></td>`;
  const why = doubt(found);
  const figure = found.kind === 'amount' || found.kind === 'number' || found.kind === 'percent';
  return html`
    <td id=${`value-${id}`} class=${`${id === lit ? 'lit' : ''} ${figure ? 'figure' : ''}`}
      @pointerenter=${() => onPoint(id)} @pointerleave=${() => onPoint(null)}>
      <button class="cell" aria-pressed=${id === lit} title=${`${why} ${percent(found.confidence)}`.trim()}
        @click=${() => onChoose(id)}>${shownValue(found.value) || found.text}${
          why ? html` <span class="doubtful" aria-label="please check">?</span>` : nothing}</button>
    </td>
  `;
}
