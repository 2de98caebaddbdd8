/** Hand-over to other viewers: downloads, and a message to Perfetto's window. */
import { useState } from 'preact/hooks';
import type { ProfileDetail } from '../source/answers';
import { source } from '../source/source';
import { below } from '../state/answer';
import { Failure } from './Notice';

const FORMATS: [string, string][] = [
  ['perfetto', 'Perfetto'], ['chrome-json', 'Chrome trace'], ['speedscope', 'speedscope'],
  ['pprof', 'pprof'], ['folded', 'folded stacks'], ['csv', 'CSV'], ['json', 'JSON'],
];
const PERFETTO = 'https://ui.perfetto.dev';

const exportOf = (profile: ProfileDetail, format: string): string =>
  below(profile.id, `export?format=${format}`);

/** Opens Perfetto and, once it answers, hands it the trace. Nothing is sent before. */
const openPerfetto = async (profile: ProfileDetail): Promise<void> => {
  const other = open(PERFETTO);
  if (!other) throw new Error('The browser did not open a window.');
  const { content } = await source.download(exportOf(profile, 'perfetto'));
  const buffer = await content.arrayBuffer();
  const timer = setInterval(() => other.postMessage('PING', PERFETTO), 100);
  const answered = (event: MessageEvent) => {
    if (event.origin !== PERFETTO || event.data !== 'PONG') return;
    clearInterval(timer);
    removeEventListener('message', answered);
    other.postMessage({ perfetto: { buffer, title: profile.name } }, PERFETTO);
  };
  addEventListener('message', answered);
};

/** Fetches a file and hands it to the browser to keep. */
const save = async (path: string): Promise<void> => {
  const { name, content } = await source.download(path);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The browser reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
};

export const Downloads = (props: { profile: ProfileDetail }) => {
  const { profile } = props;
  const [error, setError] = useState<Error | null>(null);
  if (source.offline) return null;
  const run = (action: Promise<void>) => {
    setError(null);
    action.catch(setError);
  };
  const files = [['Profile (.mlprof)', below(profile.id, 'download')],
    ...FORMATS.map(([format, title]) => [title, exportOf(profile, format)])];
  return (
    <section>
      <h2>Open elsewhere</h2>
      <p class="links">
        {files.map(([title, path]) => <button type="button" class="link" key={title}
          onClick={() => run(save(path))}>{title}</button>)}
        <button type="button" onClick={() => run(openPerfetto(profile))}>Show in Perfetto</button>
      </p>
      {error && <Failure error={error} />}
    </section>
  );
};
