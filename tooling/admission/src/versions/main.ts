import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readLines } from '@kubeadmit/test-support';
import { askVersion } from './ask-version.ts';
import { type VersionCase, versionCases } from './version-cases.ts';

const USAGE = `usage: versions cases FOLDER [--seed N]
       versions ask FOLDER VERSION=PROGRAM…

Writes the cases that every version of kube-apiserver is asked, and what servers of the versions answer: FOLDER gets
cases.ndjson, and VERSION.ndjson for each.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
});
const [command = '', folder = '', ...servers] = positionals;

if (command === 'cases' && folder !== '') {
  mkdirSync(folder, { recursive: true });
  write('cases', versionCases(Number(values.seed)));
} else if (command === 'ask' && servers.length > 0) {
  const cases = readLines<VersionCase>(join(folder, 'cases.ndjson'));
  for (const server of servers) {
    const [version = '', program = ''] = server.split('=');
    const answers = await askVersion(program, cases);
    write(version, answers);
    console.error(`${version}: ${answers.length} of ${cases.length} answered`);
  }
} else {
  console.error(USAGE);
  process.exitCode = 2;
}

function write(name: string, lines: readonly object[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(folder, `${name}.ndjson`), text);
}
