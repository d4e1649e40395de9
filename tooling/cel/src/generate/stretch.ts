import type { Random } from '@kubeadmit/random';

/** Puts an expression into something long or deep, up to and beyond the limits of the parser. */
export function stretch(random: Random, expression: string): string {
  const count = random.pick([3, 10, 40, 120, 124, 125, 248, 249, 250, 251]);
  const around = (open: string, close: string): string =>
    `${open.repeat(count)}${expression}${close.repeat(count)}`;
  const joined = (operator: string, other: string): string =>
    `(${expression})${` ${operator} ${other}`.repeat(count)}`;
  return random.pick([
    () => around('(', ')'),
    () => around('[', ']'),
    () => around('{1: ', '}'),
    () => around('dyn(', ')'),
    () => around('optional.of(', ')'),
    () => around('!', ''),
    () => around('-', ''),
    () => around('true ? ', ' : 1'),
    () => around('1 + (', ')'),
    () => around('[', '][0]'),
    () => around('', '.a'),
    () => around('', '[0]'),
    () => around('', '.?a'),
    () => around('', '.size()'),
    () => joined('+', '1'),
    () => joined('&&', 'true'),
    () => joined('||', 'object.b'),
    () => joined('==', '1'),
    () => `[${`${expression}, `.repeat(Math.min(count, 40))}1]`,
    () =>
      `${'[1].map(x, '.repeat(Math.min(count, 12))}${expression}${')'.repeat(Math.min(count, 12))}`,
    () => `[${'1, '.repeat(count)}1].map(x, ${expression})`,
    () => `lists.range(${count}).all(x, ${expression} == x)`,
    () => `lists.range(${count}).map(x, lists.range(${count}).map(y, ${expression}))`,
    () => `lists.range(${count}).transformMap(x, y, ${expression})`,
  ])();
}
