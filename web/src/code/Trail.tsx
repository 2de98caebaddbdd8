/** The selected op at every level: what it came from and what became of it. */
import { useEffect, useState } from 'preact/hooks';
import { count, percent, time } from '../format/units';
import type { Link, Links, PlacedOp } from '../source/answers';
import { ask, below } from '../state/answer';

export interface Selection {
  level: string;
  op: PlacedOp;
  share: number;
  /** The time of the op and of all ops in its regions, in picoseconds. */
  inside: number;
}

export const pathOfLinks = (profile: string, level: string, op: number, to: string): string =>
  below(profile, `modules/${encodeURIComponent(level)}/ops/${op}/links?to=${encodeURIComponent(to)}`);

/** The links of a selection to each other level, as they come. */
const useTrail = (profile: string, levels: string[], selection: Selection | null) => {
  const [trail, setTrail] = useState<Map<string, Links>>(new Map());
  const key = selection && `${selection.level} ${selection.op.op}`;
  useEffect(() => {
    let current = true;
    setTrail(new Map());
    if (selection)
      for (const to of levels.filter((level) => level !== selection.level))
        ask<Links>(pathOfLinks(profile, selection.level, selection.op.op, to)).then(
          (links) => current && setTrail((last) => new Map(last).set(to, links)), () => undefined);
    return () => {
      current = false;
    };
  }, [profile, key]);
  return trail;
};

export const Trail = (props: { profile: string; levels: string[]; selection: Selection | null;
  onOpen: (level: string, links: Link[]) => void }) => {
  const { selection, levels } = props;
  const trail = useTrail(props.profile, levels, selection);
  if (!selection)
    return <div class="trail muted">Select a line to see what its op came from and what became of it.</div>;
  const at = levels.indexOf(selection.level);
  const { op, share, inside } = selection;
  return (
    <div class="trail" role="status">
      <span><strong>{op.name}</strong> in {selection.level}, line {op.line}
        {Number(op.time_ps) > 0 && <span class="numeric"> {time(op.time_ps)}
          {share > 0 && ` (${percent(share)})`}</span>}
        {inside > Number(op.time_ps) && <span class="muted"> {time(inside)} with its regions</span>}
      </span>
      <ol>
        {levels.map((level, place) => {
          const links = trail.get(level);
          const found = links && (place < at ? links.from : links.became);
          if (place === at) return <li key={level} class="here" aria-current="true">{level}</li>;
          return (
            <li key={level}>
              <button type="button" disabled={!found?.length}
                onClick={() => props.onOpen(level, found!)}>
                {level} <span class="muted">{found ? count(found.length) : '…'}</span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
};
