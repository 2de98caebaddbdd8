/** The ops, by one of the groupings of `report`. */
import { AnalyzerTable } from '../parts/AnalyzerTable';
import type { Cell, Column } from '../source/answers';
import { addressOf } from '../state/address';
import { goTo, option, setOptions } from '../state/store';
import type { PageProps } from './registry';

/** The analyzers that this page chooses from; others have pages of their own. */
export const OP_ANALYZERS = ['op', 'op-type', 'op-detail', 'measured-op', 'measured-op-type',
  'location', 'module-path', 'source', 'loop', 'instance', 'chain', 'kernel', 'event', 'scope',
  'call-tree', 'split', 'value', 'hlo-module', 'copy', 'wait', 'device', 'stream', 'thread'];

/** Goes from a row of an op to its line of the module. */
const openOp = (profile: string, level: string) => (row: Cell[], columns: Column[]) => {
  const place = columns.findIndex((column) => column.name === 'index');
  if (place < 0 || row[place] === null) return;
  goTo(addressOf(profile, 'code', { left: level, select: `left:${row[place]}` }));
};

export const Ops = (props: PageProps) => {
  const { profile } = props;
  const known = profile.analyzers.filter((entry) => OP_ANALYZERS.includes(entry.name));
  const available = known.filter((entry) => entry.available);
  const by = option('by') ?? available[0]?.name ?? 'op';
  const level = option('level') ?? 'input';
  const entry = known.find((one) => one.name === by);
  const has = (name: string) => by === name || by === 'op-type' || by === 'location';
  return (
    <div class="page fill">
      <div class="tools">
        <label>Rows{' '}
          <select aria-label="Rows" value={by} onChange={(event) => setOptions(
            { by: event.currentTarget.value, sort: null, filter: null, group: null })}>
            {available.map((one) => <option key={one.name} value={one.name}>{one.title}</option>)}
          </select>
        </label>
        {has('op') && profile.levels.length > 1 &&
          <label>Level{' '}
            <select aria-label="Level" value={level}
              onChange={(event) => setOptions({ level: event.currentTarget.value })}>
              {profile.levels.map((name) => <option key={name}>{name}</option>)}
            </select>
          </label>}
        {entry?.description && <span class="muted">{entry.description}</span>}
      </div>
      <AnalyzerTable key={by} profile={profile} name={by} label={entry?.title ?? by}
        level={has('op') && level !== 'input' ? level : null}
        onOpen={by === 'op' || by === 'loop' ? openOp(profile.id, by === 'loop' ? 'loops' : level)
          : undefined} />
    </div>
  );
};
