/** The picture of a graph, which the service has laid out. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { heat } from '../format/heat';
import { time } from '../format/units';
import type { Graph, GraphNode } from '../source/answers';
import { isDark, palette } from '../state/store';

interface PictureProps {
  graph: Graph;
  scale: number;
  largest: number;
  chosen: number | null;
  found: string;
  onChoose: (id: number) => void;
}

/**
 * A text of a box. The service measures boxes with a font of its own; where the letters of
 * the reader's are wider, they move together.
 */
const Text = (props: { text: string; y: number; width: number; small?: boolean }) => {
  const element = useRef<SVGTextElement>(null);
  const [natural, setNatural] = useState(0);
  useLayoutEffect(() => setNatural(element.current?.getComputedTextLength() ?? 0), [props.text]);
  const space = props.width - 14;
  return <text ref={element} x={8} y={props.y} class={props.small ? 'small' : undefined}
    {...(natural > space && { textLength: space, lengthAdjust: 'spacingAndGlyphs' })}>{props.text}</text>;
};

/** The labels of all frames around a node. */
const groupOf = (graph: Graph, node: GraphNode): string => {
  const labels: string[] = [];
  for (let place = node.group; place !== null && graph.groups[place]; place = graph.groups[place].parent)
    labels.unshift(graph.groups[place].label);
  return labels.join(' / ');
};

const Box = (props: PictureProps & { node: GraphNode }) => {
  const { node, largest } = props;
  const wanted = props.found.toLowerCase();
  const fits = !wanted || `${node.label} ${node.detail ?? ''} ${groupOf(props.graph, node)}`.toLowerCase().includes(wanted);
  const kind = ['node', node.on_critical_path && 'critical', node.id === props.chosen && 'chosen',
    !fits && 'faint'].filter(Boolean).join(' ');
  const choose = () => props.onChoose(node.id);
  return (
    <g class={kind} transform={`translate(${node.x} ${node.y})`} tabindex={0} role="button" data-id={node.id}
      aria-pressed={node.id === props.chosen}
      onClick={choose} onKeyDown={(event) => {
        if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); choose(); }
      }}>
      <rect width={node.w} height={node.h} rx={3} />
      <title>{`${node.label} ${node.detail ?? ''}`}</title>
      {node.share > 0 && <rect class="share" x={0} y={node.h - 5} height={5}
        width={Math.max(node.w * node.share / largest, 2)}
        style={{ fill: heat(node.share / largest, palette.value, isDark.value) }} />}
      <Text text={node.label} y={16} width={node.w} />
      <Text text={Number(node.time_ps) > 0 ? time(node.time_ps) : node.detail ?? ''}
        y={Math.min(31, node.h - 8)} width={node.w} small />
    </g>
  );
};

export const GraphPicture = (props: PictureProps) => {
  const { graph, scale, chosen } = props;
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const node = graph.nodes.find((one) => one.id === chosen)
      ?? graph.nodes.reduce((most, one) => (one.share > most.share ? one : most), graph.nodes[0]);
    frame.current?.scrollTo({ left: (node.x + node.w / 2) * scale - frame.current.clientWidth / 2,
      top: (node.y + node.h / 2) * scale - frame.current.clientHeight / 2 });
  }, [graph]);
  const classOf = (edge: Graph['edges'][number]) => ['edge', edge.on_critical_path && 'critical',
    chosen !== null && (edge.from === chosen || edge.to === chosen) && 'chosen'].filter(Boolean).join(' ');
  return (
    <div class="frame graph" ref={frame} tabIndex={0} role="region" aria-label="Graph of ops">
      <svg width={graph.width * scale} height={graph.height * scale} role="group" aria-label="Ops"
        viewBox={`0 0 ${graph.width} ${graph.height}`}>
        {graph.groups.map((group, place) => <g key={place} class="group">
          <rect x={group.x} y={group.y} width={group.w} height={group.h} rx={4} />
          <text x={group.x + 8} y={group.y + 15} class="small">{group.label}</text></g>)}
        {graph.edges.map((edge, place) => <polyline key={place} class={classOf(edge)}
          points={edge.points.map((point) => point.join(',')).join(' ')} />)}
        {graph.nodes.map((node) => <Box key={node.id} {...props} node={node} />)}
      </svg>
    </div>
  );
};
