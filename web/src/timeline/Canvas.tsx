/** The canvas of the timeline: pointer and keys move the range, and choose events. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { colorsOfNames } from '../format/heat';
import { time } from '../format/units';
import type { TimelineWindow } from '../source/answers';
import { isDark, palette } from '../state/store';
import type { EventAnswer } from './arrows';
import type { Look } from './boxes';
import { draw } from './draw';
import { eventAt, heightOf, moved, nameOf, placeTracks, RULER, zoomed, type Place, type Range } from './scene';
import { Strip } from './strip';

export interface CanvasProps {
  view: TimelineWindow;
  range: Range;
  width: number;
  height: number;
  selection: Range | null;
  chosen: Place | null;
  known: EventAnswer | null;
  found: string;
  onRange: (range: Range) => void;
  onSelect: (range: Range | null) => void;
  onChoose: (place: Place | null) => void;
}

const getLook = (): Look => {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--${name}`);
  return { text: color('text'), muted: color('muted'), line: color('line'), panel: color('panel'),
    ground: color('ground'), accent: color('accent'), names: colorsOfNames(palette.value) };
};

interface Drag {
  x: number;
  y: number;
  range: Range;
  top: number;
  selects: boolean;
  moved: boolean;
}

export const Canvas = (props: CanvasProps) => {
  const { view, range, width, height, onRange } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const strip = useMemo(() => new Strip(), []);
  const drag = useRef<Drag | null>(null);
  const [folded, setFolded] = useState<Set<number>>(new Set());
  const [top, setTop] = useState(0);
  const [hint, setHint] = useState<{ text: string; x: number; y: number } | null>(null);
  const whole = { begin: view.begin_ps, end: view.end_ps };
  const tracks = useMemo(() => placeTracks(view.tracks, folded), [view, folded]);
  const lowest = Math.max(heightOf(tracks) + RULER - height, 0);
  const dark = isDark.value;
  const colors = palette.value;
  const look = useMemo(getLook, [dark, colors]);
  // An effect after the next frame would show what was asked for two frames later.
  useLayoutEffect(() => {
    const frame = requestAnimationFrame(() => {
      const element = canvas.current;
      const context = element?.getContext('2d', { alpha: false, willReadFrequently: true });
      if (!element || !context) return;
      const [wide, high] = [width, height].map((size) => Math.round(size * devicePixelRatio));
      if (element.width !== wide || element.height !== high) [element.width, element.height] = [wide, high];
      draw(context, strip, { ...props, tracks, top, look });
    });
    return () => cancelAnimationFrame(frame);
  }, [view, range.begin, range.end, width, height, top, tracks, look,
    props.selection?.begin, props.selection?.end, props.chosen, props.known, props.found]);

  const perPixel = (range.end - range.begin) / width;
  const timeAt = (x: number) => range.begin + x * perPixel;
  const hit = (event: MouseEvent) =>
    eventAt(view, tracks, timeAt(event.offsetX), event.offsetY - RULER + top, perPixel * 2);
  const scroll = (by: number) => setTop(Math.min(Math.max(top + by, 0), lowest));

  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey)
      onRange(zoomed(range, Math.exp(event.deltaY * 0.004), timeAt(event.offsetX), whole));
    else if (Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey)
      onRange(moved(range, (event.deltaX || event.deltaY) * perPixel, whole));
    else if (lowest > 0) scroll(event.deltaY);
    else onRange(zoomed(range, Math.exp(event.deltaY * 0.002), timeAt(event.offsetX), whole));
  };
  const down = (event: PointerEvent) => {
    canvas.current!.setPointerCapture(event.pointerId);
    drag.current = { x: event.offsetX, y: event.offsetY, range, top, moved: false,
      selects: event.shiftKey || event.offsetY < RULER };
    setHint(null);
  };
  const move = (event: PointerEvent) => {
    const from = drag.current;
    if (!from) return point(event);
    const [x, y] = [event.offsetX - from.x, event.offsetY - from.y];
    from.moved ||= Math.abs(x) + Math.abs(y) > 3;
    if (!from.moved) return;
    if (from.selects) {
      const ends = [timeAt(from.x), timeAt(event.offsetX)].sort((one, two) => one - two);
      props.onSelect({ begin: Math.floor(ends[0]), end: Math.ceil(ends[1]) });
    } else {
      onRange(moved(from.range, -x * perPixel, whole));
      setTop(Math.min(Math.max(from.top - y, 0), lowest));
    }
  };
  const point = (event: PointerEvent) => {
    const place = hit(event);
    if (!place) return setHint(null);
    const { layer, index } = place;
    const merged = layer.merged[index] > 1 ? `${layer.merged[index]} events, ` : '';
    setHint({ text: `${nameOf(view, layer, index)}\n${merged}${time(layer.duration[index])}`,
      x: event.offsetX, y: event.offsetY });
  };
  const up = (event: PointerEvent) => {
    const from = drag.current;
    drag.current = null;
    if (!from || from.moved) return;
    const y = event.offsetY - RULER + top;
    const head = tracks.find((one) => y >= one.top && y < one.top + 22);
    if (event.offsetY > RULER && head) {
      const next = new Set(folded);
      if (!next.delete(head.track.id)) next.add(head.track.id);
      return setFolded(next);
    }
    props.onChoose(hit(event));
  };
  const pressed = (event: KeyboardEvent) => {
    const middle = (range.begin + range.end) / 2;
    const step = (range.end - range.begin) * 0.15;
    const moves: Record<string, () => void> = {
      w: () => onRange(zoomed(range, 0.7, middle, whole)),
      s: () => onRange(zoomed(range, 1 / 0.7, middle, whole)),
      a: () => onRange(moved(range, -step, whole)),
      d: () => onRange(moved(range, step, whole)),
      0: () => onRange(whole),
      ArrowDown: () => scroll(40),
      ArrowUp: () => scroll(-40),
      Escape: () => { props.onSelect(null); props.onChoose(null); },
    };
    const same: Record<string, string> = { '+': 'w', '=': 'w', '-': 's', ArrowLeft: 'a', ArrowRight: 'd' };
    const action = moves[same[event.key] ?? event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
  };
  useEffect(() => {
    // Preact's listeners are passive here: the wheel must not scroll the page.
    const element = canvas.current!;
    element.addEventListener('wheel', wheel, { passive: false });
    return () => element.removeEventListener('wheel', wheel);
  });
  return (
    <div class="canvas">
      <canvas ref={canvas} tabIndex={0} role="application" style={{ width: `${width}px`, height: `${height}px` }}
        aria-label="Timeline. W and S zoom, A and D move, shift and drag selects a range."
        onPointerDown={down} onPointerMove={move} onPointerUp={up} onKeyDown={pressed}
        onPointerLeave={() => setHint(null)} />
      {hint && <div class="hint" aria-hidden="true"
        style={{ left: `${Math.min(hint.x + 12, width - 240)}px`, top: `${hint.y + 14}px` }}>{hint.text}</div>}
    </div>
  );
};
