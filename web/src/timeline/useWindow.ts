/** The events around a range: more than is shown is asked for, so that panning need not wait. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { TimelineWindow } from '../source/answers';
import { ask, below } from '../state/answer';
import type { Range } from './scene';

const MARGIN = 1;
const WAIT_MS = 60;

interface Loaded {
  view: TimelineWindow;
  range: Range | null;
}

/** Whether an answer still serves a range: it holds it, at no more than 4 times its zoom. */
const serves = (loaded: Loaded, range: Range): boolean => {
  const known = loaded.range ?? { begin: loaded.view.begin_ps, end: loaded.view.end_ps };
  const whole = known.begin <= Math.max(range.begin, loaded.view.begin_ps)
    && known.end >= Math.min(range.end, loaded.view.end_ps);
  const zoom = (known.end - known.begin) / (range.end - range.begin);
  return whole && zoom < 4 * (1 + 2 * MARGIN) && zoom > 0.25;
};

export const useWindow = (profile: string, range: Range | null, width: number) => {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const asked = useRef('');
  useEffect(() => {
    if (width === 0 || (range && loaded && serves(loaded, range)) || (!range && loaded)) return undefined;
    const length = range ? range.end - range.begin : 0;
    const wide = range && { begin: Math.floor(range.begin - MARGIN * length),
      end: Math.ceil(range.end + MARGIN * length) };
    const options = wide ? `begin_ps=${wide.begin}&end_ps=${wide.end}&` : '';
    const pixels = width * (wide ? 1 + 2 * MARGIN : 1);
    const path = below(profile, `timeline?${options}pixels=${pixels}`);
    const timer = setTimeout(() => {
      asked.current = path;
      ask<TimelineWindow>(path).then(
        (view) => asked.current === path && setLoaded({ view, range: wide }),
        (problem) => asked.current === path && setError(problem));
    }, loaded ? WAIT_MS : 0);
    return () => clearTimeout(timer);
  }, [profile, range?.begin, range?.end, width, loaded]);
  return { view: loaded?.view ?? null, error };
};
