import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { conformancePage } from './conformance-page.ts';
import { examplePages } from './example-pages.ts';
import { performancePage } from './performance-page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

for (const { path, markdown } of [conformancePage(), performancePage(), ...examplePages()]) {
  const file = `${root}${path}.md`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, markdown);
}
