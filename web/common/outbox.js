// What was decided and is not yet acknowledged: kept in the browser, sent in order, and again until
// the service has it. The service keeps each decision once, by its id.

import { ask, passing, pause, PAUSE, uuid } from './api.js';

/** @typedef {{key: string, by: string, at: number, method: string, path: string, body: any}} Letter */

export class Outbox {
  /** @param {() => void} onChange of the number of letters @param {string} [kept] what the browser calls those of a page */
  constructor(onChange, kept = 'fieldwright-outbox') {
    this.onChange = onChange;
    this.kept = kept;
    this.by = '';
    /** @type {Letter[]} */
    this.letters = [];
    /** @type {Map<Letter, {resolve: (answer: any) => void, reject: (problem: unknown) => void}>} */
    this.waiting = new Map();
    /** @type {(() => void)[]} */
    this.idle = [];
    this.sending = false;
    this.sent = 0; // letters, ever
  }

  get unsaved() {
    return this.letters.length;
  }

  /** Send what a person left in any tab; what others left waits for them. @param {string} by */
  open(by) {
    this.by = by;
    this.letters = Object.keys(localStorage)
      .filter((key) => key.startsWith(`${this.kept} `))
      .map((key) => JSON.parse(localStorage[key]))
      .filter((letter) => letter.by === by)
      .sort((one, other) => one.at - other.at);
    return this.flush();
  }

  /** Send a letter after all before it. @param {string} path @param {any} body @returns {Promise<any>} */
  send(path, body, method = 'POST') {
    const letter = { key: `${this.kept} ${uuid()}`, by: this.by, at: performance.timeOrigin + performance.now(), method, path, body };
    localStorage[letter.key] = JSON.stringify(letter);
    this.letters.push(letter);
    this.sent += 1;
    this.onChange();
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
        const answer = await ask(letter.method, letter.path, { json: letter.body });
        this.done(letter);
        told?.resolve(answer);
      } catch (error) {
        if (passing(error)) {
          await pause(PAUSE);
          continue;
        }
        const out = /** @type {any} */ (error).status === 401; // kept: it is sent once they have signed in again
        if (!out) this.done(letter);
        told?.reject(error);
        if (out) break;
      }
    }
    this.sending = false;
  }

  /** @param {Letter} letter */
  done(letter) {
    localStorage.removeItem(letter.key);
    this.letters.shift();
    this.waiting.delete(letter);
    this.onChange();
    if (!this.letters.length) this.idle.splice(0).forEach((told) => told());
  }
}
