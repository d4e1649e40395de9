import { writeFileSync } from 'node:fs';
import { inspect } from 'node:util';

/** The output of a snippet; `failure` is set if it threw or set an exit code. */
export interface SnippetRun {
  readonly output: string;
  readonly failure?: string;
}

// `tsx run-snippets.ts RESULTS FILE...` runs modules sequentially in one process and writes a `SnippetRun` for
// each.
// Loading the packages for each module separately would take most of the time.
const [results = '', ...files] = process.argv.slice(2);
const runs: SnippetRun[] = [];
const write = process.stdout.write.bind(process.stdout);
const writeError = process.stderr.write.bind(process.stderr);
for (const file of files) {
  let output = '';
  const capture = (text: string | Uint8Array): boolean => {
    output += text;
    return true;
  };
  process.stdout.write = capture;
  process.stderr.write = capture;
  let failure: string | undefined;
  try {
    await import(file);
    if (process.exitCode !== undefined) failure = `exit code ${process.exitCode}`;
  } catch (error) {
    failure = inspect(error);
  }
  process.exitCode = undefined;
  runs.push({ output: output.trimEnd(), ...(failure === undefined ? {} : { failure }) });
}
process.stdout.write = write;
process.stderr.write = writeError;
writeFileSync(results, JSON.stringify(runs));
