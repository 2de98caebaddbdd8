/** The frame of all pages: head, menu, the page that the address names. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { PAGES, PROFILE_PAGES } from '../pages/registry';
import { setCounted } from '../format/units';
import type { ProfileDetail } from '../source/answers';
import { source } from '../source/source';
import { addressOf } from '../state/address';
import { below, useAnswer } from '../state/answer';
import { address, go } from '../state/store';
import { Choices } from './Choices';
import { Help, useKeys } from './Keys';
import { Failure, Waiting } from './Notice';

const Item = (props: { profile: string | null; name: string; title: string }) => {
  const { profile, page } = address.value;
  const current = profile === props.profile && page === props.name;
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // On narrow screens the menu is a line that scrolls.
    if (current) element.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  return (
    <a ref={element} href={addressOf(props.profile, props.name)} aria-current={current ? 'page' : undefined}>
      {props.title}
    </a>
  );
};

const Menu = (props: { profile: ProfileDetail | null }) => {
  const { profile } = props;
  return (
    <nav aria-label="Pages">
      {profile && PROFILE_PAGES.filter((page) => page.fits?.(profile) ?? true).map((page) =>
        <Item key={page.name} profile={profile.id} name={page.name} title={page.title} />)}
      {!source.offline && profile && <hr />}
      {!source.offline && PAGES.map((page) =>
        <Item key={page.name} profile={null} name={page.name} title={page.title} />)}
    </nav>
  );
};

/** A file has one profile or a few: its start is the first one. */
const useStart = () => {
  const { profile, page } = address.value;
  const wanted = source.offline && profile === null && page === 'profiles';
  const list = useAnswer<{ profiles: { id: string }[] }>(wanted ? 'profiles' : null).value;
  useEffect(() => {
    if (wanted && list?.profiles.length === 1)
      go({ profile: list.profiles[0].id, page: 'overview', options: new URLSearchParams() }, true);
  }, [wanted, list]);
};

const Head = (props: { profile: ProfileDetail | null; children: ComponentChildren }) => (
  <header>
    <a class="brand" href={source.offline ? '#/' : addressOf(null, 'profiles')}>mlir-prof</a>
    {props.profile && <span class="place" title={props.profile.name}>{props.profile.name}</span>}
    {props.children}
  </header>
);

export const Shell = () => {
  const { profile: id, page: name } = address.value;
  const { value, error, loading } = useAnswer<ProfileDetail>(id === null ? null : below(id, ''));
  const profile = value?.id === id ? value : null;
  useStart();
  useKeys(profile);
  const one = PROFILE_PAGES.find((page) => page.name === name);
  const all = PAGES.find((page) => page.name === name);
  const title = (id === null ? all : one)?.title ?? 'Not found';
  useEffect(() => {
    document.title = [title, profile?.name, 'mlir-prof'].filter(Boolean).join(' \u2013 ');
  }, [title, profile]);
  setCounted(profile?.unit ?? null);
  const One = one?.view;
  const All = all?.view;
  return (
    <div class="shell">
      <a class="skip" href="#main" onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}>Skip to content</a>
      <Head profile={profile}><Choices /></Head>
      <Menu profile={profile} />
      <main id="main" tabIndex={-1}>
        <h1 class="hidden">{title}</h1>
        {source.leftOut.length > 0 &&
          <details class="notice"><summary>This file leaves out parts of the profile.</summary>
            <ul>{source.leftOut.map((text) => <li key={text}>{text}</li>)}</ul></details>}
        {error && <Failure error={error} />}
        {id !== null && loading && !profile && <Waiting />}
        {id !== null && profile && One && <One key={id} profile={profile} />}
        {id === null && All && <All />}
        {(id === null ? !All : !One) && <p class="notice">There is no page of this name.</p>}
      </main>
      <Help />
    </div>
  );
};
