import type { Example } from './example.ts';
import { gallery } from './gallery.ts';

const texts: Readonly<Record<string, string>> = import.meta.glob(
  '../../../../examples/**/*.{yaml,cel}',
  { query: '?raw', import: 'default', eager: true },
);

/** Files in the order in which people read them; others follow by name. */
const order = ['policy', 'binding', 'params', 'namespace', 'rbac', 'exception', 'good', 'bad'];

/** Files that only the tests of an example need. */
const onlyTests = /^(?:kyverno-test|patched|values|user|context)\.yaml$|\.admit\.yaml$/;

/** The examples of the repository by name, and beginnings for common needs. */
export const examples: readonly Example[] = [...readExamples(), ...gallery];

function readExamples(): Example[] {
  const folders = new Map<string, [string, string][]>();
  for (const [path, text] of Object.entries(texts)) {
    const [, folder = '', file = ''] = /examples\/(.+)\/([^/]+)$/.exec(path) ?? [];
    if (onlyTests.test(file)) continue;
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, [[file, text]]);
    else known.push([file, text]);
  }
  return [...folders]
    .sort(([a], [b]) => Number(a.includes('/')) - Number(b.includes('/')) || (a < b ? -1 : 1))
    .map(([name, files]) => ({
      name,
      title: titleOf(name),
      files: Object.fromEntries(files.sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))),
    }));
}

function rank(file: string): number {
  const place = order.indexOf(file.replace(/\.\w+$/, ''));
  return place === -1 ? order.length : place;
}

function titleOf(name: string): string {
  const words = name.replace(/^kyverno\//, 'Kyverno: ').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
