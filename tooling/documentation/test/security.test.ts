import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../src/documents.ts';

const text = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8');
const rows = text
  .split('### ')
  .slice(1)
  .join('')
  .split('\n')
  .filter((line) => /^\| (?!---|Attack|Mistake)/.test(line));

test('each row of the threat model names tests that exist', () => {
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const files = [...row.matchAll(/`((?:apps|packages|tooling)\/[^`]+)`/g)].map(
      ([, file]) => file,
    );
    expect(files, row).not.toEqual([]);
    expect(
      files.filter((file) => !existsSync(join(ROOT, file ?? ''))),
      row,
    ).toEqual([]);
  }
});
