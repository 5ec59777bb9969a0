// What the desks of the pages have in common: their controls, rows and keys. `shown` is everywhere
// the state of a page, and what can be done.

import { each } from './format.js';
import { html, live, nothing, repeat } from './html.js';

/** @param {string} id @returns {any} the element */
export const byId = (id) => document.getElementById(id);

/** What had the focus is about to go. */
export const blur = () => /** @type {HTMLElement} */ (document.activeElement).blur();

/** Actions whose errors are told. @param {(error: unknown) => void} told @returns {<A extends any[]>(act: (...given: A) => Promise<any>) => (...given: A) => Promise<any>} */
export const attempt = (told) => (act) => (...given) => act(...given).catch(told);

/** @param {(value: string) => void} act on what a control says */
export const given = (act) => (/** @type {any} */ { target }) => act(target.value);

/** @param {(name: string) => void} run a command */
export const leave = (run) => html`<button type="button" @click=${() => run('leave')}>Leave <kbd>Esc</kbd></button>`;

/** @param {string} label @param {string} name of a command @param {string} key @param {any} shown @param {boolean} [off] */
export const button = (label, name, key, { run, mayDecide = true, stops = true }, off = false) => html`
  <button tabindex=${stops ? nothing : -1} ?disabled=${off || !mayDecide} @click=${() => run(name)}>${label} <kbd>${key}</kbd></button>`;

/** @param {string[][]} choices values and labels @param {string} [chosen] */
export const optionsOf = (choices, chosen) => choices.map(([value, label = value]) =>
  html`<option value=${value} ?selected=${value === chosen}>${label}</option>`);

/**
 * A button that asks for files.
 * @param {string} label @param {(files: File[]) => void} onFiles
 * @param {{style?: string, multiple?: boolean, more?: string, accept?: string, capture?: string}} [how] `more` is accepted besides documents
 */
export const fileButton = (label, onFiles, { style = '', multiple = false, more = '', accept = `application/pdf,image/*,.heic,.tif,.tiff${more}`, capture } = {}) => {
  const chosen = (/** @type {Event} */ event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    onFiles([...(input.files ?? [])]);
    input.value = '';
  };
  return html`<label class=${`button ${style}`}>${label}
    <input class="unseen" type="file" ?multiple=${multiple} accept=${accept} capture=${capture ?? nothing} @change=${chosen}></label>`;
};

/** @param {(files: File[]) => void} act on files that are dropped anywhere */
export function onDrop(act) {
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    act([...(event.dataTransfer?.files ?? [])]);
  });
}

/** Whether letters, digits and signs are commands: who dictates turns that off. */
export const letters = () => localStorage.letters !== 'off';

/** @param {string[][]} keys */
export const keysHelp = (keys) => html`
  <label class="check"><input type="checkbox" .checked=${letters()}
    @change=${(/** @type {any} */ { target }) => { localStorage.letters = target.checked ? 'on' : 'off'; }}>
    Single-character shortcuts</label>
  <dl class="keys">${keys.map(([key, , what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl>`;

/** @param {any} shown */
export const helpButton = ({ help, run }) =>
  html`<button aria-expanded=${help} @click=${() => run('help')}>Keys <kbd>?</kbd></button>`;

/**
 * Rows of the panel: what is said of each and, of the one in hand, what can be done.
 * @param {any[]} rows @param {any} shown
 * @param {(row: any, inHand: boolean, shown: any) => unknown} said @param {(row: any, shown: any) => unknown} unfolded
 */
export const rowList = (rows, shown, said, unfolded) => html`<ul class="values">${repeat(rows, ({ id }) => id, (row) => {
  const inHand = row.id === shown.hand;
  return html`<li id=${`value-${row.id}`} class=${`${inHand ? 'hand lit' : ''} ${row.id === shown.lit ? 'lit' : ''}`}>
    ${said(row, inHand, shown)}
    ${inHand ? unfolded(row, shown) : nothing}
  </li>`;
})}</ul>`;

/** The head of a panel. @param {unknown} name @param {unknown} about @param {unknown} beside */
export const strip = (name, about, beside) => html`<div class="strip">
  <div><strong class="file">${name || 'Document'}</strong> <span class="soft">${about}</span></div>
  ${beside}
</div>`;

/** What is left of a document. @param {number} left @param {string} todo @param {string} done */
export const leftMark = (left, todo, done) =>
  html`<strong class=${left ? 'left doubtful' : 'left'}>${left ? `${left} to ${todo}` : done}</strong>`;

/** @param {string[]} warnings */
export const warned = (warnings) => warnings.map((one) => html`<p class="warning">⚠ ${one}</p>`);

/**
 * What is said of a value; what is empty is left out.
 * @param {any} told its `mark` with the `tone` of it, what is `typed` beside what is `said`, and all of `why`
 */
export const valueButton = ({ name, mark, tone, said, picking, typed, why, pressed, onHand, onFocus }) => html`
  <button class="value" aria-pressed=${pressed} @click=${onHand} @focus=${onFocus}>
    <span class="name">${name}</span>
    <span class=${`mark ${tone}`}>${mark}</span>
    ${said ? html`<span class=${picking ? 'said picking' : 'said'}>${said}</span>` : nothing}
    ${typed && typed !== said ? html`<span class="typed">${typed}</span>` : nothing}
    ${each(why).filter(Boolean).map((one) => html`<span class="why">${one}</span>`)}
  </button>`;

/** A value that is typed. @param {string} label @param {string} text @param {(text: string) => void} onText @param {any} run @param {unknown} [more] said of it */
export const edited = (label, text, onText, run, more = nothing) => html`<div class="editing">
  <label for="edit">${label}</label>
  <input id="edit" autocomplete="off" maxlength="2000" .value=${live(text)} aria-describedby=${more === nothing ? more : 'becomes'} @input=${given(onText)}>
  ${more}
  <div class="row">${leave(run)}</div>
</div>`;

/** Whether all is saved. @param {number} unsaved decisions */
export const savedMark = (unsaved) =>
  html`<span class=${unsaved ? 'saved unsaved' : 'saved soft'}>${unsaved ? `${unsaved} unsaved` : 'all saved'}</span>`;

/** Follow a link within the page, unless it is to have a tab of its own. @param {(link: any) => void} act */
export const following = (act) => (/** @type {MouseEvent} */ event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  act(event.currentTarget);
};

/** @param {(said: any) => void} act on what a form says @param {boolean} [empty] the form then */
export const submitted = (act, empty = false) => (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const said = Object.fromEntries(new FormData(form));
  if (empty) form.reset();
  act(said);
};

/** @type {string[][]} key as `KeyboardEvent.key`, command, what it does */
export const VIEW_KEYS = [
  ['[', 'back', 'page back'],
  [']', 'on', 'page on'],
  ['+', 'larger', 'zoom in'],
  ['-', 'smaller', 'zoom out'],
  ['0', 'fit', 'fit the width'],
  ['?', 'help', 'show or hide all keys'],
];

export const DESK_KEYS = [
  ['x', 'absent', 'the document does not say it'],
  ['z', 'undo', 'undo, over documents too'],
  ['Z', 'redo', 'redo'],
  ...VIEW_KEYS,
  ['Escape', 'leave', 'leave typing and picking'],
];

export const [LEAST, MOST] = [0.5, 3]; // zoom

/**
 * The commands of `VIEW_KEYS`.
 * @param {any} state @param {(change: any) => void} set
 * @param {() => {number: number}[]} pages those that were read @param {(number: number) => void} turn
 * @returns {Record<string, () => any>}
 */
export function viewCommands(state, set, pages, turn) {
  const by = (/** @type {number} */ step) => () => {
    const all = pages();
    const to = all[all.findIndex(({ number }) => number === state.page) + step];
    if (!to) return;
    turn(to.number);
    document.querySelector('.paper')?.scrollTo(0, 0);
    showThumbnail();
  };
  const zoomed = (/** @type {number} */ zoom) => {
    set({ zoom: Math.min(MOST, Math.max(LEAST, zoom)) });
    intoView(document.querySelector('.sheet rect.lit'));
  };
  return {
    back: by(-1),
    on: by(1),
    larger: () => zoomed(state.zoom + 0.5),
    smaller: () => zoomed(state.zoom - 0.5),
    fit: () => zoomed(1),
    help: () => {
      set({ help: !state.help });
      intoView(document.querySelector(state.help ? '.keys' : '.hand, .row-in-hand')); // below all values
    },
  };
}

/**
 * The command of a key press; null where it is the browser's, or a control's own.
 * @param {KeyboardEvent} event @param {string[][]} keys and their commands
 * @param {{typing: boolean, arrows?: string, withCtrl?: string[][]}} now whether a text is being typed, and the command of the arrows
 * @returns {{name: string, key: string, further: boolean}|null}
 */
export function commandOf(event, keys, { typing, arrows = '', withCtrl = [] }) {
  const { key, shiftKey: further, repeat } = event;
  const target = /** @type {Element} */ (event.target);
  if ((event.altKey && /\w/.test(key)) || (target !== document.body && !target.closest('main'))) return null;
  const control = target.closest('input, select, textarea');
  const command = (/** @type {string[][]} */ of, wanted = key) => {
    const name = of.find(([one]) => one === wanted)?.[1];
    return name ? { name, key, further } : null;
  };
  if (event.ctrlKey || event.metaKey) return typing || control || repeat ? null : command(withCtrl);
  if (control && key !== 'Escape' && !(key === 'Enter' && ['edit', 'note'].includes(control.id))) return null;
  if (!typing && arrows && key.startsWith('Arrow')) return { name: arrows, key, further };
  // Enter on a button presses it, but for the values themselves.
  if (repeat || (key === 'Enter' && target.closest('button, a, summary') && !target.closest('.value, .value-cell'))) return null;
  if (typing ? !['Escape', 'Enter'].includes(key) : key.length === 1 && !letters()) return null;
  return command(keys, /^[1-9]$/.test(key) ? '1 to 9' : key);
}

/** Seconds since this was called last. */
export function stopwatch() {
  let since = performance.now();
  return () => {
    const was = since;
    since = performance.now();
    return Math.min(3600, (since - was) / 1000);
  };
}

/** The place of a value on the page. @param {string} id */
export const boxOf = (id) => document.querySelector(`.sheet rect[data-id="${CSS.escape(id)}"]`);

/** @param {Element|null|undefined} shown @param {ScrollLogicalPosition} [block] */
export const intoView = (shown, block = 'nearest') => shown?.scrollIntoView({ block, inline: 'nearest' });

/** Until what is drawn can have been seen: a key before is meant for what was there. */
export const seen = () => new Promise((known) => requestAnimationFrame(() => setTimeout(known, 200)));

/** Bring the small picture of what is shown into view, and move nothing but its rail. @param {string} [rail] */
export function showThumbnail(rail = '.thumbnails') {
  /** @type {HTMLElement|null} */
  const at = document.querySelector(`${rail} [aria-current]`);
  const all = at?.closest(rail);
  if (at && all) all.scrollTo(at.offsetLeft - all.clientWidth / 2, at.offsetTop - all.clientHeight / 2);
}

/**
 * Bring the row in hand into view, above the bar at the panel's foot, and its place on the page.
 * @param {string} hand @param {boolean} [still] leave the page where it is @param {boolean} [first] with what is below
 */
export function reveal(hand, still = false, first = false) {
  const foot = `${document.querySelector('.actions')?.clientHeight ?? 0}px`;
  document.documentElement.style.scrollPaddingBottom = foot;
  /** @type {HTMLElement|null} */ (document.querySelector('.panel'))?.style.setProperty('scroll-padding-bottom', foot);
  showThumbnail();
  if (!still) intoView(boxOf(hand), first ? 'center' : 'nearest');
  const item = byId(`value-${hand}`);
  intoView(document.querySelector('.row-in-hand + .row-in-hand'));
  intoView(item, first ? 'start' : 'nearest'); // last: where both scroll the same, the row has to be seen
  (byId('edit') ?? item?.querySelector('.value, .value-cell'))?.focus({ preventScroll: true });
}

// The password of an encrypted PDF: asked for where the service wants it, sent once, kept nowhere.

/** Whether the service says that a password is wanted, or is not the one. @param {any} problem */
export const locked = (problem) => ['pdf_encrypted', 'pdf_password_wrong'].includes(problem?.code);

/** @param {any} asked of which document, and what the service said */
export function passwordOf({ problem, name, onPassword, onLeave }) {
  const wrong = problem.code === 'pdf_password_wrong';
  return html`<form class="editing" aria-label="Password" @submit=${submitted(({ password }) => onPassword(password), true)}
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
