/** Texts in the place of data: errors, waiting, nothing to show. */
import type { ComponentChildren } from 'preact';

export const Failure = (props: { error: Error & { hint?: string } }) => (
  <div class="notice failure" role="alert">
    <p>{props.error.message}</p>
    {props.error.hint && <p class="muted">{props.error.hint}</p>}
  </div>
);

export const Waiting = () => <p class="notice muted" role="status">Loading…</p>;

export const Nothing = (props: { children: ComponentChildren }) =>
  <p class="notice muted">{props.children}</p>;
