// The words of a page, to be picked: click the first and Shift-click the last, drag over them, or
// draw a box around them from where no word is.

import { intoView } from './desk.js';
import { html, nothing, svg } from './html.js';

/** Where drawing began, in fractions of the page; null while no box is drawn. @type {number[]|null} */
let corner = null;

/** The words whose middle lies within a box. @param {Word[]} words @param {number[]} box */
const wordsWithin = (words, [x0, top, x1, bottom]) =>
  words
    .filter(({ box }) => {
      const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
      return x0 <= x && x <= x1 && top <= y && y <= bottom;
    })
    .map(({ number }) => number);

/** @typedef {{number: number, page: number, text: string, box: number[]}} Word */

/** Nothing is being typed or picked. */
export const NOTHING = {
  /** @type {string|null} text being typed */ text: null,
  /** @type {any} what it would become */ typed: null,
  /** @type {number[]} words being picked */ picks: [],
  /** @type {number[]|null} a box being drawn */ drawn: null,
  picking: false, // with the arrows, too
};

/** What words say, and where those of the first page stand. @param {Word[]} words @param {number[]} numbers */
function picked(words, numbers) {
  const chosen = new Set(numbers);
  const all = words.filter(({ number }) => chosen.has(number));
  const page = all[0]?.page;
  const boxes = all.filter((one) => one.page === page).map(({ box }) => box);
  const edge = (/** @type {number} */ at, /** @type {(...all: number[]) => number} */ of) => of(...boxes.map((box) => box[at]));
  return {
    text: all.map(({ text }) => text).join(' '),
    page,
    box: all.length ? [edge(0, Math.min), edge(1, Math.min), edge(2, Math.max), edge(3, Math.max)] : null,
  };
}

/** The word that an arrow leads to. @param {Word[]} words of one page @param {number} from @param {string} key */
function beside(words, from, key) {
  const at = words.findIndex(({ number }) => number === from);
  if (at < 0) return words[0]?.number ?? null;
  if (key === 'ArrowLeft' || key === 'ArrowRight') {
    return words[Math.min(words.length - 1, Math.max(0, at + (key === 'ArrowRight' ? 1 : -1)))].number;
  }
  const { box: [x0, top, x1, bottom] } = words[at];
  const [x, y] = [(x0 + x1) / 2, (top + bottom) / 2];
  const far = (/** @type {Word} */ { box }) => Math.abs((box[0] + box[2]) / 2 - x) + 3 * Math.abs((box[1] + box[3]) / 2 - y);
  const found = words
    .filter(({ box }) => (key === 'ArrowDown' ? (box[1] + box[3]) / 2 > bottom : (box[1] + box[3]) / 2 < top))
    .sort((one, other) => far(one) - far(other))[0];
  return found?.number ?? from;
}

/**
 * Picks words into `picks` of a state, by pointer and by arrow key.
 * @param {any} state with the `page` in sight @param {(change: any) => void} set
 * @param {() => Word[]} words of the document @param {(text: string) => void} onPicked
 */
export function picking(state, set, words, onPicked) {
  let [anchor, head] = [0, 0]; // the words that picking began with, and has come to
  const here = () => words().filter(({ page }) => page === state.page);
  const said = () => picked(words(), state.picks);
  const choose = (/** @type {number[]} */ picks, /** @type {number[]|null} */ drawn = null) => {
    set({ picks, drawn, text: null, typed: null });
    if (!drawn) onPicked(said().text);
  };
  /** @param {number} number @param {boolean} further keep the first one */
  const pick = (number, further) => {
    head = number;
    if (!further || !state.picks.length) anchor = number;
    const low = Math.min(anchor, head);
    choose(Array.from({ length: Math.abs(anchor - head) + 1 }, (_, at) => low + at));
  };
  /** @param {number[]} box in fractions of the page @param {boolean} over it is drawn to its end */
  const draw = (box, over) => {
    const picks = wordsWithin(here(), box);
    [anchor, head] = [picks[0], picks[picks.length - 1]];
    choose(picks, over ? null : box);
  };
  return {
    here,
    said,
    pick,
    over: () => picker({ ...state, words: here(), onPick: pick, onDraw: draw }),
    /** @param {string} key an arrow @param {boolean} further @param {number} [first] where it begins */
    walk(key, further, first = here()[0]?.number) {
      const to = state.picks.length ? beside(here(), head, key) : (first ?? null);
      if (to !== null) pick(to, further);
      intoView(document.querySelector(`rect[data-word="${to}"]`));
    },
  };
}

/** @param {any} shown words of the page with boxes in fractions of it, those picked, and a box being drawn */
function picker({ words, picks, drawn, onPick, onDraw }) {
  const chosen = new Set(picks);
  const wordAt = (/** @type {PointerEvent} */ event) => {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.getAttribute('data-word');
    return found ? Number(found) : null;
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
      onPick(number, event.shiftKey || (event.pointerType === 'touch' && picks.length > 0));
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
