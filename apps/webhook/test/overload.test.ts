import { expect, test } from 'vitest';
import { Backlog } from '../src/review/backlog.ts';
import { Turns } from '../src/review/turns.ts';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook } from './harness/webhook.ts';

test('work beyond ten milliseconds waits for the next turn of the event loop', async () => {
  const turns = new Turns();
  expect(turns.enter('new')).toBeUndefined();
  turns.leave(4);
  expect(turns.enter('new')).toBeUndefined();
  turns.leave(7);
  let turn = 0;
  const order: string[] = [];
  const tick = (): void => {
    turn++;
    if (turn < 5) setImmediate(tick);
  };
  setImmediate(tick);
  const work = async (name: string, milliseconds: number): Promise<void> => {
    await turns.enter('new');
    order.push(`${name}${turn}`);
    turns.leave(milliseconds);
  };
  await Promise.all([work('a', 6), work('b', 6), work('c', 12), work('d', 1)]);
  const turnOf = (name: string): number => Number(order.find((each) => each[0] === name)?.slice(1));
  expect(order.map((each) => each[0])).toEqual(['a', 'b', 'c', 'd']);
  expect(turnOf('a')).toBe(turnOf('b'));
  expect(turnOf('c')).toBeGreaterThan(turnOf('b'));
  expect(turnOf('d')).toBeGreaterThan(turnOf('c'));
});

test('started work is finished first, and long decisions get every other slice', async () => {
  const turns = new Turns();
  expect(turns.enter('new')).toBeUndefined();
  turns.leave(10);
  const order: string[] = [];
  const work = async (name: string, progress: 'new' | 'begun' | 'long'): Promise<void> => {
    await turns.enter(progress);
    order.push(name);
    turns.leave(1);
  };
  await Promise.all([
    work('new 1', 'new'),
    work('new 2', 'new'),
    work('long 1', 'long'),
    work('long 2', 'long'),
    work('begun 1', 'begun'),
    work('begun 2', 'begun'),
  ]);
  expect(order).toEqual(['long 1', 'begun 1', 'long 2', 'begun 2', 'new 1', 'new 2']);
});

test('a request that cannot be answered in time is refused at once, with the reason', () => {
  const backlog = new Backlog();
  for (let count = 0; count < 100; count++) {
    backlog.begin(10_000);
    // The first requests of a process are slow.
    backlog.end(count < 20 ? 900 : 40);
  }
  for (let count = 0; count < 16; count++) backlog.begin(10_000);
  expect(() => backlog.begin(800)).not.toThrow();
  expect(() => backlog.begin(800)).toThrow(
    /^overloaded: 17 requests in progress take about 680 ms, and the deadline is in 800 ms$/,
  );
  for (let count = 0; count < 17; count++) backlog.end();
  expect(backlog.count).toBe(0);
});

test('requests wait longer while other programs use the processors', () => {
  let time = 0;
  const backlog = new Backlog(() => time);
  const decide = (interval: number): void => {
    backlog.begin(10_000);
    time += interval;
    backlog.end(10);
  };
  for (let count = 0; count < 3; count++) backlog.begin(10_000);
  for (let count = 0; count < 100; count++) decide(10);
  expect(backlog.milliseconds).toBeCloseTo(30, 0);
  for (let count = 0; count < 100; count++) decide(25);
  expect(backlog.milliseconds).toBeCloseTo(75, 0);
  // A stalled API server is not a busy processor.
  for (let count = 0; count < 100; count++) decide(5_000);
  expect(backlog.milliseconds).toBeCloseTo(120, 0);
});

test('the time without requests does not count as an interval', () => {
  let time = 0;
  const backlog = new Backlog(() => time);
  for (let count = 0; count < 100; count++) {
    backlog.begin(10_000);
    backlog.end(10);
    time += 60_000;
  }
  backlog.begin(10_000);
  expect(backlog.milliseconds).toBe(10);
});

test('a few requests are never refused, however costly requests are', () => {
  const backlog = new Backlog();
  for (let count = 0; count < 100; count++) {
    backlog.begin(800);
    backlog.end(5_000);
  }
  for (let count = 0; count < 4; count++) expect(() => backlog.begin(800)).not.toThrow();
  expect(() => backlog.begin(800)).toThrow('overloaded');
});

test('no request is refused before a process has measured the cost of requests', () => {
  const backlog = new Backlog();
  for (let count = 0; count < 40; count++) {
    backlog.begin(800);
    backlog.end(5_000);
  }
  for (let count = 0; count < 200; count++) expect(() => backlog.begin(800)).not.toThrow();
});

test('under overload, some requests are decided and the others refused at once', async () => {
  const ten = '[0,1,2,3,4,5,6,7,8,9]';
  const costly = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.exists(d, d == 9 && object.metadata.name != ''))))`;
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [
      `policy-${index}.yaml`,
      validatingPolicy(`policy-${index}`, costly),
    ]),
  );
  const webhook = await startWebhook(files);
  const ask = async (): Promise<number> =>
    (await webhook.ask('/validate?timeout=1s', configMapReview())).code;
  try {
    for (let count = 0; count < 70; count++) await ask();
    const codes = await Promise.all(Array.from({ length: 150 }, ask));
    expect(new Set(codes)).toEqual(new Set([200, 429]));
    const { text } = await webhook.read('/metrics');
    const metric = (name: string): number =>
      Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      );
    const labels = 'path="validate",code="429"';
    const refused = metric(`kubeadmit_request_duration_seconds_count{${labels}}`);
    expect(refused).toBe(codes.filter((code) => code === 429).length);
    const reasons = webhook.log.map(({ message }) => String(message));
    const atOnce = reasons.filter((each) =>
      /^refused: overloaded: \d+ requests in progress/.test(each),
    );
    const late = reasons.filter((each) => /^refused: overloaded: the request waited/.test(each));
    expect(atOnce.length + late.length).toBe(refused);
    expect(atOnce.length).toBeGreaterThan(0);
    expect(metric('kubeadmit_request_wait_duration_seconds_sum{path="validate"}')).toBeGreaterThan(
      0,
    );
  } finally {
    await webhook.stop();
  }
});
