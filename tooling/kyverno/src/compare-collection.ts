import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// Runs every kyverno-test.yaml below a folder with `kubeadmit test` and with the Kyverno CLI that `KYVERNO` names,
// and counts the rows that both judge alike:
//   KYVERNO=… tsx compare-collection.ts FOLDER [ANSWERS.json]
// The file keeps the answers of the Kyverno CLI from one run to the next.

/** A judged row: policy, rule and resource. */
interface Row {
  readonly key: string;
  readonly result: string;
  readonly detail: string;
}

/** The rows of a test file, or why it could not be run. */
type Answer = { readonly rows: readonly Row[] } | { readonly error: string };

/** An entry of `kubeadmit test -o json`. */
interface Entry {
  readonly file: string;
  readonly policy: string;
  readonly rule?: string;
  readonly resource?: string;
  readonly actual: string;
  readonly result: 'pass' | 'fail' | 'error' | 'skip';
  readonly message?: string;
}

const program = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));
const kyverno = process.env['KYVERNO'] ?? 'kyverno';

function findTests(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === '.git' ? [] : findTests(path);
    return entry.name === 'kyverno-test.yaml' ? [path] : [];
  });
}

async function askKyverno(file: string): Promise<Answer> {
  const args = ['test', '.', '-o', 'json', '--detailed-results', '--remove-color'];
  const { stdout, stderr } = await promisify(execFile)(kyverno, args, {
    cwd: resolve(file, '..'),
    maxBuffer: 2 ** 28,
  }).catch((error: { stdout: string; stderr: string }) => error);
  const failure = /^Error: (?!\d+ tests failed)(.*)$/m.exec(stderr)?.[1];
  if (failure !== undefined) return { error: failure };
  // A folder below may contain another test.
  const own = stdout
    .split(/^Loading test {2}/m)
    .filter((section) => section.startsWith('( kyverno-test.yaml )'));
  const rows = own.flatMap((section) =>
    (section.match(/^\[\n[\s\S]*?^\]$/gm) ?? []).flatMap(
      (text) => JSON.parse(text) as KyvernoRow[],
    ),
  );
  return {
    rows: rows.map((row) => ({
      key: keyOf(row.POLICY, row.RULE ?? '', row.RESOURCE),
      result: row.RESULT.toLowerCase(),
      detail: `${row.REASON}: ${row.Message ?? ''}`,
    })),
  };
}

/** The name of the resource is enough: the Kyverno CLI prints no more of generated objects. */
function keyOf(policy: string, rule: string, resource: string): string {
  return [policy, rule, resource.slice(resource.lastIndexOf('/') + 1)].join(' ');
}

interface KyvernoRow {
  readonly POLICY: string;
  readonly RULE?: string;
  readonly RESOURCE: string;
  readonly RESULT: string;
  readonly REASON: string;
  readonly Message?: string;
}

async function kyvernoAnswers(
  files: readonly string[],
  cache: string | undefined,
): Promise<ReadonlyMap<string, Answer>> {
  if (cache !== undefined && existsSync(cache)) {
    return new Map(JSON.parse(readFileSync(cache, 'utf8')) as [string, Answer][]);
  }
  const answers = new Map<string, Answer>();
  for (const file of files) answers.set(file, await askKyverno(file));
  if (cache !== undefined) writeFileSync(cache, JSON.stringify([...answers]));
  return answers;
}

function askKubeadmit(files: readonly string[]): readonly Entry[] {
  const folders = files.map((file) => resolve(file, '..'));
  const args = [program, 'test', '-o', 'json', ...folders];
  const options = { maxBuffer: 2 ** 30, encoding: 'utf8' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, args, options);
  if (stdout !== '') return (JSON.parse(stdout) as { tests: Entry[] }).tests;
  const [only] = files;
  if (files.length === 1 && only !== undefined) {
    return [{ file: only, policy: '', resource: '', actual: '', result: 'error', message: stderr }];
  }
  const half = Math.ceil(files.length / 2);
  return [...askKubeadmit(files.slice(0, half)), ...askKubeadmit(files.slice(half))];
}

/** How many rows of each outcome, and a line for each that is not the same. */
class Comparison {
  readonly counts: Map<string, number> = new Map();
  readonly lines: string[] = [];

  add(outcome: string, line?: string): void {
    this.counts.set(outcome, (this.counts.get(outcome) ?? 0) + 1);
    if (line !== undefined) this.lines.push(`${outcome}: ${line}`);
  }
}

function compareFile(file: string, ours: readonly Entry[], theirs: Answer, to: Comparison): void {
  const left = 'rows' in theirs ? [...theirs.rows] : [];
  for (const { policy, rule = '', resource = '', actual, result, message = '' } of ours) {
    const key = keyOf(policy, rule, resource);
    const at = `${file}: ${key}`;
    const line = `${at}: ${actual} (${result}): ${message.split('\n')[0]}`;
    if ('error' in theirs) {
      const outcome = result === 'error' ? 'error in both' : 'error in Kyverno only';
      to.add(outcome, `${line} | Kyverno: ${theirs.error.slice(0, 200)}`);
      continue;
    }
    const same = left.findIndex((row) => row.key === key && row.result === result);
    const like = same >= 0 ? same : left.findIndex((row) => row.key === key);
    const [row] = like >= 0 ? left.splice(like, 1) : [];
    if (row?.result === result) to.add(`same (${result})`);
    else if (actual === 'unsupported' || result === 'error') to.add('left out here', line);
    else if (row === undefined) to.add('only here', line);
    else to.add('different', `${line} | Kyverno: ${row.detail}`);
  }
  for (const row of left) to.add('only in Kyverno', `${file}: ${row.key}: ${row.detail}`);
}

const [folder = '.', cache] = process.argv.slice(2);
const files = findTests(resolve(folder));
const theirs = await kyvernoAnswers(files, cache);
const ours = new Map<string, Entry[]>();
for (const entry of askKubeadmit(files)) {
  const file = resolve(entry.file);
  ours.set(file, [...(ours.get(file) ?? []), entry]);
}
const comparison = new Comparison();
for (const file of files) {
  compareFile(
    relative(resolve(folder), file),
    ours.get(file) ?? [],
    theirs.get(file) ?? { rows: [] },
    comparison,
  );
}
console.log(`${files.length} tests`);
for (const [outcome, count] of comparison.counts) console.log(`${count}\t${outcome}`);
for (const line of comparison.lines) console.log(line);
