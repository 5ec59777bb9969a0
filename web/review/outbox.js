// What was decided and is not yet acknowledged: kept in the browser, sent in order, and again until
// the service has it. The service keeps each decision once, by its id.

import { Problem, ask } from '../common/api.js';

const KEPT = 'fieldwright-outbox';
const PAUSE = 1500; // milliseconds until the next attempt

/** @typedef {{path: string, body: any}} Letter */

export class Outbox {
  /** @param {() => void} onChange told whenever the number of letters changes */
  constructor(onChange) {
    this.onChange = onChange;
    /** @type {Letter[]} */
    this.letters = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    /** @type {Map<Letter, {resolve: (answer: any) => void, reject: (problem: Problem) => void}>} */
    this.waiting = new Map();
    this.sending = false;
  }

  get unsaved() {
    return this.letters.length;
  }

  /** Send a letter after all before it. @param {string} path @param {any} body @returns {Promise<any>} */
  post(path, body) {
    const letter = { path, body };
    this.letters.push(letter);
    this.keep();
    const answered = new Promise((resolve, reject) => this.waiting.set(letter, { resolve, reject }));
    this.flush();
    return answered;
  }

  /** Send what is left, until nothing is. */
  async flush() {
    if (this.sending) return;
    this.sending = true;
    while (this.letters.length) {
      const letter = this.letters[0];
      const told = this.waiting.get(letter);
      try {
        const answer = await ask('POST', letter.path, { json: letter.body });
        this.done(letter);
        told?.resolve(answer);
      } catch (error) {
        const problem = /** @type {Problem} */ (error);
        if (problem.status === 0 || problem.status === 429 || problem.status >= 500) {
          await new Promise((resolve) => setTimeout(resolve, PAUSE));
        } else {
          this.done(letter);
          told?.reject(problem);
        }
      }
    }
    this.sending = false;
  }

  /** @param {Letter} letter */
  done(letter) {
    this.letters.shift();
    this.waiting.delete(letter);
    this.keep();
  }

  keep() {
    localStorage.setItem(KEPT, JSON.stringify(this.letters));
    this.onChange();
  }
}
