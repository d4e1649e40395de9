import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { stringifyYaml } from '../src/index.ts';

const options = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;

const texts = [
  ...['', ' ', '\n', 'a\nb', 'a\n', '\na', ' a\n  b\n', 'a: b', '- a', '---', '--- x', '...', '%x'],
  ...['yes', 'no', 'null', '~', '1', '0x1', '1e3', '1_000', '12:30', '2020-01-01', 'a #b', '#a'],
  ...[
    'a:',
    ':a',
    '?',
    '-',
    '!x',
    '&a',
    '*a',
    '|',
    '>',
    '"',
    "'",
    'a\tb',
    '\ttab',
    'é',
    '😀',
    '\u0085',
  ],
  ...[
    '[a]',
    '{a}',
    'a,b',
    'a\r\nb',
    '=',
    '<<',
    '0o7',
    '.5',
    '+1',
    '.inf',
    'x\n\n\ny\n\n',
    '  lead',
  ],
  ...['trail  ', "it's", 'a\\b', 'k:\n    x', '\n    four', 'x\n    four\n      six', 'x \ny'],
  ...[
    `${'x'.repeat(100)} ${'y'.repeat(100)}`,
    'a line that is long enough to be folded\nand one more ',
  ],
];
const keys = [
  'a',
  'yes',
  'spec',
  'example.com/v1',
  'null',
  'n',
  'x-y',
  '',
  'a b',
  '---',
  '__proto__',
];
const others = [0, -7, 1.5, 1e21, -0.1, 123456789012345678n, true, false, null, undefined, [], {}];

/** Values made of a seed: the same every time. */
function valueSource(seed: number): () => unknown {
  let state = seed;
  const below = (count: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * count);
  };
  const value = (depth: number): unknown => {
    const kind = below(depth > 3 ? 5 : 8);
    if (kind < 3) return texts[below(texts.length)];
    if (kind < 5) return others[below(others.length)] ?? null;
    const items = Array.from({ length: below(4) }, () => value(depth + 1));
    if (kind === 5) return items;
    // Most maps have keys as objects of Kubernetes have.
    const most = below(10) === 0 ? keys.length : 7;
    return Object.fromEntries(items.map((item) => [keys[below(most)] ?? '', item]));
  };
  return () => value(0);
}

test("YAML equals the library's output for the complete value", () => {
  const next = valueSource(7);
  for (let count = 0; count < 2000; count++) {
    const value = next();
    expect(stringifyYaml(value)).toBe(stringify(value, options));
  }
});

const itself: Record<string, unknown> = {};
itself['again'] = itself;
const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => ({ inner }), 1);

test.each<[string, unknown, string]>([
  [
    'a map',
    new Map([['a', 1]]),
    'cannot write an object of the class Map as YAML; expected data as JSON.parse returns it',
  ],
  [
    'a set',
    { a: new Set() },
    'cannot write an object of the class Set as YAML; expected data as JSON.parse returns it',
  ],
  [
    'a date',
    [new Date(0)],
    'cannot write an object of the class Date as YAML; expected data as JSON.parse returns it',
  ],
  [
    'a class',
    new (class Web {})(),
    'cannot write an object of the class Web as YAML; expected data as JSON.parse returns it',
  ],
  ['a function', { 'a key': () => 1 }, 'cannot write a function as YAML'],
  ['a symbol', Symbol('a'), 'cannot write a symbol as YAML'],
  ['itself', itself, 'the value is nested too deeply, or contains itself'],
  ['too much', deep, 'the value is nested too deeply, or contains itself'],
])('what holds %s is refused', (_name, value, message) => {
  expect(() => stringifyYaml(value)).toThrow(new TypeError(message));
});
