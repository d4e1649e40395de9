import type { JsonObject } from '@kubeadmit/conformance-tools';
import { words } from '@kubeadmit/random';
import { definitionOf } from './cases.ts';

/** Values of every kind that an expression can have: fields with and without limits, literals, and results. */
const operands: readonly string[] = [
  ...words('self.s self.sm self.t self.d self.i self.b self.n self.l self.lm self.ios self.m'),
  ...words('self.mm self.o self.o.a self.lm[0] self.mm["a"] self.?s'),
  ...["'abc'", "''", '1', '-1', '1u', '1.5', 'true', 'null', "b'ab'", '[1, 2]', "['a', 'b']"],
  ...['[]', "{'a': 1}", '{}', '[[1], [2]]', 'dyn(self.s)', 'int', 'type(self.t)', 'null_type{}'],
  ...["duration('1s')", "timestamp('2020-01-01T00:00:00Z')", 'google.protobuf.Timestamp'],
  ...["ip('1.2.3.4')", "cidr('1.2.3.4/8')", "quantity('1')", "url('https://a')", "semver('1.0.0')"],
  ...['format.dns1123Label().value()', 'optional.of(self.s)', 'optional.none()', 'list{}'],
  ...['google.protobuf.Int32Value{value: 1}', 'google.protobuf.StringValue{value: self.s}'],
  ...['google.protobuf.NullValue.NULL_VALUE', 'google.protobuf.Struct{}', 'self.lm.map(x, x)'],
  ...[
    'self.l.filter(x, x > 1)',
    'self.mm.map(k, k)',
    'self.s + self.sm',
    'true ? self.s : self.sm',
  ],
  ...['bytes(self.s)', 'string(self.b)', 'self.sm.split(",")', 'self.s.lowerAscii()'],
];

const members: readonly string[] = words(
  'add asApproximateFloat asInteger charAt compareTo contains containsCIDR containsIP distinct endsWith exists',
  'family find findAll flatten format getDate getDayOfMonth getDayOfWeek getDayOfYear getEscapedPath getFullYear',
  'getHost getHostname getHours getMilliseconds getMinutes getMonth getPort getQuery getScheme getSeconds hasValue',
  'includes indexOf isGlobalUnicast isGreaterThan isInteger isLessThan isLinkLocalMulticast isLinkLocalUnicast',
  'isLoopback isSorted isUnspecified ip join lastIndexOf lowerAscii major masked matches max min minor optFlatMap or',
  'orValue patch prefixLength replace reverse sign size slice sort split startsWith sub substring sum trim unwrapOpt',
  'upperAscii validate value first last',
);

const globals: readonly string[] = words(
  'bool bytes cidr double duration dyn format.named int ip ip.isCanonical isCIDR isIP isQuantity isSemver isURL',
  'jsonpatch.escapeKey lists.range matches math.abs math.ceil math.greatest math.isNaN math.least math.round math.sqrt',
  'optional.of optional.ofNonZeroValue quantity semver sets.contains sets.equivalent sets.intersects size string',
  'strings.quote timestamp type uint url base64.encode base64.decode',
);

const operators: readonly string[] = words('+ - * / % == != < <= > >= in && ||');

/** How many elements the list around a rule has: a cost of 1 or of 100 shows in the factor that a refusal names. */
const counts: readonly number[] = [100_000_000, 1_000_000];
const rulesPerCase = 40;

/** Definitions whose rules are every function and operator on every kind of value, so that estimated costs show. */
export function* costSweepCases(): Generator<JsonObject> {
  let made = 0;
  let rules: string[] = [];
  for (const rule of expressions()) {
    rules.push(rule);
    if (rules.length < rulesPerCase) continue;
    yield* casesOf(rules, made++);
    rules = [];
  }
  yield* casesOf(rules, made);
}

function* expressions(): Generator<string> {
  for (const left of operands) {
    yield `type(${left}) == int`;
    for (const name of members) yield `dyn(${left}.${name}()) == 1`;
    for (const name of globals) yield `dyn(${name}(${left})) == 1`;
    for (const right of operands) {
      for (const operator of operators) yield `(${left} ${operator} ${right}) == true`;
    }
  }
  for (const left of operands) {
    for (const right of operands.slice(0, 24)) {
      for (const name of members) yield `dyn(${left}.${name}(${right})) == 1`;
      for (const name of globals) yield `dyn(${name}(${left}, ${right})) == 1`;
    }
  }
  for (const left of ['self.s', 'self.sm', 'self.l', 'self.lm', "'abc'"]) {
    for (const name of words('replace substring slice split indexOf lastIndexOf')) {
      for (const first of ["''", "'a'", 'self.s', 'self.sm', '0', '-1', 'self.i']) {
        for (const second of ["''", "'abc'", 'self.s', '1', '-1', 'self.i']) {
          yield `dyn(${left}.${name}(${first}, ${second})) == 1`;
        }
      }
    }
  }
}

function* casesOf(rules: readonly string[], number: number): Generator<JsonObject> {
  for (const count of counts) {
    const validations = rules.map((rule) => ({ rule }));
    const items = { type: 'object', properties, 'x-kubernetes-validations': validations };
    const list = { type: 'array', maxItems: count, items };
    yield {
      id: `costs-${number}-${count}`,
      definition: definitionOf([{ type: 'object', properties: { list } }]),
    };
  }
}

const properties = {
  s: { type: 'string' },
  sm: { type: 'string', maxLength: 10 },
  t: { type: 'string', format: 'date-time' },
  d: { type: 'string', format: 'duration' },
  i: { type: 'integer' },
  b: { type: 'string', format: 'byte' },
  n: { type: 'number' },
  l: { type: 'array', items: { type: 'integer' } },
  lm: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 5 } },
  ios: { 'x-kubernetes-int-or-string': true },
  m: { type: 'object', additionalProperties: { type: 'string' } },
  mm: {
    type: 'object',
    maxProperties: 5,
    additionalProperties: { type: 'string', maxLength: 7 },
  },
  o: { type: 'object', properties: { a: { type: 'string' } } },
};
