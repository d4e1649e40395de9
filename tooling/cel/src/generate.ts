import type { Random } from './random.ts';

/** A case of `oracle eval`. */
export interface GeneratedCase {
  readonly id: string;
  readonly expression: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly declarations?: Readonly<Record<string, string>>;
  readonly kubernetesVersion?: string;
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
  mm: { k1: 'v1', k2: 'v2' },
  t: '2023-01-02T03:04:05Z',
  q: '1500m',
  v: '1.2.3',
  u: 'https://user@example.com:8080/a/b?x=1&y=2',
  ip: '10.1.2.3',
  dur: '1h30m',
  containers: [
    { name: 'web', image: 'reg.io/web:1.2', ports: [{ containerPort: 80 }], privileged: false },
    { name: 'side', image: 'docker.io/side', resources: { limits: { cpu: '1' } } },
  ],
};

const variables: Readonly<Record<string, unknown>> = {
  object,
  i: 5,
  s: 'abc',
  l: [3, 1, 2],
  m: { a: 1, b: 2 },
  d: { $double: '1.5' },
  u: { $uint: '7' },
  by: { $bytes: 'YWJj' },
  ts: { $timestamp: '2024-02-29T12:30:45.123456789+02:00' },
  dr: { $duration: '90m1.5s' },
};

const declarations: Readonly<Record<string, string>> = {
  i: 'int',
  s: 'string',
  l: 'list<int>',
  m: 'map<string, int>',
  d: 'double',
  u: 'uint',
  by: 'bytes',
  ts: 'timestamp',
  dr: 'duration',
};

type Kind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'list'
  | 'strings'
  | 'map'
  | 'timestamp'
  | 'duration'
  | 'quantity'
  | 'semver'
  | 'ip'
  | 'cidr'
  | 'url'
  | 'optional'
  | 'null'
  | 'type'
  | 'any';

const kinds: readonly Kind[] = [
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'list',
  'strings',
  'map',
  'timestamp',
  'duration',
  'quantity',
  'semver',
  'ip',
  'cidr',
  'url',
  'optional',
  'null',
  'type',
];

const dynamicPaths = [
  'object.i',
  'object.d',
  'object.s',
  'object.e',
  'object.b',
  'object.n',
  'object.l',
  'object.ls',
  'object.le',
  'object.mix',
  'object.m',
  'object.m.b',
  'object.m.b.c',
  'object.m["x-y"]',
  'object.m.constructor',
  'object.me',
  'object.mm',
  'object.zz',
  'object.m.zz',
  'object.s.y',
  'object.n.y',
  'object.l.y',
  'object.l[0]',
  'object.l[9]',
  'object.l[-1]',
  'object.ls[object.i]',
  'object.l[1u]',
  'object.l[1.0]',
  'object.l[1.5]',
  'object.m[object.s]',
  'object.mm["k1"]',
  'object.mm[object.n]',
  'object.containers',
  'object.containers[0].image',
  'object.?i',
  'object.?zz',
  'object.?m.b.?c',
  'object.m[?"a"]',
  'object.l[?1]',
  'object.l[?7]',
  'object',
  'object.t',
  'object.q',
];

const booleans = ['true', 'false', 'object.b', 'object.f'];
const ints = [
  '0',
  '1',
  '-1',
  '2',
  '7',
  '9223372036854775807',
  '-9223372036854775808',
  '0x1F',
  'i',
  'object.i',
  '100',
];
const uints = ['0u', '1u', '18446744073709551615u', 'u', '42u'];
const doubles = [
  '0.0',
  '1.0',
  '-2.5',
  '1e100',
  '1.5',
  'd',
  'object.d',
  '-0.0',
  '.5',
  '1e-7',
  'double("NaN")',
  'double("Infinity")',
];
const strings = [
  '""',
  '"a"',
  "'abc'",
  '"héllo"',
  's',
  'object.s',
  '"1"',
  '"true"',
  '"1h"',
  '"2023-01-02T03:04:05Z"',
  'r"\\d"',
  '"a,b,c"',
  '"🙂x"',
  'object.e',
  '"10.0.0.1"',
  '"1.2.3"',
  '"1Ki"',
];
const bytesTexts = ['b"abc"', 'b""', 'by', 'b"\\xff"'];
const lists = ['[]', '[1, 2, 3]', '[3, 1, 2, 1]', 'l', 'object.l', 'object.le', 'object.mix'];
const stringLists = ['["a", "b"]', '["b", "a", "a"]', 'object.ls', '[""]', '["x"]'];
const maps = [
  '{}',
  '{"a": 1}',
  '{"a": 1, "b": 2}',
  'm',
  'object.m',
  'object.mm',
  '{1: "x"}',
  '{true: 1}',
  '{1u: 2}',
];
const timestamps = [
  'timestamp("2023-01-02T03:04:05Z")',
  'ts',
  'timestamp(object.t)',
  'timestamp(0)',
  'timestamp("9999-12-31T23:59:59Z")',
  'timestamp(object.s)',
];
const durations = [
  'duration("1h")',
  'dr',
  'duration("-1.5s")',
  'duration("0")',
  'duration(object.dur)',
  'duration("106751h")',
];
const quantities = [
  'quantity("1")',
  'quantity("1500m")',
  'quantity(object.q)',
  'quantity("1Ki")',
  'quantity("1.5Gi")',
  'quantity(s)',
  'quantity("-2")',
  'quantity("10E")',
];
const semvers = [
  'semver("1.2.3")',
  'semver(object.v)',
  'semver("v1.2", true)',
  'semver("1.0.0-rc.1")',
  'semver(s)',
];
const ips = ['ip("10.1.2.3")', 'ip(object.ip)', 'ip("::1")', 'ip("2001:db8::1")', 'ip(s)'];
const cidrs = ['cidr("10.0.0.0/8")', 'cidr("10.1.2.3/24")', 'cidr("2001:db8::/32")', 'cidr(s)'];
const urls = [
  'url("https://example.com/a?b=c")',
  'url(object.u)',
  'url("/path")',
  'url(s)',
  'url("https://[::1]:80/")',
];
const zones = ['"UTC"', '"America/New_York"', '"+05:30"', '"-02:00"', '"Nope/Zone"', 's'];
const accessors = [
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getDayOfYear',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
];
const patterns = [
  '"a+"',
  '"[0-9]*"',
  '"^h.*d$"',
  '"("',
  's',
  'object.s',
  '"(?i)HELLO"',
  '"\\\\w+"',
];
const formats = [
  '"%s"',
  '"%d"',
  '"%f"',
  '"%.2f"',
  '"%e"',
  '"%x"',
  '"%X"',
  '"%b"',
  '"%o"',
  '"%s-%s"',
  '"%%"',
  '"%"',
  '"%z"',
  '"%.3s"',
  '"a%sb%d"',
  's',
  'object.s',
];

/** Makes random expressions, most of which have a type, and some of which are wrong on purpose. */
export class Generator {
  private readonly random: Random;
  private readonly scope: string[] = [];
  private names = 0;

  constructor(random: Random) {
    this.random = random;
  }

  case(id: string): GeneratedCase {
    const kind = this.random.chance(0.1) ? 'any' : this.random.pick(kinds);
    let expression = this.expression(kind, 1 + this.random.below(5));
    if (this.random.chance(0.04)) {
      expression = this.damage(expression);
    }
    const declared = this.random.chance(0.7) ? { declarations } : {};
    const version = this.random.chance(0.03)
      ? { kubernetesVersion: `1.${30 + this.random.below(8)}` }
      : {};
    return { id, expression, variables, ...declared, ...version };
  }

  /** An expression that is likely to be of the kind. */
  private expression(kind: Kind, depth: number): string {
    const { random } = this;
    if (kind === 'any') {
      return this.expression(random.pick(kinds), depth);
    }
    if (random.chance(0.06)) {
      return this.expression(random.pick(kinds), depth - 1);
    }
    if (this.scope.length > 0 && random.chance(0.25)) {
      return random.pick(this.scope);
    }
    if (random.chance(0.12)) {
      return random.pick(dynamicPaths);
    }
    if (depth <= 0) {
      return this.leaf(kind);
    }
    if (random.chance(0.08)) {
      return `(${this.expression('bool', depth - 1)} ? ${this.expression(kind, depth - 1)} : ${this.expression(kind, depth - 1)})`;
    }
    if (random.chance(0.03)) {
      return `dyn(${this.expression(kind, depth - 1)})`;
    }
    if (random.chance(0.04)) {
      return `${this.wrapped('optional', depth)}.orValue(${this.expression(kind, depth - 1)})`;
    }
    if (random.chance(0.03)) {
      return `${this.list(kind, depth)}[${this.expression('int', depth - 1)}]`;
    }
    return this.compound(kind, depth);
  }

  private leaf(kind: Kind): string {
    const { random } = this;
    switch (kind) {
      case 'bool':
        return random.pick(booleans);
      case 'int':
        return random.pick(ints);
      case 'uint':
        return random.pick(uints);
      case 'double':
        return random.pick(doubles);
      case 'string':
        return random.pick(strings);
      case 'bytes':
        return random.pick(bytesTexts);
      case 'list':
        return random.pick(lists);
      case 'strings':
        return random.pick(stringLists);
      case 'map':
        return random.pick(maps);
      case 'timestamp':
        return random.pick(timestamps);
      case 'duration':
        return random.pick(durations);
      case 'quantity':
        return random.pick(quantities);
      case 'semver':
        return random.pick(semvers);
      case 'ip':
        return random.pick(ips);
      case 'cidr':
        return random.pick(cidrs);
      case 'url':
        return random.pick(urls);
      case 'optional':
        return random.pick([
          'optional.none()',
          'optional.of(1)',
          'object.?i',
          'object.?zz',
          'object.?m.?a',
        ]);
      case 'null':
        return random.pick(['null', 'object.n']);
      case 'type':
        return random.pick([
          'int',
          'string',
          'type(1)',
          'list',
          'map',
          'null_type',
          'net.IP',
          'google.protobuf.Timestamp',
          'type(object.i)',
          'type(type)',
        ]);
      default:
        return random.pick(dynamicPaths);
    }
  }

  private wrapped(kind: Kind, depth: number): string {
    const text = this.expression(kind, depth - 1);
    return /^[\w."']+$/.test(text) && !/^[-0-9]/.test(text) ? text : `(${text})`;
  }

  private list(kind: Kind, depth: number): string {
    const count = this.random.below(4);
    const elements = Array.from({ length: count }, () => {
      const optional = this.random.chance(0.05);
      return optional
        ? `?${this.expression('optional', depth - 1)}`
        : this.expression(kind, depth - 1);
    });
    return `[${elements.join(', ')}]`;
  }

  private variable(): string {
    return this.random.chance(0.1) ? this.random.pick(['object', 's', 'x']) : `x${this.names++}`;
  }

  /** `range.macro(x, …)` with the body in the scope of its variables. */
  private loop(
    depth: number,
    macro: string,
    body: (two: boolean) => string,
    twoAllowed = true,
  ): string {
    const range = this.random.chance(0.7)
      ? this.wrapped(this.random.pick(['list', 'strings', 'map']), depth)
      : this.random.pick([
          'object.l',
          'object.containers',
          'object.mm',
          'object.zz',
          'object.s',
          '[1, 2, 0]',
        ]);
    const names = [this.variable()];
    const two = twoAllowed && this.random.chance(0.25);
    if (two) {
      names.push(this.variable());
    }
    this.scope.push(...names);
    const text = `${range}.${macro}(${names.join(', ')}, ${body(two)})`;
    this.scope.length -= names.length;
    return text;
  }

  private compound(kind: Kind, depth: number): string {
    const { random } = this;
    const sub = (inner: Kind): string => this.expression(inner, depth - 1);
    const at = (inner: Kind): string => this.wrapped(inner, depth);
    switch (kind) {
      case 'bool':
        return this.bool(depth, sub, at);
      case 'int':
        return random.pick([
          () => `${at('int')} ${random.pick(['+', '-', '*', '/', '%'])} ${at('int')}`,
          () => `-${at('int')}`,
          () => `size(${sub(random.pick(['string', 'list', 'map', 'bytes']))})`,
          () => `${at(random.pick(['string', 'list', 'map', 'bytes']))}.size()`,
          () => `int(${sub(random.pick(['string', 'double', 'uint', 'timestamp', 'duration']))})`,
          () =>
            `${at('timestamp')}.${random.pick(accessors)}(${random.chance(0.4) ? random.pick(zones) : ''})`,
          () => `${at('duration')}.${random.pick(accessors.slice(6))}()`,
          () =>
            `${at('string')}.${random.pick(['indexOf', 'lastIndexOf'])}(${sub('string')}${random.chance(0.3) ? `, ${sub('int')}` : ''})`,
          () => `${at('list')}.${random.pick(['sum', 'min', 'max'])}()`,
          () => `${at('list')}.${random.pick(['indexOf', 'lastIndexOf'])}(${sub('int')})`,
          () => `${at('quantity')}.compareTo(${sub('quantity')})`,
          () => `${at('quantity')}.asInteger()`,
          () => `sign(${sub('quantity')})`,
          () =>
            `${at('semver')}.${random.pick(['major()', 'minor()', 'patch()', `compareTo(${sub('semver')})`])}`,
          () => `${at('ip')}.family()`,
          () => `${at('cidr')}.prefixLength()`,
        ])();
      case 'uint':
        return random.pick([
          () => `${at('uint')} ${random.pick(['+', '-', '*', '/', '%'])} ${at('uint')}`,
          () => `uint(${sub(random.pick(['string', 'double', 'int']))})`,
        ])();
      case 'double':
        return random.pick([
          () => `${at('double')} ${random.pick(['+', '-', '*', '/'])} ${at('double')}`,
          () => `-${at('double')}`,
          () => `double(${sub(random.pick(['string', 'int', 'uint']))})`,
          () => `${at('quantity')}.asApproximateFloat()`,
        ])();
      case 'string':
        return this.string(sub, at);
      case 'bytes':
        return random.pick([
          () => `${at('bytes')} + ${at('bytes')}`,
          () => `bytes(${sub('string')})`,
        ])();
      case 'list':
      case 'strings':
        return this.listLike(kind, depth, sub, at);
      case 'map':
        return random.pick([
          () =>
            `{${Array.from({ length: random.below(3) }, (_, index) => `${random.chance(0.8) ? `"k${index}"` : sub('string')}: ${sub('int')}`).join(', ')}}`,
          () =>
            this.loop(
              depth,
              'transformMap',
              () => `${random.chance(0.3) ? `${sub('bool')}, ` : ''}${sub('any')}`,
            ),
          () => this.loop(depth, 'transformMapEntry', () => `{${sub('string')}: ${sub('int')}}`),
          () => `${at('url')}.getQuery()`,
        ])();
      case 'timestamp':
        return random.pick([
          () => `${at('timestamp')} ${random.pick(['+', '-'])} ${at('duration')}`,
          () => `timestamp(${sub(random.pick(['string', 'int', 'timestamp']))})`,
        ])();
      case 'duration':
        return random.pick([
          () => `${at('duration')} ${random.pick(['+', '-'])} ${at('duration')}`,
          () => `${at('timestamp')} - ${at('timestamp')}`,
          () => `duration(${sub('string')})`,
        ])();
      case 'quantity':
        return `${at('quantity')}.${random.pick(['add', 'sub'])}(${sub(random.pick(['quantity', 'int']))})`;
      case 'cidr':
        return `${at('cidr')}.masked()`;
      case 'ip':
        return `${at('cidr')}.ip()`;
      case 'optional':
        return random.pick([
          () => `optional.of(${sub('any')})`,
          () => `optional.ofNonZeroValue(${sub('any')})`,
          () => `${at('optional')}.or(${sub('optional')})`,
          () => `${at('list')}.${random.pick(['first', 'last'])}()`,
          () => this.optionalMap(depth),
          () => `${at('map')}.?a`,
          () => `${at('map')}[?${sub('string')}]`,
          () => `${at('list')}[?${sub('int')}]`,
        ])();
      case 'type':
        return `type(${sub('any')})`;
      default:
        return this.leaf(kind);
    }
  }

  private optionalMap(depth: number): string {
    const target = this.wrapped('optional', depth);
    const name = this.variable();
    this.scope.push(name);
    const text = `${target}.${this.random.pick(['optMap', 'optFlatMap'])}(${name}, ${this.expression(this.random.pick(['any', 'optional']), depth - 1)})`;
    this.scope.length -= 1;
    return text;
  }

  private bool(depth: number, sub: (kind: Kind) => string, at: (kind: Kind) => string): string {
    const { random } = this;
    return random.pick([
      () => `${at('bool')} ${random.pick(['&&', '||'])} ${at('bool')}`,
      () =>
        `${at('bool')} ${random.pick(['&&', '||'])} ${at('bool')} ${random.pick(['&&', '||'])} ${at('bool')}`,
      () => `!${at('bool')}`,
      () => {
        const kind = random.pick(kinds);
        return `${at(kind)} ${random.pick(['==', '!='])} ${at(random.chance(0.9) ? kind : random.pick(kinds))}`;
      },
      () => {
        const kind = random.pick<Kind>([
          'int',
          'double',
          'uint',
          'string',
          'bytes',
          'bool',
          'timestamp',
          'duration',
          'list',
        ]);
        const other = random.chance(0.8)
          ? kind
          : random.pick<Kind>(['int', 'double', 'uint', 'string']);
        return `${at(kind)} ${random.pick(['<', '<=', '>', '>='])} ${at(other)}`;
      },
      () =>
        `${at(random.pick(['int', 'string', 'double']))} in ${at(random.pick(['list', 'strings', 'map']))}`,
      () =>
        `has(${random.pick(['object.i', 'object.zz', 'object.m.a', 'object.m.b.zz', 'object.zz.y', 'object.s.y', 'object.n.y', 'object.l.y', 'm.a', 'm.zz', 'object.?m.a', '{"a": 1}.a', '{"a": 1}.b'])})`,
      () => this.loop(depth, random.pick(['all', 'exists', 'exists_one']), () => sub('bool')),
      () => this.loop(depth, random.pick(['all', 'exists', 'existsOne']), () => sub('bool')),
      () =>
        `${at('string')}.${random.pick(['startsWith', 'endsWith', 'contains'])}(${sub('string')})`,
      () => `${at('string')}.matches(${random.pick(patterns)})`,
      () => `matches(${sub('string')}, ${random.pick(patterns)})`,
      () => `bool(${sub('string')})`,
      () => `${at('optional')}.hasValue()`,
      () => `${at('list')}.isSorted()`,
      () => `${at('list')}.includes(${sub('int')})`,
      () =>
        `sets.${random.pick(['contains', 'intersects', 'equivalent'])}(${sub('list')}, ${sub('list')})`,
      () => `${at('quantity')}.${random.pick(['isGreaterThan', 'isLessThan'])}(${sub('quantity')})`,
      () => `${at('quantity')}.isInteger()`,
      () => `is${random.pick(['Quantity', 'URL', 'IP', 'CIDR', 'Semver'])}(${sub('string')})`,
      () => `${at('semver')}.isLessThan(${sub('semver')})`,
      () => `${at('cidr')}.containsIP(${sub(random.pick(['ip', 'string']))})`,
      () => `${at('cidr')}.containsCIDR(${sub(random.pick(['cidr', 'string']))})`,
      () =>
        `${at('ip')}.${random.pick(['isLoopback', 'isUnspecified', 'isGlobalUnicast', 'isLinkLocalUnicast'])}()`,
      () => `ip.isCanonical(${sub('string')})`,
      () => `format.dns1123Label().validate(${sub('string')}).hasValue()`,
    ])();
  }

  private string(sub: (kind: Kind) => string, at: (kind: Kind) => string): string {
    const { random } = this;
    return random.pick([
      () => `${at('string')} + ${at('string')}`,
      () =>
        `string(${sub(random.pick(['int', 'double', 'uint', 'bool', 'bytes', 'timestamp', 'duration', 'string', 'ip', 'cidr']))})`,
      () => `${at('string')}.${random.pick(['lowerAscii', 'upperAscii', 'trim'])}()`,
      () =>
        `${at('string')}.substring(${sub('int')}${random.chance(0.5) ? `, ${sub('int')}` : ''})`,
      () => `${at('string')}.charAt(${sub('int')})`,
      () =>
        `${at('string')}.replace(${sub('string')}, ${sub('string')}${random.chance(0.3) ? `, ${sub('int')}` : ''})`,
      () => `${at('strings')}.join(${random.chance(0.6) ? sub('string') : ''})`,
      () => `${at('string')}.find(${random.pick(patterns)})`,
      () => `strings.quote(${sub('string')})`,
      () =>
        `${random.pick(formats)}.format([${Array.from({ length: 1 + random.below(2) }, () => sub('any')).join(', ')}])`,
      () =>
        `${at('url')}.${random.pick(['getHost', 'getHostname', 'getPort', 'getScheme', 'getEscapedPath'])}()`,
    ])();
  }

  private listLike(
    kind: Kind,
    depth: number,
    sub: (kind: Kind) => string,
    at: (kind: Kind) => string,
  ): string {
    const { random } = this;
    const element: Kind = kind === 'list' ? random.pick(['int', 'int', 'any', 'double']) : 'string';
    return random.pick([
      () => this.list(element, depth),
      () => `${at(kind)} + ${at(kind)}`,
      () =>
        this.loop(
          depth,
          'map',
          () => `${random.chance(0.25) ? `${sub('bool')}, ` : ''}${sub(element)}`,
          false,
        ),
      () => this.loop(depth, 'filter', () => sub('bool'), false),
      () =>
        this.loop(
          depth,
          'transformList',
          () => `${random.chance(0.25) ? `${sub('bool')}, ` : ''}${sub(element)}`,
        ),
      () => `${at(kind)}.${random.pick(['distinct()', 'reverse()', 'sort()', 'flatten()'])}`,
      () => `${at(kind)}.slice(${sub('int')}, ${sub('int')})`,
      () => this.loop(depth, 'sortBy', () => sub(random.pick(['int', 'string'])), false),
      () => `lists.range(${random.below(5)})`,
      () => `${at('string')}.split(${sub('string')}${random.chance(0.3) ? `, ${sub('int')}` : ''})`,
      () =>
        `${at('string')}.findAll(${random.pick(patterns)}${random.chance(0.3) ? `, ${sub('int')}` : ''})`,
      () => `optional.unwrap([${sub('optional')}])`,
    ])();
  }

  /** Breaks a text in one place. */
  private damage(expression: string): string {
    const { random } = this;
    const at = random.below(expression.length + 1);
    return random.pick([
      () => expression.slice(0, at) + expression.slice(at + 1),
      () =>
        expression.slice(0, at) +
        random.pick([
          '(',
          ')',
          '[',
          ']',
          '.',
          ',',
          '"',
          '+',
          '?',
          ':',
          '&',
          'in',
          ' x ',
          '{',
          '}',
          '!',
          '-',
          '@',
          '`a`',
        ]) +
        expression.slice(at),
      () => expression.slice(0, at),
    ])();
  }
}
