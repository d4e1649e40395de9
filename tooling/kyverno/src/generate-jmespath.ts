import { phrases, type Random, words } from '@kubeadmit/random';

/** A random case for `jmespath`. */
export function generateJmesPath(random: Random): object {
  const expression = random.chance(0.05)
    ? mangle(random, expressionText(random, 3))
    : expressionText(random, random.below(4));
  return { expression, input: data(random) };
}

const texts = [
  '',
  ...words('a b abc A-b nginx nginx:1.2'),
  `docker.io/library/nginx@sha256:${'a'.repeat(64)}`,
  ...phrases`
    gcr.io/Foo  1  5  10  1.5  -3  1e3  0x1p4  1_0  1Gi  512Mi  100m  12Ki  0.1234567891  1h  30m
    90s  1.5h  -5m  1d  2024-01-01T10:47:31Z  2024-02-28T23:00:00+02:00  2024-01-02T01:30:00.5Z
    2024-13-01T00:00:00Z  1.2.3  >=1.0.0  1.x  >=1.2.x <2.0.0 || 3.1.0  v1.2.3  1.2.3-rc.1  ^1.0.0
    *  a*  ?b*  [a-z]+  (a)(b)?  (?!x)  $1
  `,
  ...words('$\u007b1}x aGk/Pg== aGk {"k":[1,2]} {"k": [1,2 tru'),
  'k: v',
  '- 1\n- y',
  ...words('/a//b/../c/ ../.. true TRUE yes ß é 日本 <&>'),
  ' x ',
  ...phrases`
    null  {{ a }}  https://10.0.0.1/x  http://8.8.8.8  :x  86400  0  Mon Jan 2 15:04:05 2006
    Mon Jan 15 10:00:00 2024  2006-01-02  2024-02-30  1Ki  1023  1024  1k  2E  9223372036854775807
    1e-5  5.  .5  m
  `,
];
const numbers = [
  0, 1, 2, 3, -1, -7, 1.5, 2.675, -2.5, 10, 100, 1000000, 1e21, 0.00001, 16777217, 1234567.5, -0.5,
];

/** A letter for each argument of the functions: its usual type. */
export const functionShapes: Readonly<Record<string, string>> = {
  abs: 'n',
  avg: 'l',
  ceil: 'n',
  contains: 'as',
  ends_with: 'ss',
  floor: 'n',
  join: 'sl',
  keys: 'o',
  length: 'a',
  map: 'el',
  max: 'l',
  max_by: 'le',
  merge: 'oo',
  min: 'l',
  min_by: 'le',
  not_null: 'aa',
  reverse: 'l',
  sort: 'l',
  sort_by: 'le',
  starts_with: 'ss',
  to_array: 'a',
  to_number: 's',
  to_string: 'a',
  type: 'a',
  values: 'o',
  compare: 'ss',
  equal_fold: 'ss',
  replace: 'sssn',
  replace_all: 'sss',
  to_upper: 's',
  to_lower: 's',
  trim: 'ss',
  trim_prefix: 'ss',
  split: 'ss',
  regex_match: 'ss',
  regex_replace_all: 'sss',
  regex_replace_all_literal: 'sss',
  pattern_match: 'ss',
  label_match: 'oo',
  to_boolean: 's',
  add: 'qq',
  subtract: 'qq',
  multiply: 'qq',
  divide: 'qq',
  modulo: 'qq',
  sum: 'l',
  round: 'nn',
  base64_decode: 's',
  base64_encode: 's',
  path_canonicalize: 's',
  truncate: 'sn',
  semver_compare: 'ss',
  parse_json: 's',
  parse_yaml: 's',
  lookup: 'ls',
  items: 'oss',
  object_from_lists: 'll',
  time_since: 'sss',
  time_diff: 'tt',
  time_before: 'tt',
  time_after: 'tt',
  time_between: 'ttt',
  time_add: 'td',
  time_truncate: 'td',
  time_parse: 'ss',
  time_utc: 't',
  time_to_cron: 't',
  image_normalize: 's',
  sha256: 's',
  sha1: 's',
  md5: 's',
  is_external_url: 's',
  nosuch: 'a',
};

function data(random: Random): unknown {
  return {
    a: {
      b: random.pick(numbers),
      str: random.pick(texts),
      nul: null,
      m: { p: '1', q: random.pick(texts) },
    },
    list: random.list(0, 4, () => ({ n: random.pick(texts), v: random.pick(numbers) })),
    labels: { app: 'x', tier: random.pick(texts) },
    s: random.pick(texts),
    n: random.pick(numbers),
    m: random.list(0, 3, () =>
      random.pick<unknown>([random.pick(texts), random.pick(numbers), null, true, [1], {}]),
    ),
    c: random.pick<unknown>([null, true, false, '', [], {}]),
  };
}

function literal(random: Random): string {
  const kind = random.below(6);
  if (kind < 3) return quoted(random.pick(texts));
  if (kind === 3) return `\`${random.pick(numbers)}\``;
  return random.pick(
    words('`null` `true` `[]` `{}` `[1,2,3]` `["b","a"]` `{"a":"x","b":2}` `"q"`'),
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`;
}

function path(random: Random): string {
  return random.pick([
    ...words(
      'a.b a.str a.nul a.m a.m.q a.x x x.y list list[*].n list[*].v list[].n list[0].n list[-1]',
      'list[0] list[1:] list[::-1] list[9].n labels labels.app labels.tier s n m m[0] m[] c c.x',
      '@ "x-y"',
    ),
    'list[?v > `1`]',
    ...phrases`list[?n == '1'].v  keys(labels) | sort(@)  list[*].zz  s.x  m[*]`,
  ]);
}

function expressionText(random: Random, depth: number): string {
  if (depth <= 0) return random.chance(0.5) ? path(random) : literal(random);
  const inner = (): string => expressionText(random, depth - 1);
  switch (random.below(13)) {
    case 0:
      return `${inner()} || ${inner()}`;
    case 1:
      return `${inner()} && ${inner()}`;
    case 2:
      return `!${inner()}`;
    case 3:
      return `${inner()} ${random.pick(['==', '!=', '<', '>', '<=', '>='])} ${inner()}`;
    case 4:
      return `${inner()} | ${inner()}`;
    case 5:
      return `[${inner()}, ${inner()}]`;
    case 6:
      return `{k: ${inner()}, "j": ${inner()}}`;
    case 7:
      return `(${inner()})${random.pick(['', '.n', '[0]', '[*]', '[]', '[1:3]', '[?@]'])}`;
    default:
      return call(random, depth);
  }
}

function call(random: Random, depth: number): string {
  const name = random.pick(Object.keys(functionShapes));
  const shape = functionShapes[name] ?? '';
  const args = Array.from(shape, (kind) => argument(random, kind, depth));
  if (random.chance(0.03)) args.push('@');
  return `${name}(${args.join(', ')})`;
}

function argument(random: Random, kind: string, depth: number): string {
  if (random.chance(0.08) && kind !== 'e') return expressionText(random, depth - 1);
  switch (kind) {
    case 'n':
      return random.pick(['a.b', 'n', `\`${random.pick(numbers)}\``]);
    case 's':
      return random.chance(0.7)
        ? quoted(random.pick(texts))
        : random.pick(['s', 'a.str', 'list[0].n', 'labels.tier', 'n']);
    case 'q':
      return random.chance(0.7)
        ? quoted(
            random.pick(
              words(
                '1 10 1.5 -3 1e3 1Gi 512Mi 100m 12Ki 0.1234567891 1h 30m 90s 1.5h 0 0.5 13 1k',
                '250Mi 3 x 1us 2562047h',
              ),
            ),
          )
        : `\`${random.pick(numbers)}\``;
    case 't':
      return quoted(
        random.pick(phrases`
          2024-01-01T10:47:31Z  2024-02-28T23:00:00+02:00  2024-01-02T01:30:00.5Z
          2024-13-01T00:00:00Z  0001-01-01T00:00:00Z  2024-02-30T00:00:00Z  2024-01-01 10:00:00Z
          2024-01-01T1:00:00Z  2024-01-01T10:00:00-07:30  2024-01-01T10:00:00  x
          9999-12-31T23:59:59Z  2024-01-01T10:00:00,25Z
        `),
      );
    case 'd':
      return quoted(
        random.pick(['1h', '-5m', '15m', '1.5h', '36h', '1d', 'x', '0', '1ns', '7us', '24h0m1s']),
      );
    case 'l':
      return random.pick(
        words(
          'list m list[*].n list[*].v `[3,1,2]` `["b","a"]` `[]` [\'1Gi\',\'512Mi\']',
          "['1h','5m'] `[1,\"a\"]` items(labels,'k','v') keys(labels)|sort(@)",
        ),
      );
    case 'o':
      return random.pick([
        'labels',
        'a.m',
        '`{}`',
        "{app:'x'}",
        '{a: s, b: n}',
        'list[0]',
        '@',
        '`{"b":1,"a":[1]}`',
      ]);
    case 'e':
      return random.pick(['&n', '&v', '&@', '&zz', '&to_string(v)', '&length(n)', '&k']);
    default:
      return expressionText(random, depth - 1);
  }
}

function mangle(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return random.chance(0.5)
    ? text.slice(0, at) +
        random.pick(words('( ) [ ] { } . * & | ` \' " , : = ! # - @ [? é [- [1')) +
        text.slice(at)
    : text.slice(0, at) + text.slice(at + 1);
}
