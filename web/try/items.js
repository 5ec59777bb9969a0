// The rows of repeated groups, such as an invoice's items: a table for each.

import { html } from '../library/lit-html/lit-html.js';
import { cell, table } from '../common/table.js';

/** Whether an answer has rows to show. @param {any} answer */
export const hasRows = (answer) => Object.values(answer.groups ?? {}).some((rows) => rows.length);

/** @param {any} shown as the panel is */
export const items = (shown) => Object.entries(shown.answer.groups).filter(([, rows]) => rows.length).map(([group, rows]) => {
  // A column that no row of the document has would be empty space.
  const columns = Object.keys(rows[0]).filter((name) => rows.some((/** @type {any} */ row) => row[name]));
  return table(group, rows, columns, (row, number) => html`<tr>${columns.map((name) =>
    (row[name] ? cell(`${group}.${number}.${name}`, name, row[name], { ...shown, hand: shown.lit }, shown.onChoose) : html`<td></td>`))}</tr>`);
});
