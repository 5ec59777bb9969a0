// The one place that talks to the service. Everything is asked of the host that the page is from.

/** An error of the service, as its problem documents tell it; status 0 where it was not reached. */
export class Problem extends Error {
  /** @param {string} code @param {string} detail @param {string} advice @param {number} status */
  constructor(code, detail, advice, status) {
    super(detail);
    this.code = code;
    this.detail = detail;
    this.advice = advice;
    this.status = status;
  }
}

/** Without a prototype, for a field may be called `constructor`. @param {string} _ @param {any} value */
const bare = (_, value) => (value && typeof value === 'object' && !Array.isArray(value) ? Object.setPrototypeOf(value, null) : value);

/** Whether the service may well answer otherwise in a moment. @param {any} problem */
export const passing = ({ status }) => status === 0 || status === 429 || status >= 500;

/** @param {number} milliseconds @returns {Promise<void>} */
export const pause = (milliseconds) => new Promise((over) => setTimeout(over, milliseconds));

export const PAUSE = 1500; // milliseconds until what failed for a moment is tried again

/** What the page itself refuses. @param {string} detail @param {string} advice */
export const refusal = (detail, advice) => new Problem('refused', detail, advice, 422);

/**
 * @param {string} method @param {string} path under /v1
 * @param {{json?: unknown, form?: FormData, key?: string}} [sent] `key` makes it repeatable
 * @returns {Promise<any>} the body, null where there is none
 */
export async function ask(method, path, sent = {}) {
  /** @type {RequestInit} */
  const request = { method };
  if (sent.form) request.body = sent.form;
  if (sent.json !== undefined) {
    request.body = JSON.stringify(sent.json);
    request.headers = { 'Content-Type': 'application/json', ...(sent.key && { 'Idempotency-Key': sent.key }) };
  }
  request.keepalive = method !== 'GET' && !sent.form && String(request.body).length < 60_000; // also where the page is left
  let response, text;
  try {
    response = await fetch(`/v1${path}`, request);
    text = await response.text();
  } catch {
    throw new Problem('unreachable', 'The service cannot be reached.', 'Check the connection, and try again.', 0);
  }
  const told = text && response.headers.get('Content-Type')?.includes('json'); // proxies answer in HTML
  const body = told ? JSON.parse(text, bare) : null;
  if (response.ok) return body;
  const { code = 'internal', detail = `The service answered ${response.status}.`, advice = 'Try again in a moment.' } = body ?? {};
  throw new Problem(code, detail, advice, response.status);
}

/** A random UUID, also where the browser has no secure context to make one. */
export function uuid() {
  const url = URL.createObjectURL(new Blob()); // ends with one
  URL.revokeObjectURL(url);
  return url.slice(-36);
}

/** Keys of what was to be made and never acknowledged, by what was asked. @type {Map<string, string>} */
const unanswered = new Map();

/**
 * Have something made; where no answer came, the same asked again makes no second one.
 * @param {string} path @param {unknown} json @returns {Promise<any>}
 */
export async function make(path, json) {
  const asked = path + JSON.stringify(json);
  const key = unanswered.get(asked) ?? uuid();
  unanswered.set(asked, key);
  let silent = false;
  try {
    return await ask('POST', path, { json, key });
  } catch (error) {
    silent = passing(error);
    throw error;
  } finally {
    if (!silent) unanswered.delete(asked);
  }
}

/** @param {any} job */
export const ended = ({ state }) => ['succeeded', 'failed', 'cancelled'].includes(state);

/** What stands in the way of documents, in words. @returns {Promise<string>} */
export const hindrance = () => ask('GET', '/readyz').then(({ missing }) => missing.join(' '), ({ detail }) => detail);

/**
 * Follow a job until it has ended.
 * @param {string} id @param {(event: any) => void} onEvent told of each step, and of a `hindrance` where it waits
 * @returns {Promise<any>} the last event, null where the job was removed
 */
export function follow(id, onEvent) {
  return new Promise((resolve, reject) => {
    let waits = true;
    const looking = setInterval(async () => onEvent({ hindrance: waits ? await hindrance() : '' }), 5000);
    const listen = () => {
      const stream = new EventSource(`/v1/jobs/${id}/events`);
      const over = (/** @type {(last: any) => void} */ tell, /** @type {any} */ last) => {
        clearInterval(looking);
        stream.close();
        tell(last);
      };
      const heard = (/** @type {MessageEvent} */ message) => {
        const event = JSON.parse(message.data);
        waits = event.state === 'queued';
        onEvent(event);
        if (ended(event)) over(resolve, event);
      };
      stream.addEventListener('state', heard);
      stream.addEventListener('progress', heard);
      stream.addEventListener('removed', () => over(resolve, null));
      stream.addEventListener('error', async () => {
        if (stream.readyState !== EventSource.CLOSED) return; // the browser asks again by itself
        await pause(PAUSE);
        ask('GET', `/jobs/${id}`).then(listen, (problem) => (passing(problem) ? listen() : over(reject, problem)));
      });
    };
    listen();
  });
}
