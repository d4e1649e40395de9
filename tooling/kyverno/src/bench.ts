import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { prepareConditions, prepareRules } from '@kubeadmit/kyverno';

/** What is measured: the recorded cases of a kind, our evaluation, and the oracle's command beside it. */
const subjects = [
  { name: 'conditions', prepare: prepareConditions, command: 'bench-conditions' },
  { name: 'validate', prepare: prepareRules, command: 'bench-rules' },
  { name: 'mutate', prepare: prepareRules, command: 'bench-rules' },
] as const;

const caseCount = 100;
const warmUps = 200;
const batches = 12;
const batchSize = 20;

interface Measured {
  readonly nanoseconds?: number;
}

function askOracle(command: string, cases: readonly object[]): readonly Measured[] {
  const program = process.env['ORACLE_KYVERNO'] ?? 'oracle-kyverno';
  const input = cases.map((item, id) => `${JSON.stringify({ ...item, id })}\n`).join('');
  const { stdout } = spawnSync(program, [command], { input, maxBuffer: 2 ** 30, encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Measured);
}

/** The shortest mean of several batches, so that other work on the machine counts little. */
function measure(run: () => unknown): number {
  for (let at = 0; at < warmUps; at++) run();
  let best = Number.POSITIVE_INFINITY;
  for (let batch = 0; batch < batches; batch++) {
    const start = performance.now();
    for (let at = 0; at < batchSize; at++) run();
    best = Math.min(best, ((performance.now() - start) * 1e6) / batchSize);
  }
  return best;
}

for (const { name, prepare, command } of subjects) {
  const file = new URL(`../../../conformance/kyverno/${name}.ndjson`, import.meta.url);
  const lines = readFileSync(file, 'utf8').trim().split('\n').slice(0, caseCount);
  const cases = lines.map((line) => (JSON.parse(line) as { case: object }).case);
  const theirs = askOracle(command, cases);
  const ratios: number[] = [];
  for (const [at, item] of cases.entries()) {
    const nanoseconds = theirs[at]?.nanoseconds;
    if (nanoseconds !== undefined) ratios.push(nanoseconds / measure(prepare(item as never)));
  }
  ratios.sort((left, right) => left - right);
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  const [low, middle] = [0.1, 0.5].map((share) => ratios[Math.floor(ratios.length * share)] ?? 0);
  process.stdout.write(
    `${name}: ${ratios.length} cases, ${mean.toFixed(1)} times as fast (geometric mean), median ${middle?.toFixed(1)}, slowest tenth ${low?.toFixed(1)}\n`,
  );
}
