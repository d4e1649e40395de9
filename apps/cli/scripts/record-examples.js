// Asks the oracle (a program named by the environment variable ORACLE) for the answers to the requests of
// every example, and keeps them in examples/<name>/expected.ndjson. Needs the built program.

import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));
const oracle = process.env.ORACLE;
if (!oracle) throw new Error('set ORACLE to the path of the oracle');

for (const entry of readdirSync(examples, { withFileTypes: true })) {
  // Kyverno's answers are in the tests of its examples.
  if (!entry.isDirectory() || entry.name === 'kyverno') continue;
  const folder = examples + entry.name;
  const cases = run(
    process.execPath,
    [main, 'check', '-o', 'cases', '--plugins', 'policies', '.'],
    { cwd: folder },
  );
  const answers = run(oracle, ['admit'], { input: cases });
  if (run(oracle, ['admit'], { input: cases }) !== answers) {
    throw new Error(`${entry.name}: the oracle does not answer the same twice`);
  }
  const kept = answers.trimEnd().split('\n').map(withoutRequested);
  writeFileSync(`${folder}/expected.ndjson`, `${kept.join('\n')}\n`);
  process.stdout.write(`${entry.name}: ${kept.length}\n`);
}

function withoutRequested(line) {
  const { requested: _, ...answer } = JSON.parse(line);
  if (answer.failure !== undefined || answer.errors !== undefined) throw new Error(line);
  return JSON.stringify(answer);
}

function run(program, args, options) {
  const { status, stdout, stderr } = spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  return stdout;
}
