// The rows of groups, such as an invoice's items: cells to be corrected, rows added, removed, split.

import { html, nothing } from '../library/lit-html/lit-html.js';
import { doubt, fieldName, percent, shownValue } from '../common/format.js';
import { idOfCell } from './logic.js';

/**
 * @param {{answer: any, unfolded: unknown, hand: string|null, lit: string|null, mayDecide: boolean,
 *   run: (name: string) => void, onHand: (id: string) => void,
 *   onPoint: (id: string|null) => void}} shown
 */
export function grid(shown) {
  return Object.entries(shown.answer.rows).map(([group, rows]) => table(group, rows, shown));
}

/** @param {string} group @param {{row: number, cells: any}[]} rows @param {any} shown */
function table(group, rows, shown) {
  const columns = rows.length ? Object.keys(rows[0].cells) : [];
  const within = shown.hand?.startsWith(`${group}.`);
  const { run, mayDecide } = shown;
  return html`
    <div class="scrolled" tabindex="0" role="region" aria-label=${fieldName(group)}>
      <table class="items grid">
        <caption>${fieldName(group)}: ${rows.length} row${rows.length === 1 ? '' : 's'}</caption>
        ${columns.length
          ? html`<thead><tr>${columns.map((name) => html`<th scope="col">${fieldName(name)}</th>`)}</tr></thead>`
          : nothing}
        <tbody>${rows.map(({ row, cells }) => html`
          <tr class=${shown.hand?.startsWith(`${group}.${row}.`) ? 'row-in-hand' : ''}>
            ${columns.map((column) => cell(idOfCell(group, row, column), column, cells[column], shown))}</tr>
          ${shown.hand?.startsWith(`${group}.${row}.`)
            ? html`<tr class="row-in-hand"><td colspan=${columns.length}>${shown.unfolded}</td></tr>`
            : nothing}`)}
        </tbody>
      </table>
    </div>
    <div class="row tools">
      <button ?disabled=${!mayDecide} @click=${() => run(within ? 'insert' : `insert ${group}`)}>Insert a row <kbd>Ctrl Enter</kbd></button>
      <button ?disabled=${!mayDecide || !within} @click=${() => run('remove')}>Remove it <kbd>Ctrl ⌫</kbd></button>
      <button ?disabled=${!mayDecide || !within} @click=${() => run('split')}>Split it <kbd>Ctrl S</kbd></button>
    </div>
  `;
}

/** @param {string} id @param {string} column @param {any} found @param {any} shown */
function cell(id, column, found, { hand, lit, onHand, onPoint }) {
  const why = found ? doubt(found) : '';
  const figure = found && ['amount', 'number', 'percent'].includes(found.kind);
  const said = found ? shownValue(found.value) || found.text : '–';
  return html`
    <td id=${`value-${id}`} class=${`${id === lit || id === hand ? 'lit' : ''} ${figure ? 'figure' : ''}`}
      @pointerenter=${() => onPoint(id)} @pointerleave=${() => onPoint(null)}>
      <button class="cell value-cell" aria-pressed=${id === hand}
        aria-label=${`${fieldName(column)}: ${found ? said : 'empty'}${why ? ', please check' : ''}`}
        title=${found ? `${why} ${percent(found.confidence)}`.trim() : 'empty'}
        @click=${() => onHand(id)} @focus=${() => onHand(id)}>${said}${
          why ? html` <span class="doubtful" aria-hidden="true">?</span>` : nothing}</button>
    </td>
  `;
}

/**
 * The cell that an arrow leads to.
 * @param {any} answer @param {string} id of a cell @param {string} key such as `ArrowUp`
 * @returns {string|null} null at the edge
 */
export function neighbour(answer, id, key) {
  const [group, row, column] = id.split('.');
  const rows = answer.rows[group];
  const columns = Object.keys(rows[0]?.cells ?? {});
  const at = rows.findIndex((/** @type {any} */ one) => String(one.row) === row);
  const across = columns.indexOf(column) + (key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0);
  const down = at + (key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0);
  return rows[down] && columns[across] ? idOfCell(group, rows[down].row, columns[across]) : null;
}
