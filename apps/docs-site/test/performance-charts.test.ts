import { expect, test } from 'vitest';
import { barChart } from '../src/build/bar-chart.ts';
import { withChart } from '../src/build/performance-charts.ts';

const speed = `Measured.

| case | µs | Kyverno |
| --- | ---: | ---: |
| a \\| b | 1 | 20.0× |
| c | 2 | 10.0× |
| d | 3 | – |

After it.`;

test('draws a chart above the table of measurements', () => {
  const text = withChart('packages/kyverno', speed);
  expect(text.indexOf('<figure')).toBeLessThan(text.indexOf('| case |'));
  expect(text).toContain('>20.0×</text>');
  expect(text.match(/class="other"/g)).toHaveLength(2);
  expect(text.match(/width="33%"/g)).toHaveLength(1);
});

test('shows medians of a table of expressions', () => {
  const rows = [1, 2, 3, 4, 90].map((ratio) => `| x | 5 | ${ratio}× | ${ratio * 2}× |`);
  const table = ['| expression | ns | cel-js | cel-go |', '| --- | ---: | ---: | ---: |', ...rows];
  const text = withChart('packages/engine', `Times.\n\n${table.join('\n')}\n`);
  expect(text).toContain('>3.0×</text>');
  expect(text).toContain('>6.0×</text>');
});

test('keeps a section without a chart', () => {
  expect(withChart('packages/cel', speed)).toBe(speed);
});

test('fails for a package whose table is gone', () => {
  expect(() => withChart('packages/kyverno', 'No table.')).toThrow('has no table');
});

test('folds a long table', () => {
  const rows = Array.from({ length: 13 }, (_, at) => `| ${at} | 1 | 2.0× |`);
  const text = withChart(
    'packages/kyverno',
    `| case | µs | Kyverno |\n| --- | --- | --- |\n${rows.join('\n')}`,
  );
  expect(text).toContain('<summary>All 13 measurements</summary>');
});

test('shortens a bar that is much longer than the others, and escapes labels', () => {
  const chart = barChart('Time', [
    { label: 'a < b', value: 500, text: '500×' },
    { label: 'b', value: 10, text: '10×' },
    { label: 'c', value: 5, text: '5×' },
    { label: 'd', value: 5, text: '5×' },
  ]);
  expect(chart).toContain('a &lt; b');
  expect(chart.match(/class="gap"/g)).toHaveLength(1);
  expect(chart).toContain('500×');
});
