// What every page has: what draws it, its address and head, the sign-in, and how errors are told.

import { html, nothing, render } from './html.js';
import { Problem, ask, refusal } from './api.js';
import { byId, submitted } from './desk.js';

/** What every page shows. */
const PAGE = {
  /** @type {any} */ session: null,
  /** @type {Problem|null} */ problem: null,
  /** @type {string|null} pointed at */ lit: null,
  page: 1,
  zoom: 1,
  said: '',
  help: false,
  ready: false, // to be drawn
};

/**
 * A page: `set` changes its state and draws all of it, at any time.
 * @template S
 * @param {string} here its address @param {S} own what it shows besides
 */
export function pageOf(here, own) {
  const state = { ...PAGE, ...own };
  let view = () => /** @type {unknown} */ (nothing); // of somebody who is signed in
  let out = false; // nobody is, until a reload
  let retry = () => {};
  const update = () => {
    if (!state.ready) return;
    render(html`${head(state.session, here)}
      ${state.session
        ? html`<p class="unseen" role="status">${state.said}</p>${view()}`
        : out
          ? signIn(state.problem, (problem) => set({ problem }))
          : html`<main class="narrow">${notNow(state.problem, 'Try again', retry)}</main>`}`, byId('page'));
  };
  /** @param {Partial<S>|Partial<typeof PAGE>} change */
  const set = (change) => {
    Object.assign(state, change);
    update();
  };
  /** @param {number} page */
  const turn = (page) => {
    set(/** @type {Partial<typeof PAGE>} */ ({ page }));
    address({ page: String(page) });
  };
  /** @param {unknown} error */
  const fail = (error) => {
    if (!(error instanceof Problem)) throw error;
    out ||= error.status === 401;
    const ended = state.session ? refusal('The session has ended.', 'Sign in again: what was decided is kept.') : state.problem;
    Object.assign(state, out ? { session: null, problem: ended, busy: false } : { problem: error, busy: false, said: '' });
    update();
    if (out) byId('key')?.focus();
  };
  /** @param {() => unknown} drawn @param {() => Promise<void>} start with what is shown first */
  const begin = async (drawn, start) => {
    view = drawn;
    retry = () => begin(drawn, start);
    try {
      state.session = await ask('GET', '/session');
      await start();
    } catch (error) {
      fail(error);
    }
    set({ ready: true });
  };
  addEventListener('pointerover', ({ target }) => {
    const place = /** @type {HTMLElement} */ (target).closest?.('.sheet [data-id], [id^="value-"]');
    const lit = place?.getAttribute('data-id') ?? place?.id.slice('value-'.length) ?? null;
    if (lit !== state.lit) set({ lit });
  });
  return { state, update, set, turn, fail, begin };
}

/** @param {URLSearchParams} all @param {Record<string, string|null>} change what is null leaves */
export function alter(all, change) {
  for (const [name, value] of Object.entries(change)) {
    if (value) all.set(name, value);
    else all.delete(name);
  }
  return all;
}

/**
 * Keep what is shown in the address, so that a link leads back.
 * @param {Record<string, string|null>} change @param {boolean} [fresh] whether Back leads here
 */
export function address(change, fresh = false) {
  const here = new URL(location.href);
  alter(here.searchParams, change);
  if (here.href !== location.href) history[fresh ? 'pushState' : 'replaceState'](null, '', here);
}

const PAGES = [['/', 'Try'], ['/review', 'Review'], ['/teach', 'Teach']];

/** @param {{name: string|null}|null} session @param {string} here */
function head(session, here) {
  const signOut = async () => {
    await ask('DELETE', '/session');
    location.reload();
  };
  return html`<header class="row head">
    <a class="row brand" href="/"><img src="/web/icon.svg" alt="" width="24" height="24">fieldwright</a>
    <nav aria-label="Pages">
      ${PAGES.map(([to, name]) => html`<a href=${to} aria-current=${to === here ? 'page' : nothing}>${name}</a>`)}
      <a href="/docs">API</a>
    </nav>
    ${session?.name
      ? html`<span class="who">${session.name}</span>
          <button class="quiet" @click=${signOut}>Sign out</button>`
      : nothing}
  </header>`;
}

/** @param {Problem|null} problem */
export function notice(problem) {
  if (!problem) return nothing;
  return html`<div class="notice" role="alert">
    <strong>${problem.detail}</strong> ${problem.advice}
  </div>`;
}

/** @param {Problem|null} problem @param {string} label of what can be done @param {() => void} act */
export const notNow = (problem, label, act) => html`
  <h1>Not now</h1>
  ${notice(problem)}
  <p class="choice"><button @click=${act}>${label}</button></p>`;

/** @param {any} session @param {string} scope */
export const may = (session, scope) => session.scopes.includes(scope) || session.scopes.includes('admin');

/** Refuse a key that is not for a page. @param {any} session @param {string} scope @param {string} use @param {string} more */
export function entitle(session, scope, use, more) {
  if (may(session, scope)) return;
  throw refusal(`This key is not for ${use}.`, `The operator makes one with \`fieldwright keys create NAME --scope ${scope} ${more}\`.`);
}

/** The page begins anew for who signs in. @param {Problem|null} problem @param {(problem: Problem) => void} onProblem */
function signIn(problem, onProblem) {
  const submit = submitted(async ({ key }) => {
    try {
      await ask('POST', '/session', { json: { key } });
      location.reload();
    } catch (error) {
      onProblem(/** @type {Problem} */ (error));
    }
  });
  return html`<main class="narrow">
    <h1>Sign in</h1>
    <p>This service wants a key. Its operator makes one with <code>fieldwright keys create</code>.</p>
    <form class="card form" @submit=${submit}>
      <label for="key">Key</label>
      <input id="key" name="key" type="password" autocomplete="current-password" required autofocus>
      <button class="main">Sign in</button>
      ${notice(problem)}
    </form>
  </main>`;
}
