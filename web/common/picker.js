// The words of a page, to be picked: click the first and Shift-click the last, drag over them, or
// draw a box around them from where no word is.

import { html, nothing, svg } from '../library/lit-html/lit-html.js';

/** Where drawing began, in fractions of the page; null while no box is drawn. @type {number[]|null} */
let corner = null;

/**
 * The words whose middle lies within a box.
 * @param {{number: number, box: number[]}[]} words @param {number[]} box
 */
export const wordsWithin = (words, [x0, top, x1, bottom]) =>
  words
    .filter(({ box }) => {
      const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
      return x0 <= x && x <= x1 && top <= y && y <= bottom;
    })
    .map(({ number }) => number);

/** @param {any} shown words of the page with boxes in fractions of it, those picked, and a box being drawn */
export function picker({ words, picked, drawn, onPick, onDraw }) {
  const chosen = new Set(picked);
  const wordAt = (/** @type {PointerEvent} */ event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.getAttribute('data-word');
    return found === null || found === undefined ? null : Number(found);
  };
  const placeOf = (/** @type {PointerEvent} */ event) => {
    const { left, top, width, height } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const within = (/** @type {number} */ part) => Math.min(1, Math.max(0, part));
    return [within((event.clientX - left) / width), within((event.clientY - top) / height)];
  };
  const drawnTo = (/** @type {PointerEvent} */ event) => {
    const [x, y] = placeOf(event);
    const [fromX, fromY] = corner ?? [x, y];
    return [Math.min(x, fromX), Math.min(y, fromY), Math.max(x, fromX), Math.max(y, fromY)];
  };
  const down = (/** @type {PointerEvent} */ event) => {
    if (event.button) return;
    const number = wordAt(event);
    if (number !== null) {
      event.preventDefault();
      // A finger has no Shift: its second tap is the last word.
      onPick(number, event.shiftKey || (event.pointerType === 'touch' && picked.length > 0));
    } else if (event.pointerType !== 'touch') { // a finger moves the page
      event.preventDefault();
      corner = placeOf(event);
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    }
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!event.buttons) return;
    if (corner) return onDraw(drawnTo(event), false);
    const number = wordAt(event);
    if (number !== null) onPick(number, true);
  };
  const up = (/** @type {PointerEvent} */ event) => {
    if (!corner) return;
    const box = drawnTo(event);
    corner = null;
    onDraw(box, true);
  };
  return html`<svg class="words-over" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"
      @pointerdown=${down} @pointermove=${move} @pointerup=${up} @pointercancel=${up}>
    ${words.map((/** @type {any} */ { number, box: [x0, top, x1, bottom] }) => svg`
      <rect data-word=${number} x=${x0} y=${top} width=${x1 - x0} height=${bottom - top}
        class=${chosen.has(number) ? 'word picked' : 'word'}></rect>`)}
    ${drawn
      ? svg`<rect class="drawn" x=${drawn[0]} y=${drawn[1]} width=${drawn[2] - drawn[0]} height=${drawn[3] - drawn[1]}></rect>`
      : nothing}
  </svg>`;
}
