// The one place that talks to the service. Everything is asked of the host that the page is from.

/** An error of the service, as its problem documents tell it; status 0 where it was not reached. */
export class Problem extends Error {
  /** @param {{code: string, detail: string, advice: string, status: number}} told */
  constructor(told) {
    super(told.detail);
    this.code = told.code;
    this.detail = told.detail;
    this.advice = told.advice;
    this.status = told.status;
  }
}

/** Without a prototype, for a field may be called `constructor`. @param {string} _ @param {any} value */
const bare = (_, value) => (value && typeof value === 'object' && !Array.isArray(value) ? Object.setPrototypeOf(value, null) : value);

/** What the page itself refuses. @param {string} detail @param {string} advice */
export const refusal = (detail, advice) => new Problem({ code: 'refused', detail, advice, status: 422 });

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
    request.headers = { 'Content-Type': 'application/json', ...(sent.key ? { 'Idempotency-Key': sent.key } : {}) };
  }
  request.keepalive = method !== 'GET' && !sent.form && String(request.body).length < 60_000; // also where the page is left
  let response;
  try {
    response = await fetch(`/v1${path}`, request);
  } catch {
    throw new Problem({ code: 'unreachable', detail: 'The service cannot be reached.', advice: 'Check the connection, and try again.', status: 0 });
  }
  const text = await response.text();
  const body = text ? JSON.parse(text, bare) : null;
  if (response.ok) return body;
  throw new Problem({
    code: body?.code ?? 'internal',
    detail: body?.detail ?? `The service answered ${response.status}.`,
    advice: body?.advice ?? 'Try again in a moment.',
    status: response.status,
  });
}

/** A random UUID, also where the browser has no secure context to make one. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
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
    const { status } = /** @type {Problem} */ (error);
    silent = status === 0 || status >= 500;
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
  return new Promise((resolve) => {
    const stream = new EventSource(`/v1/jobs/${id}/events`);
    let waits = true;
    const looking = setInterval(async () => onEvent({ hindrance: waits ? await hindrance() : '' }), 5000);
    const over = (/** @type {any} */ last) => {
      clearInterval(looking);
      stream.close();
      resolve(last);
    };
    const heard = (/** @type {MessageEvent} */ message) => {
      const event = JSON.parse(message.data);
      waits = event.state === 'queued';
      onEvent(event);
      if (ended(event)) over(event);
    };
    stream.addEventListener('state', heard);
    stream.addEventListener('progress', heard);
    stream.addEventListener('removed', () => over(null));
  });
}
