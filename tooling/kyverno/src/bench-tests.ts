import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// Times `kubeadmit test FOLDER` and, if KYVERNO is set, the Kyverno CLI on the same folder, in alternation:
//   KYVERNO=path/to/kyverno tsx bench-tests.ts FOLDER [RUNS]

const program = fileURLToPath(new URL('../../../apps/cli/dist/main.js', import.meta.url));
const [folder, runs = '5'] = process.argv.slice(2);
if (folder === undefined) throw new Error('name a folder with tests');

const kyverno = process.env['KYVERNO'];
const commands = [
  { name: 'kubeadmit', command: [process.execPath, program, 'test', '-o', 'json', folder] },
  ...(kyverno === undefined ? [] : [{ name: 'kyverno', command: [kyverno, 'test', folder] }]),
];

/** The duration of complete processes, including startup, in seconds. */
interface Times {
  readonly wall: number[];
  readonly processor: number[];
}

/** Runs a command in a shell that measures its time. */
function time(command: readonly string[], { wall, processor }: Times): void {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" > /dev/null 2>&1';
  const { stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...command], {
    encoding: 'utf8',
  });
  const [real = 0, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  wall.push(real);
  processor.push(user + system);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

const measured = commands.map(({ name, command }) => {
  const times: Times = { wall: [], processor: [] };
  return { name, command, times };
});
for (let run = 0; run < Number(runs); run++) {
  for (const { command, times } of measured) time(command, times);
}
for (const { name, times } of measured) {
  const [wall, processor] = [median(times.wall), median(times.processor)];
  console.log(
    `${name}: ${wall.toFixed(2)} s, ${processor.toFixed(2)} s of processor time (medians)`,
  );
}
const [ours, theirs] = measured;
if (ours !== undefined && theirs !== undefined) {
  const ratios = (kind: keyof Times): number =>
    median(theirs.times[kind].map((value, run) => value / (ours.times[kind][run] ?? value)));
  const [wall, processor] = [ratios('wall'), ratios('processor')];
  console.log(`${wall.toFixed(1)} times as fast, ${processor.toFixed(1)} times by processor time`);
}
