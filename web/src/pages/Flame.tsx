/** Time by module path or by calls, as nested boxes. */
import { useMemo, useState } from 'preact/hooks';
import { FlameCanvas } from '../flame/FlameCanvas';
import { layoutOf, rooted } from '../flame/layout';
import { percent, time } from '../format/units';
import { Failure, Nothing, Waiting } from '../parts/Notice';
import { useSize } from '../parts/useSize';
import type { Flame as FlameAnswer } from '../source/answers';
import { below, useAnswer } from '../state/answer';
import { option, setOptions } from '../state/store';
import { hasAnalyzer, type PageProps } from './registry';

const KINDS: [string, string][] = [['module-path', 'Module path'], ['call-tree', 'Calls']];

export const Flame = (props: PageProps) => {
  const { profile } = props;
  const kinds = KINDS.filter(([name]) => hasAnalyzer(profile, name));
  const by = option('by') ?? kinds[0]?.[0] ?? 'module-path';
  const grows = option('grows') ?? 'down';
  const { value: answer, error } = useAnswer<FlameAnswer>(below(profile.id, `flame?by=${by}`));
  const value = useMemo(() => answer && rooted(answer), [answer]);
  const { element, width, height } = useSize<HTMLDivElement>();
  const root = Number(option('root') ?? -1);
  const layout = useMemo(() => value && layoutOf(value, root), [value, root]);
  const [over, setOver] = useState<number | null>(null);
  const shown = over ?? (root >= 0 ? root : null);
  const node = value && shown !== null ? value.nodes[shown] : null;
  return (
    <div class="page fill">
      <div class="tools">
        <label>Boxes{' '}<select aria-label="Boxes" value={by}
          onChange={(event) => setOptions({ by: event.currentTarget.value, root: null })}>
          {kinds.map(([name, title]) => <option key={name} value={name}>{title}</option>)}
        </select></label>
        <label>Direction{' '}<select aria-label="Direction" value={grows}
          onChange={(event) => setOptions({ grows: event.currentTarget.value })}>
          <option value="down">down (icicle)</option><option value="up">up (flame)</option>
        </select></label>
        <input type="search" aria-label="Search names" placeholder="Search names"
          value={option('find') ?? ''}
          onInput={(event) => setOptions({ find: event.currentTarget.value || null }, true)} />
        <button type="button" disabled={root < 0} onClick={() => setOptions({ root: null })}>Show all</button>
      </div>
      <div class="frame" ref={element}>
        {error && <Failure error={error} />}
        {!value && !error && <Waiting />}
        {value?.nodes.length === 0 && <Nothing>This profile has no such tree.</Nothing>}
        {value && layout && width > 0 && value.nodes.length > 0 &&
          <FlameCanvas flame={value} boxes={layout.boxes} width={width} height={height} up={grows === 'up'}
            found={option('find') ?? ''} chosen={root} onOver={setOver}
            onChoose={(place) => setOptions({ root: place === null ? null : String(place) })} />}
      </div>
      <p class="status" role="status">{node && layout ? <>
        <strong>{node.name}</strong> {time(node.total_ps)} ({percent(Number(node.total_ps) / Number(value!.total_ps))}
        ), {time(node.self_ps)} itself</> : <span class="muted">Choose a box to show what is in it.</span>}</p>
    </div>
  );
};
