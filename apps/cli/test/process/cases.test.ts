import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runProgram, withFiles } from './program.ts';

/** A run of the program and what it must leave. */
interface Run {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  /** Files of the folder that the program runs in; without any it is the root of the repository. */
  readonly files?: Readonly<Record<string, string>>;
  readonly base64?: Readonly<Record<string, string>>;
  readonly exitCode: number;
  readonly stdout?: string;
  readonly stdoutContains?: readonly string[];
  readonly stderr?: string;
  readonly stderrContains?: readonly string[];
}

const folder = fileURLToPath(new URL('../cases/runs/', import.meta.url));
const root = fileURLToPath(new URL('../../../../', import.meta.url));

describe.each(readdirSync(folder))('%s', (file) => {
  const runs = parse(readFileSync(folder + file, 'utf8')) as Run[];

  test.concurrent.each(runs)('$name', async (run) => {
    const ended = await runIn(run);
    expectText(ended.stderr, run.stderr, run.stderrContains);
    expectText(ended.stdout, run.stdout, run.stdoutContains);
    expect(ended.exitCode).toBe(run.exitCode);
  });
});

function runIn({ files, base64, args, stdin }: Run): ReturnType<typeof runProgram> {
  const input = stdin === undefined ? {} : { stdin };
  if (files === undefined && base64 === undefined) return runProgram(args, { cwd: root, ...input });
  const binary = Object.entries(base64 ?? {}).map(
    ([name, content]) => [name, Buffer.from(content, 'base64')] as const,
  );
  return withFiles({ ...files, ...Object.fromEntries(binary) }, (cwd) =>
    runProgram(args, { cwd, ...input }),
  );
}

/** A text that nothing is said about must be empty. */
function expectText(text: string, whole: string | undefined, parts?: readonly string[]): void {
  for (const part of parts ?? []) expect(text).toContain(part);
  if (parts === undefined || whole !== undefined) expect(text).toBe(whole ?? '');
}
