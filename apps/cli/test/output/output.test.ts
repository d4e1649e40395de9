import { PassThrough } from 'node:stream';
import { Source } from '@kubeadmit/manifest';
import { expect, test } from 'vitest';
import { excerpt } from '../../src/output/excerpt.ts';
import { printable, styleFor } from '../../src/output/style.ts';
import { Progress } from '../../src/process/progress.ts';
import { runHere } from '../terminal.ts';

const plain = styleFor(new PassThrough(), {});

test('an excerpt marks a place under wide characters and tabs', () => {
  const source = new Source('x', "a\n\t'世界' == b\n");
  expect(excerpt(source, { line: 2, column: 10 }, 1, plain)).toBe(
    "1 | a\n2 | \t'世界' == b\n  | \t          ^",
  );
});

test('an excerpt of a long line shows the text around the position', () => {
  const source = new Source('x', `${'a'.repeat(500)}!${'b'.repeat(500)}`);
  const [line = '', mark = ''] = excerpt(source, { line: 1, column: 501 }, 1, plain).split('\n');
  expect(line.length).toBeLessThan(200);
  expect(line[mark.indexOf('^')]).toBe('!');
});

test('an excerpt shows a few lines before the place at most', () => {
  const source = new Source('x', Array.from({ length: 50 }, (_, i) => `line ${i + 1}`).join('\n'));
  const lines = excerpt(source, { line: 40, column: 1 }, 2, plain).split('\n');
  expect(lines[0]).toBe('34 | line 34');
  expect(lines).toHaveLength(8);
});

test('control characters and changes of direction are shown as escapes', () => {
  expect(printable('a\u001b[31m\u202eb\nc\t\u0007')).toBe('a\\u001b[31m\\u202eb\nc\t\\u0007');
});

test.each([
  [true, {}, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, {}, false],
])('colours: terminal %s, environment %j', (isTTY, env, coloured) => {
  const style = styleFor(Object.assign(new PassThrough(), { isTTY }), env);
  expect(style.red('x') !== 'x').toBe(coloured);
});

test('progress is shown on a terminal for large work only, and goes away', () => {
  const shown = (isTTY: boolean, size: number): string => {
    const stream = Object.assign(new PassThrough(), { isTTY });
    const progress = new Progress({ stderr: stream }, size, 100);
    for (const done of [0, 0, 50, 100]) progress.show('reading', done, 100);
    progress.clear();
    progress.clear();
    // Joins the output, however it is split into chunks.
    let text = '';
    for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) text += String(chunk);
    return text;
  };
  expect(shown(false, 1000)).toBe('');
  expect(shown(true, 10)).toBe('');
  expect(shown(true, 1000)).toBe(
    '\r\u001b[Kreading 0 %\r\u001b[Kreading 50 %\r\u001b[Kreading 100 %\r\u001b[K',
  );
});

test('each command has a help with examples', async () => {
  const { stdout, exitCode } = await runHere(['--help']);
  expect(exitCode).toBe(0);
  const names = [...stdout.matchAll(/^ {2}([a-z]+) \[?[<[o]/gm)].map(([, name]) => name);
  expect(names).toContain('check');
  for (const name of [...names, 'bench eval', 'bench admit', 'kyverno conditions']) {
    // The help of some is that of another package.
    if (name === undefined || ['bench', 'kyverno', 'serve', 'webhook', 'apiserver'].includes(name))
      continue;
    const help = await runHere([...name.split(' '), '--help']);
    expect(help.exitCode, name).toBe(0);
    expect(help.stdout, name).toContain('Examples:');
    expect(help.stdout, name).toContain('Exit codes:');
  }
});

test('the version is that of the package', async () => {
  expect(await runHere(['--version'])).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  });
});
