// Which key does what.

import { DESK_KEYS } from '../common/desk.js';

/** @type {string[][]} key as `KeyboardEvent.key`, command, what it does */
export const KEYS = [
  ['Enter', 'accept', 'accept, and go to the next doubtful value'],
  ['1 to 9', 'choose', 'take that reading'],
  ['e', 'edit', 'edit as text'],
  ['w', 'words', 'pick words on the page: click, drag, draw a box around them, or use the arrows'],
  ['m', 'more', 'one more value, or row'],
  ['s', 'skip', 'put back for later'],
  ['S', 'note', 'put back, with a note'],
  ['r', 'again', 'not of this kind: read again with another model'],
  ['f', 'freeze', 'freeze the view, or let it follow'],
  ...DESK_KEYS,
];

/** In the grid, with Ctrl. @type {string[][]} */
export const ROW_KEYS = [
  ['Enter', 'insert', 'insert a row below'],
  ['Backspace', 'remove', 'remove the row'],
  ['m', 'merge', 'merge the row with the one below'],
  ['s', 'split', 'split the row at its second line, or before the words that were picked'],
];
