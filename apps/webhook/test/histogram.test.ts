import { AggregatorRegistry, Histogram, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { Durations } from '../src/operation/durations.ts';

const options = {
  name: 'seconds',
  help: 'What takes time.',
  labelNames: ['path', 'code'],
  buckets: [0.001, 0.01, 1],
};
const observations: readonly [path: string, code: string, seconds: number][] = [
  ['validate', '200', 0],
  ['validate', '200', 0.001],
  ['validate', '200', 0.0011],
  ['validate', '200', 5],
  ['mutate', '429', 1],
];

test('writes durations like a histogram of prom-client', async () => {
  const registries = [new Registry(), new Registry()] as const;
  const theirs = new Histogram({ ...options, registers: [registries[0]] });
  const { name, help, buckets } = options;
  const labelNames = ['path', 'code'] as const;
  const ours = new Durations({ name, help, labelNames, buckets, register: registries[1] });
  const series = new Map<string, ReturnType<typeof ours.of>>();
  ours.of({ path: 'validate', code: '500' });
  for (const [path, code, seconds] of observations) {
    theirs.observe({ path, code }, seconds);
    const known = series.get(path) ?? ours.of({ path, code });
    series.set(path, known);
    known.observe(seconds);
  }
  const [expected = '', text = ''] = await Promise.all(registries.map((each) => each.metrics()));
  const lines = (whole: string): readonly string[] => whole.split('\n').map(inOrder).sort();
  expect(lines(text)).toEqual(lines(expected));
  const json = await Promise.all(registries.map((each) => each.getMetricsAsJSON()));
  const [added, alone] = await Promise.all(
    [
      [json[1], json[1]],
      [json[0], json[0]],
    ].map((each) => AggregatorRegistry.aggregate(each as never).metrics()),
  );
  expect(lines(added ?? '')).toEqual(lines(alone ?? ''));
});

// The order of labels means nothing.
function inOrder(line: string): string {
  return line.replace(/\{(.*)\}/, (_all, labels: string) => labels.split(',').sort().join());
}
