import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runProgram, withFiles } from './program.ts';

interface BadInput {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly base64?: Readonly<Record<string, string>>;
  readonly exitCode: number;
  readonly stderr?: string;
  readonly stderrContains?: readonly string[];
}

const file = new URL('../cases/bad-input.yaml', import.meta.url);
const cases = parse(readFileSync(file, 'utf8')) as BadInput[];

test.concurrent.each(cases)('$name', async (input) => {
  const binary = Object.entries(input.base64 ?? {}).map(
    ([name, content]) => [name, Buffer.from(content, 'base64')] as const,
  );
  const files = { ...input.files, ...Object.fromEntries(binary) };
  await withFiles(files, async (folder) => {
    const stdin = input.stdin === undefined ? {} : { stdin: input.stdin };
    const ended = await runProgram(input.args, { cwd: folder, ...stdin });
    if (input.stderr !== undefined) expect(ended.stderr).toBe(input.stderr);
    for (const part of input.stderrContains ?? []) expect(ended.stderr).toContain(part);
    expect(ended.stdout).toBe('');
    expect(ended.exitCode).toBe(input.exitCode);
  });
});
