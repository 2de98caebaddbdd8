/** Two levels of the lowering side by side, with time in the margin and links between them. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { find, modelOf, nextOf, opAt, timeInside, type Model } from '../code/model';
import { askModule } from '../code/load';
import { Pane } from '../code/Pane';
import { pathOfLinks, Trail, type Selection } from '../code/Trail';
import { Failure, Nothing, Waiting } from '../parts/Notice';
import type { Links, ModuleText } from '../source/answers';
import { placesOf } from '../source/links';
import { counted } from '../format/units';
import { useAnswer } from '../state/answer';
import { option, setOptions } from '../state/store';
import type { PageProps } from './registry';

type Side = 'left' | 'right';
const OTHER: Record<Side, Side> = { left: 'right', right: 'left' };
const NONE: number[] = [];

const useModel = (profile: string, level: string) => {
  const [value, setValue] = useState<ModuleText | null>(null);
  const [error, setError] = useState<Error | null>(null);
  useEffect(() => {
    let current = true;
    setError(null);
    if (level) askModule(profile, level).then((text) => current && setValue(text),
      (problem) => current && setError(problem));
    return () => {
      current = false;
    };
  }, [profile, level]);
  const model = useMemo(() => value && modelOf(value), [value]);
  return { model: model?.level === level ? model : null, error };
};

/** The levels of both sides: by default the input and, beside it, the loops or the last one. */
const sidesOf = (levels: string[]): Record<Side, string> => {
  const known = (name: string | null) => name !== null && levels.includes(name) ? name : null;
  const left = known(option('left')) ?? levels[0];
  const right = known(option('right')) ?? known('loops') ?? levels[levels.length - 1];
  return { left, right };
};

/** The selected op of the address: SIDE:NUMBER. */
const selectionOf = (models: Record<Side, Model | null>, levels: Record<Side, string>) => {
  const match = /^(left|right):(-?\d+)$/.exec(option('select') ?? '');
  if (!match) return null;
  const side = match[1] as Side;
  const op = models[side]?.opOfNumber.get(Number(match[2]));
  if (!op) return null;
  const share = models[side]!.lines[op.line - 1]?.share ?? 0;
  const selection: Selection = { level: levels[side], op, share, inside: timeInside(models[side]!, op) };
  return { side, selection };
};

const LevelChoice = (props: { side: Side; level: string; levels: string[] }) => (
  <label>
    <span class="hidden">Level on the {props.side}</span>
    <select aria-label={`Level on the ${props.side}`} value={props.level}
      onChange={(event) => setOptions({ [props.side]: event.currentTarget.value, select: null })}>
      {props.levels.map((level) => <option key={level}>{level}</option>)}
    </select>
  </label>
);

const Search = (props: { models: Record<Side, Model | null>; onFound: (side: Side, line: number) => void }) => {
  const [text, setText] = useState('');
  const last = useRef(-1);
  const go = (event: Event) => {
    event.preventDefault();
    for (const side of ['left', 'right'] as Side[]) {
      const model = props.models[side];
      const next = model && nextOf(find(model, text), last.current, 1);
      if (next !== null && next !== undefined) {
        last.current = next;
        return props.onFound(side, next);
      }
    }
    return undefined;
  };
  return (
    <form role="search" onSubmit={go}>
      <input type="search" aria-label="Find in the code" placeholder="Find" value={text}
        onInput={(event) => setText(event.currentTarget.value)} />
    </form>
  );
};

export const Code = (props: PageProps) => {
  const { profile } = props;
  const levels = sidesOf(profile.levels);
  const left = useModel(profile.id, levels.left);
  const right = useModel(profile.id, levels.right);
  const models = { left: left.model, right: right.model };
  const frame = useRef<HTMLDivElement>(null);
  const [line, setLine] = useState<{ side: Side; line: number } | null>(null);
  const chosen = selectionOf(models, levels);
  const other = chosen && OTHER[chosen.side];
  const path = chosen && levels.left !== levels.right
    ? pathOfLinks(profile.id, chosen.selection.level, chosen.selection.op.op, levels[other!]) : null;
  const answer = useAnswer<Links>(path);
  // Lines of an earlier answer may be those of another level.
  const links = answer.path === path ? answer.value : null;
  const linked = useMemo(() => links ? placesOf(links) : NONE, [links]);
  if (profile.levels.length === 0)
    return <Nothing>This profile has no module: import it with its model.</Nothing>;
  const select = (side: Side, place: number | null) => {
    const op = place === null ? null : opAt(models[side]!, place);
    setLine(place === null ? null : { side, line: place });
    setOptions({ select: op && `${side}:${op.op}` }, true);
  };
  const focusOther = (side: Side) =>
    frame.current?.querySelectorAll<HTMLElement>('[role=listbox]')[side === 'left' ? 1 : 0]?.focus();
  const pane = (side: Side) => {
    const model = models[side];
    const error = (side === 'left' ? left : right).error;
    const place = line?.side === side ? line.line
      : chosen?.side === side && !line ? chosen.selection.op.line - 1 : null;
    return (
      <section class="side" aria-label={`Level ${levels[side]}`}>
        <div class="tools"><LevelChoice side={side} level={levels[side]} levels={profile.levels} />
          <span class="muted">{model && counted(model.lines.length, 'line')}
            {other === side && linked.length > 0 && `, ${linked.length} linked`}</span></div>
        {error ? <Failure error={error} /> : model
          ? <Pane key={levels[side]} label={`Code of level ${levels[side]}`} model={model}
              selected={place} linked={other === side ? linked : NONE}
              onSelect={(at) => select(side, at)} onOther={() => focusOther(side)} />
          : <Waiting />}
      </section>
    );
  };
  return (
    <div class="page fill code">
      <div class="tools"><Search models={models} onFound={select} /></div>
      <div class="sides" ref={frame}>{pane('left')}{profile.levels.length > 1 && pane('right')}</div>
      <Trail profile={profile.id} levels={profile.levels} selection={chosen?.selection ?? null}
        onOpen={(level) => setOptions({ [other!]: level })} />
    </div>
  );
};
