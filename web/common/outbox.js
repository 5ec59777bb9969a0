// What was decided and is not yet acknowledged: kept in the browser, sent in order, and again until
// the service has it. The service keeps each decision once, by its id.

import { Problem, ask } from './api.js';

const PAUSE = 1500; // milliseconds until the next attempt

/** @typedef {{method?: string, path: string, body: any}} Letter without a method: POST */

export class Outbox {
  /**
   * @param {() => void} onChange told whenever the number of letters changes
   * @param {string} [kept] where the browser keeps them; a page sends only what it has written
   */
  constructor(onChange, kept = 'fieldwright-outbox') {
    this.onChange = onChange;
    this.kept = kept;
    /** @type {Letter[]} */
    this.letters = JSON.parse(localStorage.getItem(kept) ?? '[]');
    /** @type {Map<Letter, {resolve: (answer: any) => void, reject: (problem: Problem) => void}>} */
    this.waiting = new Map();
    /** @type {(() => void)[]} */
    this.idle = [];
    this.sending = false;
    this.sent = 0; // letters, ever
  }

  get unsaved() {
    return this.letters.length;
  }

  /** Send a letter after all before it. @param {string} path @param {any} body @returns {Promise<any>} */
  send(path, body, method = 'POST') {
    const letter = { method, path, body };
    this.letters.push(letter);
    this.sent += 1;
    this.keep();
    const answered = new Promise((resolve, reject) => this.waiting.set(letter, { resolve, reject }));
    this.flush();
    return answered;
  }

  /** Wait until nothing is left to send. @returns {Promise<void>} */
  flushed() {
    return this.letters.length ? new Promise((resolve) => this.idle.push(resolve)) : Promise.resolve();
  }

  /** Send what is left, until nothing is. */
  async flush() {
    if (this.sending) return;
    this.sending = true;
    while (this.letters.length) {
      const letter = this.letters[0];
      const told = this.waiting.get(letter);
      try {
        const answer = await ask(letter.method ?? 'POST', letter.path, { json: letter.body });
        this.done(letter);
        told?.resolve(answer);
      } catch (error) {
        const problem = /** @type {Problem} */ (error);
        if (problem.status === 401) { // kept: it is sent once somebody has signed in again
          this.waiting.delete(letter);
          told?.reject(problem);
          break;
        }
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
    if (!this.letters.length) this.idle.splice(0).forEach((told) => told());
  }

  keep() {
    localStorage.setItem(this.kept, JSON.stringify(this.letters));
    this.onChange();
  }
}
