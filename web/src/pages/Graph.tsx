/** The ops of a level as a graph, with heat and the critical path. */
import { useMemo, useState } from 'preact/hooks';
import { percent, time } from '../format/units';
import { GraphPicture } from '../graph/GraphPicture';
import { Failure, Nothing, Waiting } from '../parts/Notice';
import type { Graph as GraphAnswer, GraphNode } from '../source/answers';
import { source } from '../source/source';
import { addressOf } from '../state/address';
import { below, useAnswer } from '../state/answer';
import { option, setOptions } from '../state/store';
import type { PageProps } from './registry';

/** The largest numbers of boxes to choose from; further ones are folded into their frames. */
const MOST_BOXES = ['50', '100', '300', '1000', '3000'];

const addressOfGraph = (profile: string, level: string | null, nodes: string | null): string => {
  const options = new URLSearchParams();
  if (level) options.set('level', level);
  if (nodes) options.set('nodes', nodes);
  return below(profile, `graph${options.size ? `?${options}` : ''}`);
};

const Node = (props: { profile: string; level: string; node: GraphNode; group: string }) => {
  const { node } = props;
  return (
    <p class="status" role="status">
      <strong>{node.label}</strong> {node.detail} <span class="muted">{props.group}</span>{' '}
      {Number(node.time_ps) > 0 ? `${time(node.time_ps)} (${percent(node.share / 1e6)})` : 'not measured'}
      {node.on_critical_path && ', on the critical path'}{' '}
      {node.op !== null && node.op >= 0 && <a href={addressOf(props.profile, 'code', { left: props.level, select: `left:${node.op}` })}>
        Show its line</a>}
    </p>
  );
};

export const Graph = (props: PageProps) => {
  const { profile } = props;
  const level = option('level');
  const { value, error } = useAnswer<GraphAnswer>(addressOfGraph(profile.id, level, option('nodes')));
  const [scale, setScale] = useState(1);
  const chosen = useMemo(() => value?.nodes.find((node) => String(node.id) === option('node')), [value, option('node')]);
  const largest = value?.nodes.reduce((most, node) => Math.max(most, node.share), 0) ?? 0;
  return (
    <div class="page fill">
      <div class="tools">
        {profile.levels.length > 1 && <label>Level{' '}
          <select aria-label="Level" value={level ?? profile.levels[0]}
            onChange={(event) => setOptions({ level: event.currentTarget.value, node: null })}>
            {profile.levels.filter((name) => name !== 'asm').map((name) => <option key={name}>{name}</option>)}
          </select></label>}
        {!source.offline && <label>Boxes{' '}
          <select aria-label="Boxes" value={option('nodes') ?? '300'}
            onChange={(event) => setOptions({ nodes: event.currentTarget.value, node: null })}>
            {MOST_BOXES.map((most) => <option key={most} value={most}>at most {most}</option>)}
          </select></label>}
        <button type="button" aria-label="Smaller" onClick={() => setScale(scale / 1.25)}>−</button>
        <button type="button" aria-label="Larger" onClick={() => setScale(scale * 1.25)}>+</button>
        <input type="search" aria-label="Search ops" placeholder="Search ops" value={option('find') ?? ''}
          onInput={(event) => setOptions({ find: event.currentTarget.value || null }, true)} />
      </div>
      {error && <Failure error={error} />}
      {!value && !error && <Waiting />}
      {value?.nodes.length === 0 && <Nothing>The level has no ops to draw.</Nothing>}
      {value?.notes?.map((note) => <p class="muted" key={note}>{note}</p>)}
      {value && value.nodes.length > 0 && <GraphPicture graph={value} scale={scale} largest={largest}
        chosen={chosen?.id ?? null} found={option('find') ?? ''}
        onChoose={(id) => setOptions({ node: String(id) }, true)} />}
      {chosen ? <Node profile={profile.id} level={level ?? profile.levels[0]} node={chosen}
        group={chosen.group === null ? '' : value?.groups[chosen.group]?.label ?? ''} />
        : <p class="status muted">Choose an op to see its time. Ops on the critical path have a thick border and thick lines.</p>}
    </div>
  );
};
