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
