// What the pages take of the library that draws them.

export { html, nothing, render, svg } from '../library/lit-html/lit-html.js';
export { live } from '../library/lit-html/directives/live.js';
export { repeat } from '../library/lit-html/directives/repeat.js';
