/** Answers of the page in one file. Its tables are complete; filters and links are made here. */
import type { Table } from './answers';
import { eventOf, eventsNamed, type FileTimeline } from './events';
import { linksOf, type Pairs } from './links';
import { applyOptions } from './tables';

export interface PageData {
  schema: string;
  answers: Record<string, unknown>;
  left_out?: string[];
}

/** Options that choose rows of a table; the others choose the table. */
const ROWS = ['filter', 'sort', 'limit', 'offset', 'after', 'group'];
const WINDOW = ['begin_ps', 'end_ps', 'pixels', 'begin', 'count'];

/** The address without the options `names`, in a fixed order. */
const without = (path: string, names: string[]): [string, URLSearchParams] => {
  const [place, query] = path.split('?');
  const options = new URLSearchParams(query);
  for (const name of names) options.delete(name);
  options.sort();
  const rest = options.toString();
  return [rest ? `${place}?${rest}` : place, new URLSearchParams(query)];
};

/** Returns the answer to `path`, or undefined if the file does not hold it. */
export const answerFromFile = (data: PageData, path: string): unknown => {
  if (path in data.answers) return data.answers[path];
  const [place, options] = without(path, [...ROWS, ...WINDOW]);
  const link = /^(profiles\/[^/]+)\/modules\/([^/]+)\/ops\/(-?\d+)\/links\?to=(.+)$/.exec(place);
  if (link) {
    const pairs = data.answers[`${link[1]}/links`] as { pairs: Pairs[] } | undefined;
    const decode = decodeURIComponent;
    const module = (level: string) => data.answers[`${link[1]}/modules/${level}`];
    return pairs && linksOf(pairs.pairs, module, decode(link[2]), Number(link[3]), decode(link[4]));
  }
  const event = /^(profiles\/[^/]+\/timeline)\/events\/(\d+)$/.exec(place);
  if (event) {
    const timeline = data.answers[event[1]] as FileTimeline | undefined;
    return timeline && eventOf(timeline, Number(event[2]));
  }
  const search = /^(profiles\/[^/]+\/timeline)\/search\?/.exec(path);
  if (search) {
    const timeline = data.answers[search[1]] as FileTimeline | undefined;
    return timeline && eventsNamed(timeline, options.get('q') ?? '', Number(options.get('limit') ?? 50));
  }
  // The list of a file is short; elsewhere, another option is another answer.
  const whole = data.answers[place] ?? (/^profiles\?/.test(place) ? data.answers.profiles : undefined);
  if (!whole || !/\/analyzers\/|^diff/.test(place)) return whole;
  return applyOptions(whole as Table, options);
};
