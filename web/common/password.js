// The password of an encrypted PDF: asked for where the service wants it, sent once, kept nowhere.

import { html, nothing } from './html.js';
import { leave, submitted } from './desk.js';

/** Whether the service says that a password is wanted, or is not the one. @param {any} problem */
export const locked = (problem) => ['pdf_encrypted', 'pdf_password_wrong'].includes(problem?.code);

/** Put the cursor where the password is typed. */
export const askFor = () => document.getElementById('password')?.focus();

/** @param {any} asked of which document, and what the service said */
export function passwordOf({ problem, name, onPassword, onLeave }) {
  const wrong = problem.code === 'pdf_password_wrong';
  return html`
    <form class="editing" aria-label="Password" @submit=${submitted(({ password }) => onPassword(password), true)}
      @keydown=${(/** @type {KeyboardEvent} */ event) => event.key === 'Escape' && onLeave()}>
      <label for="password">Password of ${name}</label>
      <input id="password" name="password" type="password" autocomplete="off" required maxlength="500"
        aria-invalid=${wrong} aria-describedby="of-password">
      <p id="of-password" class=${wrong ? 'why' : 'soft'} role=${wrong ? 'alert' : nothing}>${wrong
        ? '✗ It does not open with this password.'
        : 'The PDF is encrypted. Its password is used to read it this once, and not kept.'}</p>
      <div class="row"><button class="main">Read <kbd>Enter</kbd></button>
        ${leave(onLeave)}</div>
    </form>`;
}
