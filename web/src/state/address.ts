/** The address after `#` holds the state of the page: #/p/PROFILE/PAGE?OPTIONS. */

export interface Address {
  /** The profile, or null for pages about all profiles. */
  profile: string | null;
  page: string;
  options: URLSearchParams;
}

export const parseAddress = (hash: string): Address => {
  const [path, query] = hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
  const options = new URLSearchParams(query);
  if (parts[0] === 'p' && parts[1])
    return { profile: parts[1], page: parts[2] ?? 'overview', options };
  return { profile: null, page: parts[0] ?? 'profiles', options };
};

export const formatAddress = (address: Address): string => {
  const query = address.options.toString();
  const page = encodeURIComponent(address.page);
  const path = address.profile === null ? `#/${page}`
    : `#/p/${encodeURIComponent(address.profile)}/${page}`;
  return query ? `${path}?${query}` : path;
};

/** The address of a page of a profile, with options as pairs. */
export const addressOf = (
  profile: string | null, page: string, options: Record<string, string> = {},
): string => formatAddress({ profile, page, options: new URLSearchParams(options) });
