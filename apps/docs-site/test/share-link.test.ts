import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { fragmentOf, readFragment } from '../src/playground/share-link.ts';

describe('a link', () => {
  test('holds all files, whatever is in them', async () => {
    const shared = {
      files: { 'a.yaml': 'kind: Pod\n', 'ü/b c.cel': '"𝛼" + `x`\r\n', empty: '' },
      kubernetesVersion: '1.33',
    };
    const fragment = await fragmentOf(shared);
    expect(fragment).toMatch(/^#files=[\w-]+$/);
    expect(await readFragment(fragment)).toEqual(shared);
  });

  test('is short for text that repeats', async () => {
    const fragment = await fragmentOf({ files: { a: 'apiVersion: v1\n'.repeat(10_000) } });
    expect(fragment.length).toBeLessThan(2_000);
  });

  test('is empty without files', async () => {
    expect(await readFragment('')).toBeUndefined();
    expect(await readFragment('#lists')).toBeUndefined();
  });

  test('is refused if it would unpack to more than the limit of the page', async () => {
    const text = JSON.stringify({ files: { a: ' '.repeat(1_000_000) } });
    const bomb = `#files=${deflateRawSync(text).toString('base64url')}`;
    expect(bomb.length).toBeLessThan(50_000);
    await expect(readFragment(bomb)).rejects.toThrow('invalid link');
  });

  test('is refused if it is longer than its files could be', async () => {
    const emptyBlock = [0x00, 0x00, 0x00, 0xff, 0xff];
    const files = deflateRawSync(JSON.stringify({ files: { a: '' } }));
    const withEmptyBlocks = (count: number): string => {
      const blocks = Array.from({ length: count }, () => emptyBlock).flat();
      return `#files=${Buffer.concat([Buffer.from(blocks), files]).toString('base64url')}`;
    };
    expect((await readFragment(withEmptyBlocks(10)))?.files).toEqual({ a: '' });
    await expect(readFragment(withEmptyBlocks(400_000))).rejects.toThrow('invalid link');
  });

  test('is not made where it could not be opened', async () => {
    const files = { 'a.yaml': 'x'.repeat(1_000_000) };
    await expect(fragmentOf({ files })).rejects.toThrow('too large for a link');
  });

  test('is broken where it is cut short, wherever', async () => {
    const whole = await fragmentOf({ files: { 'a.yaml': 'kind: Pod\napiVersion: v1\n' } });
    for (let length = '#files='.length; length < whole.length; length++) {
      await expect(readFragment(whole.slice(0, length)), `${length}`).rejects.toThrow(
        'invalid link',
      );
    }
  });

  test.each<[string, unknown]>([
    ['a list of files', { files: ['kind: Pod'] }],
    ['a version that is no text', { files: {}, kubernetesVersion: 1.37 }],
    ['another version that is no text', { files: {}, otherVersion: {} }],
    ['a request that is none', { files: {}, request: 'CREATE' }],
    ['an operation that there is not', { files: {}, request: { operation: 'create' } }],
    ['a setting that there is not', { files: {}, request: { users: 'me' } }],
    ['a setting of JavaScript', { files: {}, request: { constructor: 'x' } }],
    ['groups that are none', { files: {}, request: { groups: [1] } }],
    ['a user that is none', { files: {}, request: { user: {} } }],
    ['null', null],
  ])('is broken with %s', async (_, shared) => {
    const fragment = await fragmentOf(shared as Parameters<typeof fragmentOf>[0]);
    await expect(readFragment(fragment)).rejects.toThrow('invalid link');
  });

  test.each(['#files=', '#files=%%%', '#files=AAAA', `#files=${btoa('{"files": 1}')}`])(
    'says that it is broken: %s',
    async (fragment) => {
      await expect(readFragment(fragment)).rejects.toThrow('invalid link');
    },
  );
});
