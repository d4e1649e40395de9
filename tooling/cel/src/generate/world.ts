import type { Type, Value } from '@kubeadmit/cel';
import { typeOf } from '@kubeadmit/cel/values';
import { phrases, type Random, words } from '@kubeadmit/random';

/** Variables with their values, the declared types of some, and the readable paths. */
export interface World {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly declarations: Readonly<Record<string, string>>;
  /** Expressions that read a variable or a part of one, with the kind of their value. */
  readonly paths: readonly Path[];
}

export interface Path {
  readonly text: string;
  /** The kind of value at run time; `undefined` where there is none. */
  readonly kind: Type['kind'] | undefined;
}

const object = {
  i: 3,
  d: 2.5,
  s: 'hello wörld',
  e: '',
  b: true,
  f: false,
  n: null,
  l: [1, 2, 3, 12],
  ls: ['a', 'bb', 'a', 'ccc'],
  le: [],
  mix: ['a', 1, null, 2.5],
  m: { a: 1, b: { c: 'v', d: [1, { x: 'y' }] }, 'x-y': true, constructor: 7 },
  me: {},
  empty: { '': { a: 1, '': 'x' }, a: 2 },
  mm: { k1: 'v1', k2: 'v2' },
  t: '2023-01-02T03:04:05Z',
  q: '1500m',
  v: '1.2.3',
  u: 'https://user@example.com:8080/a/b?x=1&y=2',
  ip: '10.1.2.3',
  dur: '1h30m',
  big: { $int: '9007199254740993' },
  uint: { $uint: '7' },
  ts: { $timestamp: '2024-02-29T12:30:45.5Z' },
  by: { $bytes: 'YWL/' },
  containers: [
    { name: 'web', image: 'reg.io/web:1.2', ports: [{ containerPort: 80 }], privileged: false },
    { name: 'side', image: 'docker.io/side', resources: { limits: { cpu: '1' } } },
  ],
};

const typed: Readonly<Record<string, readonly [type: string, value: unknown]>> = {
  i: ['int', 5],
  s: ['string', 'abc'],
  bo: ['bool', true],
  l: ['list<int>', [3, 1, 2]],
  ls: ['list<string>', ['b', 'a', 'b']],
  ll: ['list<list<int>>', [[1], [], [2, 3]]],
  ld: ['list<double>', [1.5, { $double: '2' }]],
  m: ['map<string, int>', { a: 1, b: 2 }],
  mo: ['map<string, map<string, string>>', { a: { b: 'c' }, d: {} }],
  md: ['map<string, dyn>', { a: 1, b: 'x', n: null }],
  d: ['double', { $double: '1.5' }],
  u: ['uint', { $uint: '7' }],
  by: ['bytes', { $bytes: 'YWJj' }],
  ts: ['timestamp', { $timestamp: '2024-02-29T12:30:45.123456789+02:00' }],
  dr: ['duration', { $duration: '90m1.5s' }],
  nu: ['null_type', null],
};

/** Values of types that data does not have, to test wrong declarations. */
const surprises: readonly unknown[] = [
  1,
  'x',
  2.5,
  true,
  null,
  [1, 'a'],
  { a: 'b' },
  { $uint: '3' },
];

const missing = words(
  'object.zz object.m.zz object.s.y object.n.y object.l.y object.l[9] object.l[-1]',
  'object.l[1.5] object.m[object.s] object.mm[object.n] object.?zz object.l[?7] zz',
  'object.m[null] object[0] object.i[0] .object.zz object.`x-y` object.m.?`q/r`',
);

const present = words(
  'object.?i object.?m.b.?c object.m[?"a"] object.l[?1] object.l[1u] object.l[1.0] object["s"]',
  '.object.i object.m.`x-y` object.?m.?`x-y` object.containers[0].ports[0]',
  'object.empty[""] object.empty[""].a object.empty[""][""] object.empty.?a object.empty[?""]',
);

/** The values of one case; some are made at random, and some are not of the type they are declared with. */
export function makeWorld(random: Random): World {
  const variables: Record<string, unknown> = { object };
  const declarations: Record<string, string> = {};
  const paths: Path[] = [...fixedPaths];
  const isDeclared = random.chance(0.7);
  for (const [name, [type, value]] of Object.entries(typed)) {
    const surprise = random.chance(0.015);
    variables[name] = surprise ? random.pick(surprises) : value;
    if (isDeclared) declarations[name] = random.chance(0.02) ? random.pick(oddTypes) : type;
    paths.push({ text: name, kind: kindOf(variables[name]) });
  }
  if (random.chance(0.3)) {
    variables['r'] = randomJson(random, 4);
    for (const path of pathsOf('r', variables['r'] as Value)) paths.push(path);
    if (random.chance(0.3)) declarations['r'] = random.pick(oddTypes);
  }
  return { variables, declarations, paths };
}

const oddTypes = phrases`
  map<string, dyn>  list<dyn>  dyn  optional<int>  type  quantity  list<quantity>  ip
  map<string, string>  map<int, dyn>  list<map<string, int>>  optional<list<string>>  url  semver
  cidr  string  int  map<bool, list<optional<uint>>>  null_type  timestamp
`;

const keys = [
  ...words('a b k1 x-y constructor __proto__ toString hasOwnProperty'),
  '',
  ...phrases`é  🙂  a.b/c  in  namespace  if  0  1  true  x y  name  value`,
];

function randomJson(random: Random, depth: number): unknown {
  const choice = random.below(depth <= 0 ? 9 : 13);
  switch (choice) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.below(20) - 5;
    case 3:
      return random.pick([0.5, -2.25, 1e100, 1e21, 123456789.125, 2 ** 53, -(2 ** 63), 1e15]);
    case 4:
      return random.pick([
        { $int: '9223372036854775807' },
        { $int: '-9223372036854775808' },
        { $uint: '18446744073709551615' },
        { $double: '-0' },
        { $double: '3' },
        { $double: 'NaN' },
        { $double: '+Inf' },
      ]);
    case 5:
      return random.pick([
        { $bytes: '' },
        { $bytes: '/w==' },
        { $timestamp: '1969-12-31T23:59:59.999999999-11:30' },
        { $duration: '-1.5s' },
        { $duration: '0s' },
      ]);
    case 6:
    case 7:
    case 8:
      return random.pick(['', ...words('a abc é 🙂 1 10.0.0.1 1Ki'), 'x\ny', '\u0000', 'true']);
    case 9:
    case 10:
      return Array.from({ length: random.below(5) }, () => randomJson(random, depth - 1));
    default: {
      const map: Record<string, unknown> = Object.create(null);
      for (let count = random.below(5); count > 0; count--) {
        map[random.pick(keys)] = randomJson(random, depth - 1);
      }
      return map;
    }
  }
}

function* pathsOf(text: string, value: unknown): Generator<Path> {
  yield { text, kind: kindOf(value) };
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) yield* pathsOf(`${text}[${index}]`, element);
  } else if (typeof value === 'object' && value !== null && !isSpecial(value)) {
    for (const [key, inner] of Object.entries(value)) {
      const isName = /^[A-Za-z_]\w*$/.test(key) && !/^(?:in|true|false|null)$/.test(key);
      yield* pathsOf(isName ? `${text}.${key}` : `${text}[${JSON.stringify(key)}]`, inner);
    }
  }
}

function isSpecial(value: object): boolean {
  return Object.keys(value).length === 1 && Object.keys(value)[0]?.startsWith('$') === true;
}

function kindOf(value: unknown): Type['kind'] | undefined {
  if (typeof value === 'object' && value !== null && isSpecial(value)) {
    return (Object.keys(value)[0] ?? '').slice(1) as Type['kind'];
  }
  return typeOf(value as Value).kind;
}

const fixedPaths: readonly Path[] = [
  ...pathsOf('object', object),
  ...missing.map((text): Path => ({ text, kind: undefined })),
  ...present.map((text): Path => ({ text, kind: undefined })),
];
