/** The pages, in the order of the menu. */
import type { ComponentType } from 'preact';
import type { ProfileDetail } from '../source/answers';
import { Code } from './Code';
import { Ops } from './Ops';
import { Overview } from './Overview';
import { Profiles } from './Profiles';
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

export const PROFILE_PAGES: Entry<PageProps>[] = [
  { name: 'overview', title: 'Overview', key: 'o', view: Overview },
  { name: 'ops', title: 'Ops', key: 'p', view: Ops },
  { name: 'timeline', title: 'Timeline', key: 't', view: Timeline },
  { name: 'code', title: 'MLIR', key: 'm', view: Code },
  { name: 'tables', title: 'All tables', key: 'a', view: Tables },
];

export const PAGES: Entry<object>[] = [
  { name: 'profiles', title: 'Profiles', key: 'l', view: Profiles },
];
