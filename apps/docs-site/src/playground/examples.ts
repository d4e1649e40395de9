import { shownFiles } from '../examples/example-files.ts';
import type { Example } from './example.ts';
import { gallery } from './gallery.ts';

const texts: Readonly<Record<string, string>> = import.meta.glob(
  '../../../../examples/**/*.{yaml,cel}',
  { query: '?raw', import: 'default', eager: true },
);

/** The examples of the repository by name, and beginnings for common needs. */
export const examples: readonly Example[] = [...readExamples(), ...gallery];

function readExamples(): Example[] {
  const folders = new Map<string, [string, string][]>();
  for (const [path, text] of Object.entries(texts)) {
    const [, folder = '', file = ''] = /examples\/(.+)\/([^/]+)$/.exec(path) ?? [];
    const known = folders.get(folder);
    if (known === undefined) folders.set(folder, [[file, text]]);
    else known.push([file, text]);
  }
  return [...folders]
    .sort(([a], [b]) => Number(a.includes('/')) - Number(b.includes('/')) || (a < b ? -1 : 1))
    .map(([name, files]) => ({
      name,
      title: titleOf(name),
      files: shownFiles(files),
    }));
}

function titleOf(name: string): string {
  const words = name.replace(/^kyverno\//, 'Kyverno: ').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
