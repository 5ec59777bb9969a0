// Which key does what.

import { VIEW_KEYS, outside } from '../common/desk.js';

/** @type {[string, string, string][]} key as `KeyboardEvent.key`, command, what it does */
export const KEYS = [
  ['Enter', 'take', 'take the picked words or the suggestion, and go on'],
  ['a', 'add', 'add a field'],
  ['x', 'absent', 'the document does not say it'],
  ['m', 'more', 'one more value, or one more row'],
  ['e', 'edit', 'type the value'],
  ['w', 'words', 'pick words with the arrow keys'],
  ['Delete', 'remove', 'take the label away'],
  ['d', 'done', 'done: what is suggested holds, what is open is not in it'],
  ['s', 'skip', 'another document first'],
  ['n', 'following', 'the document behind this one'],
  ['p', 'previous', 'the document before this one'],
  ['z', 'undo', 'undo, over documents too'],
  ['Z', 'redo', 'redo'],
  ...VIEW_KEYS,
  ['Escape', 'leave', 'leave picking and typing'],
];
const COMMANDS = new Map(KEYS.map(([key, command]) => [key, command]));
const ARROWS = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']);

/**
 * The command of a key press; null where it is the browser's, or a control's own.
 * @param {KeyboardEvent} event @param {boolean} walking words are picked with the arrows
 * @returns {{name: string, key: string, further: boolean}|null}
 */
export function commandOf(event, walking) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || outside(target)) return null;
  const { key, shiftKey: further } = event;
  if (target.closest('input, select, textarea')) {
    const name = key === 'Escape' ? 'leave' : key === 'Enter' && target.id === 'edit' ? 'take' : '';
    return name ? { name, key, further } : null;
  }
  if (walking && ARROWS.has(key)) return { name: 'walk', key, further };
  if (event.repeat) return null;
  // Enter on a button presses it, but for the values themselves.
  if (key === 'Enter' && target.closest('button, a, summary') && !target.closest('.value')) return null;
  const name = COMMANDS.get(key);
  return name ? { name, key, further } : null;
}
