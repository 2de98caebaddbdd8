/** One level: its text, with heat in the margin, the selected line and the linked ones. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { heat } from '../format/heat';
import { time } from '../format/units';
import { useSize } from '../parts/useSize';
import { isDark, palette } from '../state/store';
import { partsOf } from './highlight';
import { hottestOf, nextOf, type Line, type Model } from './model';
import { Strip } from './Strip';

export const LINE = 20;
const BEYOND = 20;

export interface PaneProps {
  label: string;
  model: Model;
  selected: number | null;
  /** Lines of the other pane's selection, in order. */
  linked: number[];
  onSelect: (line: number | null) => void;
  /** Goes to the other pane. */
  onOther: () => void;
}

const Text = (props: { line: Line; place: number; selected: boolean; linked: boolean;
  largest: number; onSelect: () => void }) => {
  const { line, place } = props;
  const kind = props.selected ? 'line selected' : props.linked ? 'line linked' : 'line';
  return (
    <div class={kind} role="option" aria-selected={props.selected} data-line={place + 1}
      style={{ top: `${place * LINE}px` }} onClick={props.onSelect}
      title={line.time ? time(line.time) : undefined}>
      <span class="heat">
        {line.share > 0 && <span class="mark" style={{
          width: `${Math.max(line.share / props.largest * 100, 3)}%`,
          background: heat(line.share / props.largest, palette.value, isDark.value) }} />}
        <span class="percent">{line.share >= 0.0005 ? `${(line.share * 100).toFixed(1)}` : ''}</span>
      </span>
      <span class="number">{place + 1}</span>
      <code>{partsOf(line.text).map((part, at) => part.kind === 'plain' ? part.text
        : <span key={at} class={`t-${part.kind}`}>{part.text}</span>)}</code>
    </div>
  );
};

/** The keys of a pane. */
const keyOf = (event: KeyboardEvent, props: PaneProps, page: number): number | null => {
  const { selected, linked, model } = props;
  const at = selected ?? hottestOf(model, linked) ?? 0;
  const last = model.lines.length - 1;
  switch (event.key) {
    case 'ArrowDown': return Math.min(at + 1, last);
    case 'ArrowUp': return Math.max(at - 1, 0);
    case 'PageDown': return Math.min(at + page, last);
    case 'PageUp': return Math.max(at - page, 0);
    case 'Home': return 0;
    case 'End': return last;
    case 'h': return nextOf(hotLines(model), at, 1);
    default: return null;
  }
};

const hotLines = (model: Model): number[] =>
  model.lines.flatMap((line, place) => line.share > model.largest / 20 ? [place] : []);

export const Pane = (props: PaneProps) => {
  const { model, selected, linked } = props;
  const { element, height } = useSize<HTMLDivElement>();
  const [top, setTop] = useState(0);
  const shown = useRef<number | null>(null);
  const hottest = useMemo(() => model.lines.findIndex((line) => line.share === model.largest), [model]);
  const reveal = (line: number) => {
    const frame = element.current;
    if (!frame) return;
    const place = line * LINE;
    if (place < frame.scrollTop + LINE * 2 || place > frame.scrollTop + frame.clientHeight - LINE * 3)
      frame.scrollTop = Math.max(place - frame.clientHeight / 3, 0);
  };
  const target = selected ?? hottestOf(model, linked) ?? (model.largest > 0 ? hottest : null);
  useEffect(() => {
    if (target !== null && height > 0 && shown.current !== target) {
      reveal(target);
      shown.current = target;
    }
  }, [target, height, model]);
  const step = (direction: 1 | -1) => {
    const middle = Math.floor((shown.current ?? top / LINE));
    const next = nextOf(linked, middle, direction);
    if (next === null) return;
    reveal(next);
    shown.current = next;
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'n' || event.key === 'p') return step(event.key === 'n' ? 1 : -1);
    if (event.key === '[' || event.key === ']') return props.onOther();
    if (event.key === 'Escape') return props.onSelect(null);
    if (event.key === 'Enter' && linked.length && selected === null)
      return props.onSelect(shown.current ?? linked[0]);
    const next = keyOf(event, props, Math.floor(height / LINE) - 2);
    if (next === null) return undefined;
    event.preventDefault();
    return props.onSelect(next);
  };
  const begin = Math.max(Math.floor(top / LINE) - BEYOND, 0);
  const end = Math.min(Math.ceil((top + height) / LINE) + BEYOND, model.lines.length);
  const marked = new Set(linked);
  return (
    <div class="pane">
      <div class="text" ref={element} tabIndex={0} role="listbox" aria-label={props.label}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)} onKeyDown={pressed}>
        <div class="lines" style={{ height: `${model.lines.length * LINE}px` }}>
          {model.lines.slice(begin, end).map((line, at) => (
            <Text key={begin + at} line={line} place={begin + at} largest={model.largest}
              selected={begin + at === selected} linked={marked.has(begin + at)}
              onSelect={() => props.onSelect(begin + at)} />
          ))}
        </div>
      </div>
      <Strip model={model} linked={linked} selected={selected} height={height}
        onGo={(line) => element.current?.scrollTo({ top: line * LINE - height / 2 })} />
    </div>
  );
};
