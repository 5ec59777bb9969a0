// What the desks of Review and Teach have in common.

import { html, nothing } from '../library/lit-html/lit-html.js';

/** @param {(name: string) => void} run what commands are given to */
export const leave = (run) => html`<button type="button" @click=${() => run('leave')}>Leave <kbd>Esc</kbd></button>`;

/** @param {string} label @param {string} name of a command @param {string} key @param {any} shown @param {boolean} [off] */
export const button = (label, name, key, { run, mayDecide = true }, off = false) => html`
  <button ?disabled=${off || !mayDecide} @click=${() => run(name)}>${label} <kbd>${key}</kbd></button>`;

/** @param {string[][]} keys */
export const keysHelp = (keys) =>
  html`<dl class="keys">${keys.map(([key, , what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>`;

/**
 * A row of the panel: what is said of it and, where it is in hand, what can be done.
 * @param {any} row @param {any} shown
 * @param {(row: any, inHand: boolean, shown: any) => unknown} said @param {(row: any, shown: any) => unknown} unfolded
 */
export function rowItem(row, shown, said, unfolded) {
  const { hand, lit, set } = shown;
  const inHand = row.id === hand;
  return html`
    <li id=${`value-${row.id}`} class=${`${inHand ? 'hand lit' : ''} ${row.id === lit ? 'lit' : ''}`}
      @pointerenter=${() => set({ lit: row.id })} @pointerleave=${() => set({ lit: null })}>
      ${said(row, inHand, shown)}
      ${inHand ? unfolded(row, shown) : nothing}
    </li>
  `;
}

/** @param {Event} event of a control */
export const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** Follow a link without leaving the page, unless it is to have a tab of its own. @param {(link: any) => void} act */
export const following = (act) => (/** @type {MouseEvent} */ event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  act(event.currentTarget);
};

/** Do something with what a form says. @param {(said: any) => void} act @param {boolean} [empty] the form then */
export const submitted = (act, empty = false) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const said = Object.fromEntries(new FormData(form));
  if (empty) form.reset();
  act(said);
};

/** @type {[string, string, string][]} key as `KeyboardEvent.key`, command, what it does */
export const VIEW_KEYS = [
  ['[', 'back', 'page back'],
  [']', 'on', 'page on'],
  ['+', 'larger', 'zoom in'],
  ['-', 'smaller', 'zoom out'],
  ['0', 'fit', 'fit the page'],
  ['?', 'help', 'show or hide all keys'],
];

/** The commands of those keys that need nothing else. @param {any} state @param {(change: any) => void} set */
export const viewCommands = (state, set) => ({
  larger: () => set({ zoom: Math.min(3, state.zoom + 0.5) }),
  smaller: () => set({ zoom: Math.max(1, state.zoom - 0.5) }),
  fit: () => set({ zoom: 1 }),
  help: () => set({ help: !state.help }),
});

/** Whether a key press is for a control outside of the desk. @param {Element} target */
export const outside = (target) => target !== document.body && !target.closest('main');

/**
 * Bring the row in hand into view, above the bar at the panel's foot, and its place on the page.
 * @param {string} hand @param {boolean} [still] leave the page where it is
 */
export function reveal(hand, still = false) {
  const near = /** @type {const} */ ({ block: 'nearest', inline: 'nearest' });
  const foot = `${document.querySelector('.actions')?.clientHeight ?? 0}px`;
  document.documentElement.style.scrollPaddingBottom = foot;
  /** @type {HTMLElement|null} */ (document.querySelector('.panel'))?.style.setProperty('scroll-padding-bottom', foot);
  if (!still) document.querySelector(`.sheet rect[data-id="${CSS.escape(hand)}"]`)?.scrollIntoView(near);
  const item = document.getElementById(`value-${hand}`);
  document.querySelector('.row-in-hand + .row-in-hand')?.scrollIntoView(near);
  item?.scrollIntoView(near); // last: where both scroll the same, the row has to be seen
  const control = document.getElementById('edit') ?? item?.querySelector('.value, .value-cell');
  /** @type {HTMLElement|null|undefined} */ (control)?.focus({ preventScroll: true });
}
