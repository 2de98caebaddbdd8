/** The pages, in the order of the menu. */
import type { ComponentType } from 'preact';
import type { ProfileDetail } from '../source/answers';
import { source } from '../source/source';
import { chartedPage } from './Charted';
import { Code } from './Code';
import { Compare } from './Compare';
import { Decisions } from './Decisions';
import { Flame } from './Flame';
import { Graph } from './Graph';
import { History } from './History';
import { Ops } from './Ops';
import { Overview } from './Overview';
import { Profiles } from './Profiles';
import { Query } from './Query';
import { Roofline } from './Roofline';
import { Steps } from './Steps';
import { Tables } from './Tables';
import { Timeline } from './Timeline';

export interface PageProps {
  profile: ProfileDetail;
}

interface Entry<Props> {
  name: string;
  title: string;
  /** The key that opens the page after `g`. */
  key: string;
  view: ComponentType<Props>;
  /** Whether the profile has what the page shows; always, if it is left out. */
  fits?: (profile: ProfileDetail) => boolean;
}

/** Whether one of the analyzers has data. */
export const hasAnalyzer = (profile: ProfileDetail, ...names: string[]): boolean =>
  profile.analyzers.some((entry) => entry.available && names.includes(entry.name));

const MEMORY = /^memory/;
const PIPELINE = /^(pipeline|queue|input)/;
const LINKS = /^(link|communication)/;
const CLUSTER = /^(cluster|rank|link|communication)/;

const fits = (pattern: RegExp) => (profile: ProfileDetail): boolean =>
  profile.analyzers.some((entry) => entry.available && pattern.test(entry.name));

/** One recording alone is no cluster, unless it tells what its rank sent to others. */
const hasRanks = (profile: ProfileDetail): boolean =>
  profile.runs.length > 1 ? fits(CLUSTER)(profile) : fits(LINKS)(profile);

export const PROFILE_PAGES: Entry<PageProps>[] = [
  { name: 'overview', title: 'Overview', key: 'o', view: Overview },
  { name: 'steps', title: 'Steps', key: 's', view: Steps,
    fits: (profile) => hasAnalyzer(profile, 'step-trace', 'step') },
  { name: 'ops', title: 'Ops', key: 'p', view: Ops },
  { name: 'timeline', title: 'Timeline', key: 't', view: Timeline },
  { name: 'code', title: 'MLIR', key: 'm', view: Code },
  { name: 'flame', title: 'Flame', key: 'f', view: Flame,
    fits: (profile) => hasAnalyzer(profile, 'module-path', 'call-tree') },
  { name: 'graph', title: 'Graph', key: 'g', view: Graph, fits: (profile) => profile.levels.length > 0 },
  { name: 'roofline', title: 'Roofline', key: 'r', view: Roofline,
    fits: (profile) => hasAnalyzer(profile, 'roofline') },
  { name: 'memory', title: 'Memory', key: 'y', fits: fits(MEMORY),
    view: chartedPage(MEMORY, 'The recording holds no memory.') },
  { name: 'pipeline', title: 'Pipeline', key: 'i', fits: fits(PIPELINE),
    view: chartedPage(PIPELINE, 'The recording holds no input pipeline.') },
  { name: 'cluster', title: 'Cluster', key: 'u', fits: hasRanks,
    view: chartedPage(CLUSTER, 'The recording is of one rank.') },
  { name: 'decisions', title: 'Decisions', key: 'd', view: Decisions },
  { name: 'tables', title: 'All tables', key: 'a', view: Tables },
  { name: 'query', title: 'SQL', key: 'q', view: Query, fits: () => !source.offline },
];

export const PAGES: Entry<object>[] = [
  { name: 'profiles', title: 'Profiles', key: 'l', view: Profiles },
  { name: 'compare', title: 'Compare', key: 'c', view: Compare },
  { name: 'history', title: 'History', key: 'h', view: History },
];
