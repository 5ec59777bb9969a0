// What every page has: its head, the sign-in, and how errors are told.

import { html, nothing } from '../library/lit-html/lit-html.js';
import { Problem, ask } from './api.js';

const PAGES = [['/', 'Try'], ['/review', 'Review'], ['/teach', 'Teach']];

/** @param {{name: string|null}|null} session @param {string} here */
export function head(session, here) {
  const signOut = async () => {
    await ask('DELETE', '/session');
    location.reload();
  };
  return html`
    <header class="head">
      <a class="brand" href="/"><img src="/web/icon.svg" alt="" width="24" height="24">fieldwright</a>
      <nav aria-label="Pages">
        ${PAGES.map(
          ([address, name]) =>
            html`<a href=${address} aria-current=${address === here ? 'page' : nothing}>${name}</a>`,
        )}
        <a href="/docs">API</a>
      </nav>
      ${session?.name
        ? html`<span class="who">${session.name}</span>
            <button class="quiet" @click=${signOut}>Sign out</button>`
        : nothing}
    </header>
  `;
}

/** @param {Problem|null} problem */
export function notice(problem) {
  if (!problem) return nothing;
  return html`<div class="notice" role="alert">
    <strong>${problem.detail}</strong> ${problem.advice}
  </div>`;
}

/**
 * @param {Problem|null} problem
 * @param {() => void} onDone
 * @param {(problem: Problem) => void} onProblem
 */
export function signIn(problem, onDone, onProblem) {
  const submit = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    try {
      await ask('POST', '/session', { json: { key: new FormData(form).get('key') } });
      onDone();
    } catch (error) {
      onProblem(/** @type {Problem} */ (error));
    }
  };
  return html`
    <main class="narrow">
      <h1>Sign in</h1>
      <p>This service wants a key. Its operator makes one with <code>fieldwright keys create</code>.</p>
      <form class="card form" @submit=${submit}>
        <label for="key">Key</label>
        <input id="key" name="key" type="password" autocomplete="current-password" required autofocus>
        <button class="main">Sign in</button>
        ${notice(problem)}
      </form>
    </main>
  `;
}
