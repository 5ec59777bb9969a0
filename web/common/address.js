/**
 * Keep what is shown in the address, so that a link leads back; what is null leaves it.
 * @param {Record<string, string|null>} change @param {boolean} [fresh] whether Back leads here
 */
export function address(change, fresh = false) {
  const here = new URL(location.href);
  for (const [name, value] of Object.entries(change)) {
    if (value) here.searchParams.set(name, value);
    else here.searchParams.delete(name);
  }
  if (here.href !== location.href) history[fresh ? 'pushState' : 'replaceState'](null, '', here);
}
