import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, withFiles } from '@kubeadmit/test-support';
import { runProgram } from './process/program.ts';
import { runHere } from './terminal.ts';

/** A run of the program and its expected effects. */
export interface Run {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  /** Files of the folder that the program runs in; without any it is the root of the repository. */
  readonly files?: Readonly<Record<string, string>>;
  readonly base64?: Readonly<Record<string, string>>;
  /** Symbolic links of the folder, with their targets. */
  readonly links?: Readonly<Record<string, string>>;
  /** Folders without files. */
  readonly emptyFolders?: readonly string[];
  /** Whether the built program runs in a separate process, instead of its sources in this process. */
  readonly isProcess?: boolean;
  readonly exitCode: number;
  readonly stdout?: string;
  readonly stdoutContains?: readonly string[];
  /** Strings that standard output must not contain. */
  readonly stdoutExcludes?: readonly string[];
  readonly stderr?: string;
  readonly stderrContains?: readonly string[];
  readonly stderrExcludes?: readonly string[];
  /** The expected contents of files in the folder after the run. */
  readonly filesAfter?: Readonly<Record<string, string>>;
}

/** The result of a run, with the files that its case lists. */
export interface RunEnd extends Ended {
  readonly filesAfter: Readonly<Record<string, string>>;
}

/** Runs the program as a case says; this process is in its folder meanwhile. */
export async function runCase(run: Run, root: string): Promise<RunEnd> {
  const { files, base64, links = {}, emptyFolders = [], filesAfter = {} } = run;
  if (files === undefined && base64 === undefined) {
    return { ...(await runAt(run, root)), filesAfter: {} };
  }
  const binary = Object.entries(base64 ?? {}).map(
    ([name, content]) => [name, Buffer.from(content, 'base64')] as const,
  );
  return withFiles({ ...files, ...Object.fromEntries(binary) }, async (cwd) => {
    for (const name of emptyFolders) mkdirSync(join(cwd, name), { recursive: true });
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(cwd, name));
    const ended = await runAt(run, cwd);
    const after = Object.keys(filesAfter).map(
      (name) => [name, readFileSync(join(cwd, name), 'utf8')] as const,
    );
    return { ...ended, filesAfter: Object.fromEntries(after) };
  });
}

/** Where this process is while it runs nothing. */
const home = process.cwd();

let isBusy = false;

async function runAt({ args, stdin, isProcess }: Run, cwd: string): Promise<Ended> {
  const input = stdin === undefined ? {} : { stdin };
  // A run that its test did not wait for still holds the folder of this process.
  if (isProcess === true || isBusy) return runProgram(args, { cwd, ...input });
  isBusy = true;
  process.chdir(cwd);
  try {
    return await runHere(args, input);
  } finally {
    // The folder before may be gone.
    process.chdir(home);
    isBusy = false;
  }
}
