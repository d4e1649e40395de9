import { type ChildProcess, fork } from 'node:child_process';
import { parseArgs } from 'node:util';

// Feeds hostile and random cases to the evaluator for a while: nothing may crash it, keep it for more
// than a few seconds, take more memory than a small server has, or give two answers to one question.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string' },
    start: { type: 'string', default: '0' },
  },
});

/** How long one case may take, in milliseconds; twice evaluated, on a machine that does other things too. */
const mostTime = 20_000;
const mostMemory = 1024;

const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const ending = Date.now() + Number(values.seconds) * 1000;
let next = Number(values.start);
let slowest = { time: 0, index: 0, expression: '' };
const problems: string[] = [];

while (Date.now() < ending && problems.length < 10) next = await runFrom(next);

const done = `${next} hostile cases in ${values.seconds} s, seed ${seed}, ${problems.length} problems`;
const slow = `the slowest, ${slowest.index}, took ${slowest.time} ms: ${slowest.expression.slice(0, 60)}`;
process.stdout.write(`NOTE: ${done}; ${slow}\n`);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Runs cases in a child process until the time is over or a case ends it; returns the index of the next case. */
function runFrom(start: number): Promise<number> {
  return new Promise((resolve) => {
    let current = { index: start, expression: '', since: Date.now() };
    const worker: ChildProcess = fork(
      new URL('./fuzz-worker.ts', import.meta.url),
      [String(seed), String(start)],
      { execArgv: [...process.execArgv, `--max-old-space-size=${mostMemory}`] },
    );
    const watch = setInterval(() => {
      if (Date.now() - current.since > mostTime) {
        problems.push(`${current.index} takes longer than ${mostTime} ms: ${current.expression}`);
        finish(current.index + 1);
      } else if (Date.now() > ending) {
        finish(current.index);
      }
    }, 100);
    const finish = (following: number): void => {
      clearInterval(watch);
      worker.removeAllListeners();
      worker.kill('SIGKILL');
      resolve(following);
    };
    worker.on('message', (message: Message) => {
      if ('problem' in message) {
        problems.push(`${message.index}: ${message.problem}\n    ${message.expression}`);
        return;
      }
      const now = Date.now();
      const time = now - current.since;
      if (time > slowest.time && message.started > start) {
        slowest = { time, index: current.index, expression: current.expression };
      }
      current = { index: message.started, expression: message.expression, since: now };
    });
    worker.on('exit', (code, signal) => {
      problems.push(
        `${current.index} ended the process (${code ?? signal}): ${current.expression}`,
      );
      finish(current.index + 1);
    });
  });
}

type Message =
  | { readonly started: number; readonly expression: string }
  | { readonly index: number; readonly problem: string; readonly expression: string };
