// The rows of groups, such as an invoice's items: cells to be corrected, rows added, removed, split.

import { html, nothing } from '../library/lit-html/lit-html.js';
import { cell, table } from '../common/table.js';
import { idOfCell } from './logic.js';

/** @param {any} shown as the panel is */
export const grid = (shown) => Object.entries(shown.answer.rows).map(([group, rows]) => {
  const { run, mayDecide, hand, onHand } = shown;
  const columns = Object.keys(rows[0]?.cells ?? {});
  const within = hand?.startsWith(`${group}.`);
  return html`
    ${table(group, rows, columns, ({ row, cells }) => {
      const inHand = hand?.startsWith(`${group}.${row}.`);
      return html`
        <tr class=${inHand ? 'row-in-hand' : ''} @focusin=${(/** @type {any} */ { target }) => onHand(target.closest('td').id.slice(6))}>
          ${columns.map((column) => cell(idOfCell(group, row, column), column, cells[column], shown, onHand))}</tr>
        ${inHand ? html`<tr class="row-in-hand"><td colspan=${columns.length}>${shown.unfolded}</td></tr>` : nothing}`;
    })}
    <div class="row tools">
      <button ?disabled=${!mayDecide} @click=${() => run(within ? 'insert' : `insert ${group}`)}>Insert a row <kbd>Ctrl Enter</kbd></button>
      <button ?disabled=${!mayDecide || !within} @click=${() => run('remove')}>Remove it <kbd>Ctrl ⌫</kbd></button>
      <button ?disabled=${!mayDecide || !within} @click=${() => run('split')}>Split it <kbd>Ctrl S</kbd></button>
    </div>
  `;
});

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
