/** Hand-over to other viewers: downloads, and a message to Perfetto's window. */
import { useState } from 'preact/hooks';
import type { ProfileDetail } from '../source/answers';
import { source } from '../source/source';
import { below } from '../state/answer';

const FORMATS: [string, string][] = [
  ['perfetto', 'Perfetto'], ['chrome-json', 'Chrome trace'], ['speedscope', 'speedscope'],
  ['pprof', 'pprof'], ['folded', 'folded stacks'], ['csv', 'CSV'], ['json', 'JSON'],
];
const PERFETTO = 'https://ui.perfetto.dev';

/** Opens Perfetto and, once it answers, hands it the trace. Nothing is sent before. */
const openPerfetto = async (profile: ProfileDetail, path: string): Promise<void> => {
  const other = open(PERFETTO);
  if (!other) throw new Error('The browser did not open a window.');
  const buffer = await (await fetch(path)).arrayBuffer();
  const timer = setInterval(() => other.postMessage('PING', PERFETTO), 100);
  const answered = (event: MessageEvent) => {
    if (event.origin !== PERFETTO || event.data !== 'PONG') return;
    clearInterval(timer);
    removeEventListener('message', answered);
    other.postMessage({ perfetto: { buffer, title: profile.name } }, PERFETTO);
  };
  addEventListener('message', answered);
};

export const Downloads = (props: { profile: ProfileDetail }) => {
  const { profile } = props;
  const [error, setError] = useState('');
  const address = (format: string) =>
    source.download(below(profile.id, `export?format=${format}`));
  const whole = source.download(below(profile.id, 'download'));
  if (whole === null) return null;
  return (
    <section>
      <h2>Open elsewhere</h2>
      <p class="links">
        <a href={whole} download>Profile (.mlprof)</a>
        {FORMATS.map(([format, title]) =>
          <a key={format} href={address(format)!} download>{title}</a>)}
        <button type="button" onClick={() => openPerfetto(profile, address('perfetto')!).catch(
          (problem: Error) => setError(problem.message))}>Show in Perfetto</button>
      </p>
      {error && <p class="failure" role="alert">{error}</p>}
    </section>
  );
};
