// Which key does what.

import { VIEW_KEYS, outside } from '../common/desk.js';

/** @type {[string, string, string][]} key as `KeyboardEvent.key`, command, what it does */
export const KEYS = [
  ['Enter', 'accept', 'accept, and go to the next doubtful value'],
  ['1 to 9', 'choose', 'take that reading'],
  ['e', 'edit', 'edit as text'],
  ['w', 'words', 'pick words on the page: click, drag, or draw a box around them'],
  ['x', 'absent', 'the document does not say it'],
  ['m', 'more', 'one more value, or row'],
  ['s', 'skip', 'put back for later'],
  ['S', 'note', 'put back, with a note'],
  ['r', 'again', 'not of this kind: read again with another model'],
  ['z', 'undo', 'undo, over documents too'],
  ['Z', 'redo', 'redo'],
  ['f', 'freeze', 'freeze the view, or let it follow'],
  ...VIEW_KEYS,
  ['Escape', 'leave', 'leave editing and picking'],
];

/** In the grid, with Ctrl. @type {[string, string, string][]} */
export const ROW_KEYS = [
  ['Enter', 'insert', 'insert a row below'],
  ['Backspace', 'remove', 'remove the row'],
  ['s', 'split', 'split the row at its second line, or before the words that were picked'],
];
const TYPED = { edit: 'save', note: 'put_back' };
const COMMANDS = new Map(KEYS.map(([key, command]) => [key, command]));

/**
 * The command of a key press; null where it is the browser's, or a control's own.
 * @param {KeyboardEvent} event
 * @param {{typing: boolean, inGrid: boolean}} now
 * @returns {{name: string, number?: number, key?: string}|null}
 */
export function commandOf(event, { typing, inGrid }) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.altKey || event.repeat || outside(target)) return null;
  if (event.ctrlKey || event.metaKey) {
    const row = inGrid && !typing && ROW_KEYS.find(([key]) => key === event.key);
    return row ? { name: row[1] } : null;
  }
  if (typing) {
    if (event.key === 'Escape') return { name: 'leave' };
    const name = event.key === 'Enter' && TYPED[/** @type {'edit'|'note'} */ (target.id)];
    return name ? { name } : null;
  }
  if (target.closest('input, select, textarea')) return null;
  if (inGrid && event.key.startsWith('Arrow')) return { name: 'move', key: event.key };
  // Enter on a button presses it, but for the values themselves.
  if (event.key === 'Enter' && target.closest('button, a, summary') && !target.closest('.value, .value-cell')) return null;
  if (/^[1-9]$/.test(event.key)) return { name: 'choose', number: Number(event.key) };
  const name = COMMANDS.get(event.key);
  return name ? { name } : null;
}
