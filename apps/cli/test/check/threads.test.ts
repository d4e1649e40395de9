import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ThreadPool } from '../../src/check/threads.ts';
import { withFiles } from '../process/program.ts';

/** A thread that answers stretches with their numbers, and does something else at one of them. */
const thread = (bad: string): string => `
const { parentPort, workerData } = require('node:worker_threads');
if (workerData.never) throw new Error('no such schema');
parentPort.on('message', ({ from, to }) => {
  if (from <= workerData.at && workerData.at < to) { ${bad} }
  parentPort.postMessage({ from, to, parts: [from] });
});
parentPort.postMessage('ready');
`;

async function answersOf(
  bad: string,
  { count = 200, at = 77, never = false, heap = 64 } = {},
): Promise<readonly { from: number; to: number; failure?: string }[]> {
  return withFiles({ 'thread.cjs': thread(bad) }, async (folder) => {
    const pool = new ThreadPool({
      file: join(folder, 'thread.cjs'),
      threads: 2,
      setup: { at, never },
      count,
      resourceLimits: { maxOldGenerationSizeMb: heap },
    });
    try {
      const answers = [];
      for await (const { from, to, ...rest } of pool.answers()) {
        answers.push({ from, to, ...('failure' in rest ? { failure: rest.failure } : {}) });
      }
      return answers;
    } finally {
      await pool.close();
    }
  });
}

/** Whether answers are about each subject once, in order. */
function cover(answers: readonly { from: number; to: number }[], count: number): boolean {
  let next = 0;
  for (const { from, to } of answers) {
    if (from !== next || to <= from) return false;
    next = to;
  }
  return next === count;
}

test('answers come in order, whoever gives them first', async () => {
  const slow = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);';
  const answers = await answersOf(slow, { at: 3 });
  expect(cover(answers, 200)).toBe(true);
  expect(answers.filter(({ failure }) => failure !== undefined)).toEqual([]);
});

test.each([
  [
    'runs out of memory',
    'const all = []; for (;;) all.push(new Array(10000).fill(from + 0.5));',
    'it ran out of memory',
  ],
  ['throws', "throw new Error('a bug of ours');", 'a bug of ours'],
  ['throws what is no error', "throw 'a text';", 'a text'],
  ['ends', 'process.exit(0);', 'it ended with code 0'],
])(
  'a thread that %s costs one subject, of which it is said',
  async (_, bad, failure) => {
    const answers = await answersOf(bad);
    expect(cover(answers, 200)).toBe(true);
    expect(answers.filter((each) => each.failure !== undefined)).toEqual([
      { from: 77, to: 78, failure },
    ]);
  },
  60_000,
);

test('threads that cannot start end the check', async () => {
  await expect(answersOf('', { never: true })).rejects.toThrow(
    'a thread that checks manifests did not start: no such schema',
  );
});
