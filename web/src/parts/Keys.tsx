/** Keys that work on all pages, and the dialog that lists keys. */
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { PAGES, PROFILE_PAGES } from '../pages/registry';
import type { ProfileDetail } from '../source/answers';
import { go } from '../state/store';

export const helpOpen = signal(false);

const KEYS: [string, string][] = [
  ['/', 'go to the search of the page'],
  ['?', 'this list'],
  ['\u2191 \u2193 Home End', 'move in a table or in code'],
  ['Enter', 'open the row, follow the link'],
  ['n p', 'code: next and previous linked line'],
  ['[ ]', 'code: left and right pane'],
  ['w s + \u2212', 'timeline: zoom in and out'],
  ['a d \u2190 \u2192', 'timeline: move'],
  ['0', 'timeline, flame: show all'],
  ['Esc', 'clear the selection'],
];

/** Whether keys belong to a field of the user's text. */
export const isTyping = (event: KeyboardEvent): boolean => {
  const target = event.target as HTMLElement;
  return event.ctrlKey || event.metaKey || event.altKey
    || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
};

export const useKeys = (profile: ProfileDetail | null) => {
  const waiting = useRef(false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event)) return;
      if (waiting.current) {
        waiting.current = false;
        const one = PROFILE_PAGES.find((page) => page.key === event.key);
        const all = PAGES.find((page) => page.key === event.key);
        const options = new URLSearchParams();
        if (one && profile) go({ profile: profile.id, page: one.name, options });
        else if (all) go({ profile: null, page: all.name, options });
      } else if (event.key === 'g') waiting.current = true;
      else if (event.key === '?') helpOpen.value = true;
      else if (event.key === '/') {
        document.querySelector<HTMLInputElement>('main input[type=search]')?.focus();
        event.preventDefault();
      }
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [profile]);
};

export const Help = () => {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open) dialog.current?.showModal();
  }, [open]);
  const pages = [...PROFILE_PAGES, ...PAGES].map((page): [string, string] =>
    [`g ${page.key}`, page.title]);
  return (
    <dialog ref={dialog} aria-label="Keyboard help" onClose={() => { helpOpen.value = false; }}>
      <h2>Keyboard</h2>
      <dl class="keys">
        {[...KEYS, ...pages].map(([keys, text]) => [<dt><kbd>{keys}</kbd></dt>, <dd>{text}</dd>])}
      </dl>
      <form method="dialog"><button>Close</button></form>
    </dialog>
  );
};
