/** The list of profiles: search, upload, labels. */
import { useState } from 'preact/hooks';
import { bytes, count, counted, percent, time } from '../format/units';
import { Failure, Nothing, Waiting } from '../parts/Notice';
import { Upload } from '../parts/Upload';
import type { Profile } from '../source/answers';
import { source } from '../source/source';
import { addressOf } from '../state/address';
import { below, forget, useAnswer } from '../state/answer';
import { option, setOptions } from '../state/store';

const day = (text: string | null): string => (text || '–').replace('T', ' ').slice(0, 16);

const Label = (props: { profile: Profile; onChange: () => void }) => {
  const { profile } = props;
  const [error, setError] = useState('');
  if (source.offline) return <span>{profile.label ?? ''}</span>;
  const save = async (label: string) => {
    if (label === (profile.label ?? '')) return;
    try {
      await source.send('PATCH', below(profile.id, ''), { label });
      props.onChange();
    } catch (problem) {
      setError((problem as Error).message);
    }
  };
  return <input class="label" aria-label={`Label of ${profile.name}`} title={error || undefined}
    aria-invalid={error !== ''} defaultValue={profile.label ?? ''}
    onChange={(event) => save(event.currentTarget.value)} />;
};

const Line = (props: { profile: Profile; onChange: () => void }) => {
  const { profile } = props;
  const isReady = profile.state === 'ready';
  return (
    <tr>
      <td class="text">
        {isReady ? <a href={addressOf(profile.id, 'overview')}>{profile.name}</a> : profile.name}
        {!isReady && <p class="failure">{profile.error}</p>}
      </td>
      <td><Label {...props} /></td>
      <td class="text">{profile.producer || '–'}</td>
      <td class="text">{profile.model || '–'}</td>
      <td class="text">{profile.commit?.slice(0, 10) || '–'}</td>
      <td class="text">{profile.machine || '–'}</td>
      <td class="numeric">{day(profile.recorded_at || profile.uploaded_at)}</td>
      <td class="numeric">{Number(profile.time_ps) > 0 ? time(profile.time_ps) : '–'}</td>
      <td class="numeric">{percent(profile.coverage)}</td>
      <td class="numeric">{count(profile.events)}</td>
      <td class="numeric">{bytes(profile.bytes)}</td>
    </tr>
  );
};

const TITLES = ['name', 'label', 'producer', 'model', 'commit', 'machine'];
const NUMBERS = ['recorded', 'op time', 'coverage', 'events', 'size'];

export const Profiles = () => {
  const [version, setVersion] = useState(0);
  const search = option('search') ?? '';
  const { value, error } = useAnswer<{ profiles: Profile[]; total: number }>(
    `profiles?search=${encodeURIComponent(search)}&limit=500`, version);
  const reload = () => {
    forget('profiles');
    setVersion(version + 1);
  };
  return (
    <div class="page">
      <div class="tools">
        <input type="search" aria-label="Search profiles" placeholder="Search profiles" value={search}
          onInput={(event) => setOptions({ search: event.currentTarget.value || null }, true)} />
        {!source.offline && <Upload onDone={reload} />}
        <span class="muted rows" role="status">{value && counted(value.total, 'profile')}</span>
      </div>
      {error && <Failure error={error} />}
      {!value && !error && <Waiting />}
      {value?.profiles.length === 0 && <Nothing>No profile fits.</Nothing>}
      {value && value.profiles.length > 0 &&
        <div class="scroll" tabIndex={0} role="region" aria-label="Profiles">
          <table class="data">
            <thead><tr>
              {TITLES.map((title) => <th scope="col" key={title}>{title}</th>)}
              {NUMBERS.map((title) => <th scope="col" class="numeric" key={title}>{title}</th>)}
            </tr></thead>
            <tbody>{value.profiles.map((profile) =>
              <Line key={profile.id} profile={profile} onChange={reload} />)}</tbody>
          </table>
        </div>}
    </div>
  );
};
