import { expect, test } from 'vitest';
import { decodeListOptions, listParameters } from '../src/options/list-options.ts';

/** The names that a decoder asks a query for. */
class AskedQuery extends URLSearchParams {
  readonly asked = new Set<string>();

  override get(name: string): string | null {
    this.asked.add(name);
    return super.get(name);
  }

  override has(name: string): boolean {
    this.asked.add(name);
    return super.has(name);
  }
}

test('exactly the documented parameters of lists are read', () => {
  const query = new AskedQuery();
  decodeListOptions(query);
  expect([...query.asked].sort()).toEqual(Object.keys(listParameters).sort());
});

test.each(Object.entries(listParameters))('%s is decoded as %s', (name, type) => {
  const decoded = (value: string) => decodeListOptions(new URLSearchParams({ [name]: value }));
  const values = { boolean: 'true', integer: '7', string: 'a=b' } as const;
  expect(decoded(values[type])).not.toEqual(decodeListOptions(new URLSearchParams()));
});
