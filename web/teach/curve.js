// Figures as drawings: the learning curve, and a score with its interval.

import { html, nothing, svg } from '../common/html.js';
import { counted } from '../common/format.js';
import { score } from './logic.js';

const [WIDTH, HEIGHT] = [460, 220];
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 14, 12, 38];

/**
 * @param {{documents: number, f1: number}[]} points
 * @param {{more: number, f1: number}|null} gain what more documents would give
 * @param {string} [unit] what is counted
 */
export function curve(points, gain, unit = 'document') {
  const last = points[points.length - 1];
  const ahead = gain && last
    ? { documents: last.documents + gain.more, f1: Math.min(1, Math.max(0, last.f1 + gain.f1)) }
    : null;
  const all = ahead ? [...points, ahead] : points;
  const most = Math.max(...all.map(({ documents }) => documents));
  const least = Math.max(0, Math.floor(Math.min(...all.map(({ f1 }) => f1)) * 5 - 0.25) / 5);
  const x = (/** @type {number} */ documents) => LEFT + (documents / most) * (WIDTH - LEFT - RIGHT);
  const y = (/** @type {number} */ f1) => TOP + ((1 - f1) / (1 - least || 1)) * (HEIGHT - TOP - BOTTOM);
  const path = (/** @type {{documents: number, f1: number}[]} */ some) =>
    some.map(({ documents, f1 }, at) => `${at ? 'L' : 'M'}${x(documents).toFixed(1)} ${y(f1).toFixed(1)}`).join(' ');
  const lines = [least, (1 + least) / 2, 1];
  const told = points.map(({ documents, f1 }) => `${counted(documents, unit)} ${score(f1)}`).join(', ');
  return html`<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label=${`F1: ${told}`}>
    ${lines.map((line) => svg`<path class="grid" d="M${LEFT} ${y(line)}H${WIDTH - RIGHT}"></path>
      <text x=${LEFT - 6} y=${y(line) + 4} text-anchor="end">${score(line)}</text>`)}
    <path class="learnt" d=${path(points)}></path>
    ${ahead ? svg`<path class="ahead" d=${path([last, ahead])}></path>` : nothing}
    ${all.map((point) => svg`<circle class=${point === ahead ? 'ahead' : 'learnt'} cx=${x(point.documents)} cy=${y(point.f1)} r="4"></circle>
      <text x=${x(point.documents)} y=${HEIGHT - BOTTOM + 18} text-anchor=${point.documents === most ? 'end' : 'middle'}>${point.documents}</text>
      <text class="figure" x=${x(point.documents)} y=${y(point.f1) + (y(point.f1) < TOP + 16 ? 18 : -9)}
        text-anchor=${point.documents === most ? 'end' : 'middle'}>${score(point.f1)}</text>`)}
    <text x=${LEFT} y=${HEIGHT - 4}>${unit === 'document' ? 'documents learnt from' : 'epochs'}</text>
  </svg>`;
}

/**
 * A score, the interval that it lies in, and a mark for the version in service.
 * @param {{f1: number, low: number, high: number}} found @param {number} [current]
 */
export function interval({ f1, low, high }, current) {
  const at = (/** @type {number} */ part) => 4 + part * 112;
  return html`<svg class="interval" viewBox="0 0 120 16" aria-hidden="true">
    <path class="grid" d="M4 8H116"></path>
    <path class="reach" d="M${at(low)} 8H${at(high)}"></path>
    ${current === undefined ? nothing : svg`<path class="current" d="M${at(current)} 2V14"></path>`}
    <circle class="learnt" cx=${at(f1)} cy="8" r="4"></circle>
  </svg>`;
}
