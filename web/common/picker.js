// The words of a page, to be picked: click the first and Shift-click the last, drag over them, or
// draw a box around them from where no word is.

import { intoView } from './desk.js';
import { html, nothing, svg } from './html.js';

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

/** Where the pointer is, in fractions of what it is over. @param {PointerEvent} event */
function placeOf({ clientX, clientY, currentTarget }) {
  const { left, top, width, height } = /** @type {Element} */ (currentTarget).getBoundingClientRect();
  const within = (/** @type {number} */ part) => Math.min(1, Math.max(0, part));
  return [within((clientX - left) / width), within((clientY - top) / height)];
}

/** The number of the word under the pointer. @param {PointerEvent} event */
function wordAt({ clientX, clientY }) {
  const found = document.elementFromPoint(clientX, clientY)?.getAttribute('data-word');
  return found ? Number(found) : null;
}

/**
 * Picks words into `picks` of a state, by pointer and by arrow key.
 * @param {any} state with the `page` in sight @param {(change: any) => void} set
 * @param {() => Word[]} words of the document @param {(text: string) => void} onPicked
 */
export function picking(state, set, words, onPicked) {
  let [anchor, head] = [0, 0]; // the words that picking began with, and has come to
  /** @type {number[]|null} where the box that is drawn began */
  let corner = null;
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
  const draw = (/** @type {PointerEvent} */ event, /** @type {boolean} */ over) => {
    if (!corner) return;
    const [[x, y], [fromX, fromY]] = [placeOf(event), corner];
    const box = [Math.min(x, fromX), Math.min(y, fromY), Math.max(x, fromX), Math.max(y, fromY)];
    const picks = wordsWithin(here(), box);
    [anchor, head] = [picks[0], picks[picks.length - 1]];
    if (over) corner = null;
    choose(picks, over ? null : box);
  };
  const down = (/** @type {PointerEvent} */ event) => {
    if (event.button) return;
    const number = wordAt(event);
    const touch = event.pointerType === 'touch';
    if (number === null && touch) return; // a finger moves the page
    event.preventDefault();
    // A finger has no Shift: its second tap is the last word.
    if (number !== null) return pick(number, event.shiftKey || (touch && state.picks.length > 0));
    corner = placeOf(event);
    /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
  };
  const move = (/** @type {PointerEvent} */ event) => {
    if (!event.buttons) return;
    if (corner) return draw(event, false);
    const number = wordAt(event);
    if (number !== null) pick(number, true);
  };
  const up = (/** @type {PointerEvent} */ event) => draw(event, true);
  return {
    here,
    said,
    pick,
    over() {
      const chosen = new Set(state.picks);
      const rect = (/** @type {string} */ name, /** @type {number[]} */ [x0, top, x1, bottom], number = /** @type {unknown} */ (nothing)) =>
        svg`<rect data-word=${number} class=${name} x=${x0} y=${top} width=${x1 - x0} height=${bottom - top}></rect>`;
      return html`<svg class="words-over" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"
          @pointerdown=${down} @pointermove=${move} @pointerup=${up} @pointercancel=${up}>
        ${here().map(({ number, box }) => rect(chosen.has(number) ? 'word picked' : 'word', box, number))}
        ${state.drawn ? rect('drawn', state.drawn) : nothing}
      </svg>`;
    },
    /** @param {string} key an arrow @param {boolean} further @param {number} [first] where it begins */
    walk(key, further, first = here()[0]?.number) {
      const to = state.picks.length ? beside(here(), head, key) : (first ?? null);
      if (to !== null) pick(to, further);
      intoView(document.querySelector(`rect[data-word="${to}"]`));
    },
  };
}
