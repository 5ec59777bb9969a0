// The rows of groups, such as an invoice's items: cells to be corrected, rows added, removed, split.

import { button, cell, each, groupsOf, html, idOfCell, nothing, table } from '../common/all.js';

/** The columns of a group, those first in which something was read. @param {any} answer @param {string} group @returns {string[]} */
function columnsOf({ rows, groups }, group) {
  const empty = (/** @type {string} */ column) => Number(!each(groups[group] ?? []).some((cells) => cells[column]));
  return Object.keys(rows[group][0]?.cells ?? {}).sort((one, other) => empty(one) - empty(other));
}

/** @param {any} shown as the panel is */
export const grid = (shown) => groupsOf(shown.answer).map(([group, rows]) => {
  const { hand, onHand } = shown;
  const columns = columnsOf(shown.answer, group);
  const within = hand?.startsWith(`${group}.`);
  // Tab leads to one cell of a group and then on, the arrows to the others.
  const entry = within ? hand : rows.length ? idOfCell(group, rows[0].row, columns[0]) : null;
  return html`
    ${table(group, rows, columns, ({ row, cells }) => {
      const inHand = hand?.startsWith(`${group}.${row}.`);
      return html`
        <tr class=${inHand ? 'row-in-hand' : ''} @focusin=${(/** @type {any} */ { target }) => onHand(target.closest('td').id.slice(6))}>
          ${columns.map((column) => cell(idOfCell(group, row, column), column, cells[column], { ...shown, entry }, onHand))}</tr>
        ${inHand ? html`<tr class="row-in-hand"><td colspan=${columns.length}>${shown.unfolded}</td></tr>` : nothing}`;
    })}
    <div class="row tools">
      ${button('Insert a row', within ? 'insert' : `insert ${group}`, 'Ctrl Enter', shown)}
      ${button('Remove it', 'remove', 'Ctrl ⌫', shown, !within)}
      ${button('Merge with the next', 'merge', 'Ctrl M', shown, !within)}
      ${button('Split it', 'split', 'Ctrl S', shown, !within)}
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
  const columns = columnsOf(answer, group);
  const at = each(rows).findIndex((one) => String(one.row) === row);
  const across = columns.indexOf(column) + (key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0);
  const down = at + (key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0);
  return rows[down] && columns[across] ? idOfCell(group, rows[down].row, columns[across]) : null;
}
