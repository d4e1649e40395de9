import { shownFiles } from './example-files.ts';

const texts: Readonly<Record<string, string>> = import.meta.glob(
  '../../../../examples/required-labels/*.yaml',
  { query: '?raw', import: 'default', eager: true },
);

/** What the playground opens with, unless its address names something else. */
export const firstExample = {
  name: 'required-labels',
  files: shownFiles(
    Object.entries(texts).map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text]),
  ),
} as const;
