import { join } from 'node:path';
import { withFiles } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { ThreadPool } from '../../src/check/threads.ts';

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
      threads: () => 2,
      setup: () => ({ at, never }),
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

/** The pool with one further thread, and this one, which answers with its own parts. */
async function shared(count: number, bad: string, threads: (secondsLeft: number) => number) {
  return withFiles({ 'thread.cjs': thread(bad) }, async (folder) => {
    const own: number[] = [];
    const pool = new ThreadPool({
      file: join(folder, 'thread.cjs'),
      threads,
      setup: () => ({ at: 77 }),
      count,
      judge: ({ from, to }) => {
        for (let index = from; index < to; index++) own.push(index);
        // Long enough for the other one to begin.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
        return { from, to, parts: ['own'] } as never;
      },
    });
    const answers = [];
    try {
      for await (const answer of pool.answers()) answers.push(answer);
    } finally {
      await pool.close();
    }
    return { answers, own };
  });
}

test('a thread that has nothing to write judges too', async () => {
  const { answers, own } = await shared(800, '', () => 2);
  expect(cover(answers, 800)).toBe(true);
  const isOwn = answers.map((each) => 'parts' in each && each.parts[0] === 'own');
  expect(new Set(isOwn)).toEqual(new Set([true, false]));
  expect(own.length).toBe(isOwn.filter(Boolean).length * 8);
});

test('one thread judges all where no other is worth its start', async () => {
  const asked: number[] = [];
  const { answers, own } = await shared(400, 'process.exit(0);', (secondsLeft) => {
    asked.push(secondsLeft);
    return 1;
  });
  expect(cover(answers, 400)).toBe(true);
  expect(own).toEqual(Array.from({ length: 400 }, (_, index) => index));
  // The function is called at the start and after each second, so at least twice.
  expect(asked[0]).toBe(0);
  expect(asked[1]).toBeGreaterThan(0);
});

test('others start where what is left is worth it', async () => {
  const { answers, own } = await shared(1600, '', (secondsLeft) => (secondsLeft > 1 ? 2 : 1));
  expect(cover(answers, 1600)).toBe(true);
  expect(own.length).toBeGreaterThan(0);
  expect(own.length).toBeLessThan(1600);
});
