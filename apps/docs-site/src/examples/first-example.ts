import { shownFiles } from './example-files.ts';

const texts: Readonly<Record<string, string>> = import.meta.glob(
  '../../../../examples/required-labels/*.yaml',
  { query: '?raw', import: 'default', eager: true },
);

/** The example that the playground opens if its address names no other. */
export const firstExample = {
  name: 'required-labels',
  files: shownFiles(
    Object.entries(texts).map(([path, text]) => [path.slice(path.lastIndexOf('/') + 1), text]),
  ),
} as const;
