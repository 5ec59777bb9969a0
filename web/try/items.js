// The rows of repeated groups, such as an invoice's items: a table for each.

import { html } from '../common/html.js';
import { groupsOf, idOfCell } from '../common/format.js';
import { cell, table } from '../common/table.js';

/** Those groups that have rows. @param {any} answer */
export const filled = (answer) => groupsOf(answer).filter(([, rows]) => rows.length);

/** @param {any} shown as the panel is */
export const items = (shown) => filled(shown.answer).map(([group, rows]) => {
  // A column that no row of the document has would be empty space.
  const columns = Object.keys(rows[0].cells).filter((name) => rows.some(({ cells }) => cells[name]));
  return table(group, rows, columns, ({ row, cells }) => html`<tr>${columns.map((name) =>
    (cells[name] ? cell(idOfCell(group, row, name), name, cells[name], { ...shown, hand: shown.lit }, shown.onChoose) : html`<td></td>`))}</tr>`);
});
