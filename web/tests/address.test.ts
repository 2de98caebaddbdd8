import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf, formatAddress, parseAddress } from '../src/state/address';

test('an address without a profile is a page about all of them', () => {
  assert.deepEqual({ ...parseAddress(''), options: '' }, { profile: null, page: 'profiles', options: '' });
  assert.equal(parseAddress('#/compare?before=a').options.get('before'), 'a');
});

test('an address keeps names with any character', () => {
  const text = addressOf('a/b?c#d', 'ops', { filter: 'op~<img src=x>&' });
  const address = parseAddress(text);
  assert.equal(address.profile, 'a/b?c#d');
  assert.equal(address.page, 'ops');
  assert.equal(address.options.get('filter'), 'op~<img src=x>&');
  assert.equal(formatAddress(address), text);
});

test('a profile without a page shows its overview', () => {
  assert.equal(parseAddress('#/p/x').page, 'overview');
});
