/** Every analyzer that the profile has, as a table: also those that no other page knows. */
import { AnalyzerTable } from '../parts/AnalyzerTable';
import { option, setOptions } from '../state/store';
import type { PageProps } from './registry';

export const Tables = (props: PageProps) => {
  const { profile } = props;
  const chosen = option('name');
  const entry = profile.analyzers.find((one) => one.name === chosen);
  if (entry?.available)
    return (
      <div class="page fill">
        <div class="tools">
          <button type="button" onClick={() => setOptions(
            { name: null, sort: null, filter: null, group: null })}>← All tables</button>
          <strong>{entry.title}</strong> <span class="muted">{entry.description}</span>
        </div>
        <AnalyzerTable key={entry.name} profile={profile} name={entry.name} label={entry.title} />
      </div>
    );
  return (
    <div class="page">
      <h2>Tables of this profile</h2>
      <ul class="entries">
        {profile.analyzers.map((one) => (
          <li key={one.name} class={one.available ? '' : 'missing'}>
            {one.available
              ? <button type="button" class="link" onClick={() => setOptions({ name: one.name })}>
                  {one.title}</button>
              : <span>{one.title}</span>}
            <span class="muted">{one.available ? one.description : one.reason}</span>
          </li>
        ))}
      </ul>
    </div>
  );
};
