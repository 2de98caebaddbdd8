/** Answers of the source as values of components. */
import { useEffect, useState } from 'preact/hooks';
import { source } from '../source/source';

export interface Answered<Value> {
  value: Value | null;
  error: (Error & { hint?: string }) | null;
  loading: boolean;
  /** The address that `value` answers, which may be the one asked for before. */
  path: string | null;
}

const KEPT = 100;
const known = new Map<string, Promise<unknown>>();

/** Answers about one profile stay as they are; lists and histories follow the store. */
const isKept = (path: string): boolean => path.startsWith('profiles/');

/** Asks once for each address about a profile, as long as it is among the last ones. */
export const ask = <Value>(path: string): Promise<Value> => {
  if (!isKept(path)) return source.get(path);
  let answer = known.get(path);
  if (!answer) {
    answer = source.get(path);
    answer.catch(() => known.delete(path));
  }
  known.delete(path);
  known.set(path, answer);
  if (known.size > KEPT) known.delete(known.keys().next().value!);
  return answer as Promise<Value>;
};

/** Forgets the answers that begin with `start`, after a change. */
export const forget = (start: string): void => {
  for (const path of known.keys()) if (path.startsWith(start)) known.delete(path);
};

/** The answer to `path`; while another one loads, the last one stays. Null asks nothing. */
export const useAnswer = <Value>(path: string | null, version = 0): Answered<Value> => {
  const [state, setState] = useState<Answered<Value>>(
    { value: null, error: null, loading: path !== null, path: null });
  useEffect(() => {
    if (path === null) return;
    let current = true;
    setState((last) => ({ ...last, loading: true }));
    ask<Value>(path).then(
      (value) => current && setState({ value, error: null, loading: false, path }),
      (error) => current && setState({ value: null, error, loading: false, path }));
    return () => {
      current = false;
    };
  }, [path, version]);
  return path === null ? { value: null, error: null, loading: false, path } : state;
};

/** The address below a profile. */
export const below = (profile: string, rest: string): string =>
  `profiles/${encodeURIComponent(profile)}${rest ? `/${rest}` : ''}`;
