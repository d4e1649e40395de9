import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs every kyverno-test.yaml below folders and prints how many rows pass, and why others do not:
//   tsx collection.ts FOLDER…

/** One entry of `kubeadmit test -o json`. */
interface Entry {
  readonly file: string;
  readonly policy: string;
  readonly rule?: string;
  readonly resource: string;
  readonly expected: string;
  readonly actual: string;
  readonly result: 'pass' | 'fail' | 'error' | 'skip';
  readonly message?: string;
}

const program = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));

/** The folders that hold a test each: one that cannot be read must not hide the others. */
function foldersWithTests(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const below = entries
    .filter((entry) => entry.isDirectory() && entry.name !== '.git')
    .flatMap((entry) => foldersWithTests(join(folder, entry.name)));
  return entries.some(({ name }) => name === 'kyverno-test.yaml') ? [folder, ...below] : below;
}

function run(folders: readonly string[]): {
  readonly entries: readonly Entry[];
  readonly unreadable: readonly string[];
} {
  const args = [program, 'test', '-o', 'json', ...folders];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    maxBuffer: 2 ** 30,
    encoding: 'utf8',
  });
  if (stdout !== '') {
    return { entries: (JSON.parse(stdout) as { tests: Entry[] }).tests, unreadable: [] };
  }
  if (folders.length === 1) return { entries: [], unreadable: [stderr.trim()] };
  const half = Math.ceil(folders.length / 2);
  const parts = [run(folders.slice(0, half)), run(folders.slice(half))];
  return {
    entries: parts.flatMap(({ entries }) => entries),
    unreadable: parts.flatMap(({ unreadable }) => unreadable),
  };
}

for (const folder of process.argv.slice(2)) {
  const folders = foldersWithTests(folder);
  const { entries, unreadable } = run(folders);
  const count = (result: Entry['result']): number =>
    entries.filter((entry) => entry.result === result).length;
  console.log(
    `${folder}: ${folders.length} folders, ${entries.length} results: ${count('pass')} passed, ${count('fail')} failed, ${count('error')} left out, ${count('skip')} skipped`,
  );
  const reasons = new Map<string, number>();
  for (const { result, message = '' } of entries) {
    if (result === 'error' || result === 'skip') {
      reasons.set(message, (reasons.get(message) ?? 0) + 1);
    }
  }
  for (const [reason, times] of reasons) console.log(`  left out ${times}: ${reason}`);
  for (const text of unreadable) console.log(`  not read: ${text.split('\n')[0]}`);
  for (const { file, policy, rule = '', resource, expected, actual, result } of entries) {
    if (result !== 'fail') continue;
    console.log(`  failed: ${file}: ${policy} ${rule} ${resource}: ${expected}, not ${actual}`);
  }
}
