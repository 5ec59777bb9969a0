// What came of the checks of sums, products and dates.

import { html, nothing } from '../library/lit-html/lit-html.js';

/** @param {{name: string, ok: boolean, expected: string, found: string}[]|undefined} checks */
export const checksOf = (checks) => (checks?.length
  ? html`<h2>Checks</h2><ul class="checks">${checks.map(({ name, ok, expected, found }) => html`
      <li class=${ok ? 'mark sure' : 'mark doubtful'}>${ok ? '✓' : '✗'} ${name}${
        ok ? nothing : `: ${found} where ${expected} is expected`}</li>`)}</ul>`
  : nothing);
