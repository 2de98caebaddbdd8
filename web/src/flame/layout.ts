/** Places of the boxes of a tree: children stand in their parent, the largest first. */
import type { Flame } from '../source/answers';

export interface Box {
  node: number;
  /** Between 0 and 1 of the width. */
  begin: number;
  size: number;
  depth: number;
}

/** The tree with null as the parent of each root. */
export const rooted = (flame: Flame): Flame => ({
  ...flame,
  nodes: flame.nodes.map((node) =>
    ({ ...node, parent: node.parent === null || node.parent < 0 ? null : node.parent })),
});

/** The boxes below `root` and those around it; -1 shows all roots. */
export const layoutOf = (flame: Flame, root: number): { boxes: Box[]; depth: number } => {
  const children = new Map<number, number[]>();
  flame.nodes.forEach((node, place) => {
    const parent = node.parent ?? -1;
    children.set(parent, [...(children.get(parent) ?? []), place]);
  });
  for (const list of children.values())
    list.sort((one, other) => Number(flame.nodes[other].total_ps) - Number(flame.nodes[one].total_ps));
  const boxes: Box[] = [];
  const around: number[] = [];
  for (let place: number | null = root >= 0 ? root : null; place !== null; place = flame.nodes[place].parent)
    around.unshift(place);
  around.slice(0, -1).forEach((node, depth) => boxes.push({ node, begin: 0, size: 1, depth }));
  const total = root >= 0 ? Number(flame.nodes[root].total_ps)
    : (children.get(-1) ?? []).reduce((sum, node) => sum + Number(flame.nodes[node].total_ps), 0);
  let deepest = 0;
  const waiting: [number[], number, number][] = [
    [root >= 0 ? [root] : children.get(-1) ?? [], 0, Math.max(around.length - 1, 0)]];
  while (waiting.length) {
    const [nodes, from, depth] = waiting.pop()!;
    let begin = from;
    for (const node of nodes) {
      const size = total > 0 ? Number(flame.nodes[node].total_ps) / total : 0;
      if (size > 0) {
        boxes.push({ node, begin, size, depth });
        deepest = Math.max(deepest, depth);
        waiting.push([children.get(node) ?? [], begin, depth + 1]);
      }
      begin += size;
    }
  }
  return { boxes, depth: deepest + 1 };
};
