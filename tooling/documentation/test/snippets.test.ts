import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents, ROOT, snippetsOf } from '../src/documents.ts';
import { runCommand } from '../src/run-command.ts';
import type { SnippetRun } from '../src/run-snippets.ts';

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
  let runs: readonly SnippetRun[] = [];

  beforeAll(() => {
    const results = `${FOLDER}/results.json`;
    const files = snippets.map(({ place }) => `${FOLDER}/${fileOf(place)}`).join(' ');
    const { exitCode, output } = runCommand(
      `${PACKAGE}node_modules/.bin/tsx --conditions=@kubeadmit/source ${PACKAGE}src/run-snippets.ts ${results} ${files}`,
      ROOT,
    );
    expect(exitCode, output).toBe(0);
    runs = JSON.parse(readFileSync(results, 'utf8'));
  });

  test('have right types', () => {
    expect(runCommand('node_modules/.bin/tsc -p snippets', PACKAGE).output).toBe('');
  });

  test.each(snippets.map(({ place }, index) => [place, index] as const))('run: %s', (_, index) => {
    const run = runs[index];
    expect(run?.failure, run?.output).toBeUndefined();
    const { output } = snippets[index] ?? {};
    if (output !== undefined) expect(run?.output).toBe(output);
  });
});
