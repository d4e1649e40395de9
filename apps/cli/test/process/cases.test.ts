import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type Run, runCase } from '../runs.ts';

const folder = fileURLToPath(new URL('../cases/runs/', import.meta.url));
const root = fileURLToPath(new URL('../../../../', import.meta.url));

describe.each(readdirSync(folder))('%s', (file) => {
  const runs = parse(readFileSync(folder + file, 'utf8'), { merge: true }) as Run[];

  test.each(runs)(
    '$name',
    async (run) => {
      const ended = await runCase(run, root);
      expectText(ended.stderr, run.stderr, run.stderrContains);
      expectText(ended.stdout, run.stdout, run.stdoutContains);
      for (const part of run.stdoutExcludes ?? []) expect(ended.stdout).not.toContain(part);
      for (const part of run.stderrExcludes ?? []) expect(ended.stderr).not.toContain(part);
      expect(ended.exitCode).toBe(run.exitCode);
      expect(ended.filesAfter).toEqual(run.filesAfter ?? {});
    },
    120_000,
  );
});

/** A text that nothing is said about must be empty. */
function expectText(text: string, whole: string | undefined, parts?: readonly string[]): void {
  for (const part of parts ?? []) expect(text).toContain(part);
  if (parts === undefined || whole !== undefined) expect(text).toBe(whole ?? '');
}
