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

  test('is none without files', async () => {
    expect(await readFragment('')).toBeUndefined();
    expect(await readFragment('#lists')).toBeUndefined();
  });

  test.each(['#files=', '#files=%%%', '#files=AAAA', `#files=${btoa('{"files": 1}')}`])(
    'says that it is broken: %s',
    async (fragment) => {
      await expect(readFragment(fragment)).rejects.toThrow('this link is broken');
    },
  );
});
