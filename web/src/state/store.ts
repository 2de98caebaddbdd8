/** The state that pages share: the address, the theme, the palette. */
import { effect, signal } from '@preact/signals';
import { PALETTES, type PaletteName } from '../format/heat';
import { formatAddress, parseAddress, type Address } from './address';

export const address = signal<Address>(parseAddress(location.hash));

const follow = (): void => {
  address.value = parseAddress(location.hash);
};
addEventListener('hashchange', follow);
addEventListener('popstate', follow);

const WAIT_MS = 150;
let waiting = 0;

/** Shows the state in the browser's address. */
const write = (add: boolean): void => {
  clearTimeout(waiting);
  waiting = 0;
  const hash = formatAddress(address.peek());
  try {
    if (add) history.pushState(null, '', hash);
    else history.replaceState(null, '', hash);
  } catch { /* A frame whose text was given to it has no address: the page alone keeps it. */ }
};

/** Goes to another state; `replace` does not add it to the history of the browser. */
export const go = (next: Address, replace = false): void => {
  if (formatAddress(next) === formatAddress(address.peek())) return;
  if (!replace && waiting) write(false);
  address.value = next;
  // Browsers ignore addresses that change many times a second, as in a moving timeline.
  if (!replace) write(true);
  else if (!waiting) waiting = setTimeout(() => write(false), WAIT_MS) as unknown as number;
};

/** Goes to an address that begins with `#`. */
export const goTo = (hash: string): void => go(parseAddress(hash));

// In such a frame, a link to `#` would lead to the page around it.
addEventListener('click', (event) => {
  const link = event.target instanceof Element && event.target.closest('a[href^="#/"]');
  if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  goTo(link.getAttribute('href')!);
});

/** Changes options of the address; null removes one. */
export const setOptions = (
  changes: Record<string, string | string[] | null>, replace = false,
): void => {
  const options = new URLSearchParams(address.peek().options);
  for (const [name, value] of Object.entries(changes)) {
    options.delete(name);
    if (Array.isArray(value)) value.forEach((one) => options.append(name, one));
    else if (value !== null) options.set(name, value);
  }
  go({ ...address.peek(), options }, replace);
};

export const option = (name: string): string | null => address.value.options.get(name);

/** Keeps a choice for the next visit, where the browser lets a page do so. */
const kept = <Value extends string>(name: string, known: readonly Value[], otherwise: Value) => {
  let first: string | null = null;
  try {
    first = localStorage.getItem(name);
  } catch { /* a frame or a file without storage */ }
  const value = signal<Value>(known.find((one) => one === first) ?? otherwise);
  effect(() => {
    const now = value.value;
    try {
      localStorage.setItem(name, now);
    } catch { /* as above */ }
  });
  return value;
};

export const THEMES = ['system', 'light', 'dark'] as const;
export const theme = kept('mlir-prof-theme', THEMES, 'system');
export const palette = kept<PaletteName>('mlir-prof-palette', PALETTES, 'heat');

const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(prefersDark.matches);
prefersDark.addEventListener('change', (event) => {
  systemIsDark.value = event.matches;
});

export const isDark = signal(false);
effect(() => {
  isDark.value = theme.value === 'dark' || (theme.value === 'system' && systemIsDark.value);
  document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
});
