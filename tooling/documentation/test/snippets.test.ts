import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents, ROOT, snippetsOf } from '../src/documents.ts';
import { runCommand } from '../src/run-command.ts';

const PACKAGE = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = `${PACKAGE}snippets`;
const snippets = documents().flatMap(snippetsOf);

function fileOf(place: string): string {
  return `${place.replaceAll(/[^A-Za-z0-9]+/g, '-')}.ts`;
}

beforeAll(() => {
  mkdirSync(FOLDER, { recursive: true });
  for (const { place, source } of snippets) writeFileSync(`${FOLDER}/${fileOf(place)}`, source);
  const settings = {
    extends: '@kubeadmit/tsconfig/app.json',
    compilerOptions: { composite: false, noEmit: true },
    include: ['*.ts'],
  };
  writeFileSync(`${FOLDER}/tsconfig.json`, JSON.stringify(settings));
});

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

describe.runIf(snippets.length > 0)('snippets', () => {
  test('have right types', { timeout: 60_000 }, () => {
    expect(runCommand('node_modules/.bin/tsc -p snippets', PACKAGE).output).toBe('');
  });

  for (const { place, output } of snippets) {
    test(`run: ${place}`, { timeout: 60_000 }, () => {
      const outcome = runCommand(
        `${PACKAGE}node_modules/.bin/tsx --conditions=@kubeadmit/source ${FOLDER}/${fileOf(place)}`,
        ROOT,
      );
      expect(outcome.exitCode, outcome.output).toBe(0);
      if (output !== undefined) expect(outcome.output).toBe(output);
    });
  }
});
