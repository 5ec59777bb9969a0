// The words of a page, to be picked: click the first and Shift-click the last, or drag over them.

import { html, svg } from '../library/lit-html/lit-html.js';

/** @typedef {{number: number, words: any[]}[]} Read pages of words; words count from 0 over all pages */

/** @param {Read} read @param {{from: number, to: number}} picked */
export function wordsBetween(read, { from, to }) {
  const [low, high] = from < to ? [from, to] : [to, from];
  return read
    .flatMap(({ words: all }) => all)
    .map((word, number) => ({ word, number }))
    .filter(({ number }) => low <= number && number <= high);
}

/**
 * @param {Read} read @param {number} page @param {{from: number, to: number}|null} picked
 * @param {(number: number, further: boolean) => void} onPick
 */
export function words(read, page, picked, onPick) {
  const at = read.findIndex(({ number }) => number === page);
  if (at < 0) return html``;
  const first = read.slice(0, at).reduce((sum, one) => sum + one.words.length, 0);
  const low = picked ? Math.min(picked.from, picked.to) : -1;
  const high = picked ? Math.max(picked.from, picked.to) : -2;
  const over = (/** @type {PointerEvent} */ event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.getAttribute('data-word');
    return found === null || found === undefined ? null : Number(found);
  };
  const down = (/** @type {PointerEvent} */ event) => {
    const number = over(event);
    if (number === null) return;
    event.preventDefault();
    onPick(number, event.shiftKey);
  };
  const move = (/** @type {PointerEvent} */ event) => {
    const number = event.buttons ? over(event) : null;
    if (number !== null) onPick(number, true);
  };
  return html`<svg class="words-over" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"
      @pointerdown=${down} @pointermove=${move}>
    ${read[at].words.map(({ box: [x0, top, x1, bottom] }, place) => svg`
      <rect data-word=${first + place} x=${x0} y=${top} width=${x1 - x0} height=${bottom - top}
        class=${low <= first + place && first + place <= high ? 'word picked' : 'word'}></rect>`)}
  </svg>`;
}
