/** What the service answers. Times are picoseconds; shares and ratios of tables are millionths. */

/** An integer: numbers that a double does not hold are decimal text. */
export type Integer = number | string;

export interface Profile {
  id: string;
  name: string;
  label: string | null;
  producer: string | null;
  model: string | null;
  commit: string | null;
  machine: string | null;
  recorded_at: string | null;
  uploaded_at: string | null;
  bytes: Integer;
  events: Integer;
  time_ps: Integer | null;
  /** Between 0 and 1. */
  coverage: number | null;
  state: 'ready' | 'quarantined';
  error: string | null;
}

export interface AnalyzerEntry {
  name: string;
  title: string;
  description: string;
  available: boolean;
  reason: string | null;
}

export interface Run {
  source: string;
  iterations?: Integer;
  min_ps?: Integer;
  median_ps?: Integer;
  mean_ps?: Integer;
  samples?: Integer;
}

export interface Loss {
  name: string;
  count: Integer;
  time_ps: Integer | null;
  text?: string;
}

export interface Coverage {
  op_time_ps: Integer;
  unmatched_ps: Integer;
}

export interface ProfileDetail extends Omit<Profile, 'coverage'> {
  /** What was counted in place of time; the members `_ps` are then in this unit. */
  unit?: string | null;
  coverage: Coverage | null;
  levels: string[];
  analyzers: AnalyzerEntry[];
  runs: Run[];
  unmatched: { reason: string; time_ps: Integer }[];
  losses: Loss[];
}

export type ColumnKind =
  | 'text' | 'number' | 'count' | 'time' | 'rate' | 'ratio' | 'share' | 'list' | 'decimal';

export interface Column {
  name: string;
  title: string;
  kind: ColumnKind;
  unit?: string | null;
  /** Where reports show it: data-only columns are those that text leaves out. */
  use?: 'data' | 'data-only' | 'text-only' | null;
}

export type Cell = string | number | null | number[];

export interface Table {
  name: string;
  columns: Column[];
  rows: Cell[][];
  /** Rows that passed the filters, of which `rows` is one page. */
  matched: number;
  total: number;
  weight: { column: string; total: Integer } | null;
  parents: (number | null)[] | null;
  next: string | null;
  notes: string[];
}

export interface Track {
  id: number;
  process: string;
  name: string;
  depth: number;
  count: number;
}

/** The events of one depth of one track, in order of begin. */
export interface Layer {
  track: number;
  depth: number;
  begin: number[];
  duration: number[];
  /** Index into `names` of the answer; -1 for merged events of several names. */
  name: number[];
  op: number[];
  id: number[];
  merged: number[];
}

export interface TimelineWindow {
  begin_ps: number;
  end_ps: number;
  tracks: Track[];
  layers: Layer[];
  names: string[];
  left_out: number;
}

export interface FlameNode {
  name: string;
  /** Index of the node around it; null or negative for a root. */
  parent: number | null;
  self_ps: Integer;
  total_ps: Integer;
}

export interface Flame {
  nodes: FlameNode[];
  total_ps: Integer;
}

export interface Level {
  name: string;
  lines: number;
  ops: number;
  time_ps: Integer;
}

/** An op of a module's text. Lines count from 1; `op` is its number in links. */
export interface PlacedOp {
  op: number;
  line: number;
  end_line: number;
  time_ps: Integer;
  name: string;
}

export interface ModuleText {
  level: string;
  lines_total: number;
  lines: string[];
  heat: { line: number; time_ps: Integer; share: number }[];
  ops: PlacedOp[];
}

export interface Link {
  level: string;
  op: number;
  /** From 1; null if the text does not print the op, such as an implicit yield. */
  line: number | null;
  share: number | null;
}

export interface Links {
  from: Link[];
  became: Link[];
}

export interface Advice {
  rule: string;
  title: string;
  text: string;
  severity: string | number | null;
  next_step?: string;
  gain_ps?: Integer | null;
  command?: string | null;
  evidence: { analyzer: string; filter: string | string[]; rows: number[] }[];
}

export interface Rule {
  name: string;
  description: string;
  needs: string | string[];
}

export interface GraphNode {
  id: number;
  label: string;
  detail?: string;
  /** Null for a box that stands for several ops. */
  op: number | null;
  x: number;
  y: number;
  w: number;
  h: number;
  time_ps: Integer;
  share: number;
  on_critical_path: boolean;
  /** Index into `groups`. */
  group: number | null;
}

/** A frame around nodes and other frames. */
export interface GraphGroup {
  label: string;
  x: number;
  y: number;
  w: number;
  h: number;
  parent: number | null;
}

export interface Graph {
  nodes: GraphNode[];
  /** An edge without `to` leads into another frame. */
  edges: { from: number; to: number | null; points: [number, number][]; on_critical_path?: boolean;
    bytes: Integer | null }[];
  groups: GraphGroup[];
  notes?: string[];
  width: number;
  height: number;
}

export interface History {
  points: {
    id: string;
    commit: string | null;
    recorded_at: string | null;
    median_ps: Integer | null;
    low_ps: Integer | null;
    high_ps: Integer | null;
  }[];
  changes: { at: string; before_ps: Integer; after_ps: Integer; text: string }[];
}

export interface Difference extends Table {
  before_ps: Integer;
  after_ps: Integer;
  verdict: string;
}
