// Which key does what.

import { DESK_KEYS } from '../common/desk.js';

/** @type {string[][]} key as `KeyboardEvent.key`, command, what it does */
export const KEYS = [
  ['Enter', 'take', 'take the picked words or the suggestion, and go on'],
  ['a', 'add', 'add a field'],
  ['m', 'more', 'one more value, or one more row'],
  ['e', 'edit', 'type the value'],
  ['w', 'words', 'pick words with the arrow keys'],
  ['Delete', 'remove', 'take the label away'],
  ['d', 'done', 'done: what is suggested holds, what is open is not in it'],
  ['s', 'skip', 'another document first'],
  ['n', 'following', 'the document behind this one'],
  ['p', 'previous', 'the document before this one'],
  ...DESK_KEYS,
];
