import { phrases, type Random, words } from '@kubeadmit/random';

// Cases made to crash, to hang or to fill the memory. Sizes are those that a policy or an object may
// have: kube-apiserver takes requests of 3 MB.

/** An expression, and the values of its variables as the text of a JSON object. */
export interface HostileCase {
  readonly expression: string;
  readonly data: string;
}

type Family = (random: Random) => HostileCase;

export function hostileCase(random: Random): HostileCase {
  return random.pick(families)(random);
}

const sizes = [10, 250, 1000, 1000, 20_000, 100_000, 100_000, 1_000_000];
const kilo = [10, 100, 1000, 10_000];

const fragments = [
  ...phrases`(  )  [  ]  {  }  !  -  ?  :  .  ,  +  &&  ||  "  '`,
  '`',
  '\\',
  '\n',
  ...phrases`1  a  1 +  a.  a?  a ? b :  [1,  {1:  f(  (1  has(  .map(x,  -1  !!  0x  1e  é  🙂`,
  '\ud800',
  '\u0000',
  ...phrases`//  /*  """  r'''  b"  \u  $`,
  ...['in ', 'null,', ' ', '\t', '_'],
];

const closers: Readonly<Record<string, string>> = {
  '(': ')',
  '[': ']',
  '{1:': '}',
  'f(': ')',
  '(1': ')',
  'has(': ')',
};

function longExpression(random: Random): HostileCase {
  const fragment = random.pick(fragments);
  const count = Math.ceil(random.pick(sizes) / fragment.length);
  const end = random.chance(0.4) ? (closers[fragment] ?? ']').repeat(count) : '';
  const core = random.chance(0.5) ? '1' : '';
  return { expression: fragment.repeat(count) + core + end, data: '{}' };
}

function mixedExpression(random: Random): HostileCase {
  const length = random.pick([5, 50, 500, 5000]);
  const text = Array.from({ length }, () => random.pick(fragments)).join('');
  return { expression: text, data: '{}' };
}

function chain(random: Random): HostileCase {
  const count = random.pick(kilo);
  const expression = random.pick([
    () => `a${'.b'.repeat(count)}`,
    () => `a${'[0]'.repeat(count)}`,
    () => `[${'1,'.repeat(count)}1].exists(x, x == ${count})`,
    () =>
      `{${Array.from({ length: count }, (_, index) => `"k${index}": ${index}`).join(', ')}}.all(k, true)`,
    () => `${'true && '.repeat(count)}true`,
    () => `${'"a" + '.repeat(Math.min(count, 240))}"a"`,
    () => `${'[1].map(x, '.repeat(Math.min(count, 200))}1${')'.repeat(Math.min(count, 200))}`,
    () => `${'[1, 2].all(x, '.repeat(Math.min(count, 30))}true${')'.repeat(Math.min(count, 30))}`,
    () => `"${'\\u00e9'.repeat(count)}".size()`,
    () => `a ${'? b : a '.repeat(count)}`,
    () => `optional.of(1)${'.optMap(x, x)'.repeat(Math.min(count, 248))}`,
    () => `optional.of(1)${'.optFlatMap(x, optional.of(x))'.repeat(Math.min(count, 9))}`,
    () => `${'[1].sortBy(x, '.repeat(Math.min(count, 60))}1${')'.repeat(Math.min(count, 60))}`,
    () =>
      `${'optional.of('.repeat(Math.min(count, 60))}1${').optMap(x, x)'.repeat(Math.min(count, 60))}`,
  ])();
  return { expression, data: '{"a": {"b": {}}, "b": 1}' };
}

const awkwardKeys = words(
  '__proto__ constructor toString valueOf hasOwnProperty __defineGetter__ then',
);

function awkwardNames(random: Random): HostileCase {
  const key = random.pick(awkwardKeys);
  const expression = random.pick([
    `object.${key}.${key}`,
    `has(object.${key})`,
    `has(object.l.${key})`,
    `object.zz.${key}`,
    `{"${key}": 1}.${key}`,
    `{"${key}": 1}["${key}"] + object["${key}"].${key}`,
    `"${key}" in {}`,
    `"${key}" in object`,
    `object.map(k, object[k])`,
    `${key}`,
    `${key}(1)`,
    `[1].${key}()`,
    `[1].map(${key}, ${key})`,
    `{}.${key}`,
    `"a".${key}`,
    `object.?${key}.?${key}`,
    `[1].transformMap(i, v, "${key}")`,
    `[1].transformMapEntry(i, v, {"${key}": v})`,
    `google.protobuf.Struct{fields: {"${key}": 1}}`,
    `"%s".format([{"${key}": 1}])`,
    `${key}{a: 1}`,
    `google.protobuf.${key}`,
  ]);
  return { expression, data: `{"object": {"${key}": {"${key}": 1}, "l": ["${key}"]}}` };
}

function deepData(random: Random): HostileCase {
  const depth = random.pick([100, 1000, 3000, 9000]);
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"b":', '}]'],
  ] as const);
  const deep = `${open.repeat(depth)}1${close.repeat(depth)}`;
  const expression = random.pick(phrases`
    d  d == d  d == e  d != e  d in [e]  [d, e].distinct()  "%s".format([d])
    dyn(d).flatten(100000)  size(d)  {"a": d} == {"a": e}  sets.equivalent([d], [e])
    optional.of(d) == optional.of(e)  [?d]  d[0][0]  type(d)  [d].join(",")  {}[d]
  `);
  return { expression, data: `{"d": ${deep}, "e": ${deep}}` };
}

function wideData(random: Random): HostileCase {
  const count = random.pick([100, 1000, 1000, 10_000, 10_000, 100_000]);
  const list = Array.from({ length: count }, (_, index) => (index * 7919) % count);
  const map = Object.fromEntries(list.map((value) => [`key${value}`, value]));
  const expression = random.pick(phrases`
    l.all(x, x >= 0)  l.map(x, x + 1).filter(x, x > 5).size()
    l.exists(x, l.exists(y, x == y + 1000000))  l.sort()  l.distinct()  l == l.reverse()
    l + l + l + l  sets.contains(l, l)  sets.intersects(l, l.map(x, -x - 1))  m.map(k, m[k]).sum()
    m.all(k, v, v >= 0)  m.transformMap(k, v, v)  m == m.transformMap(k, v, v)
    l.map(x, [x]).flatten()  l.map(x, string(x)).join(",").size()  l.sortBy(x, -x).first()
    "%s".format([l])  l.transformMap(i, v, v)  l.exists_one(x, x == 5)  l.indexOf(-1) + l.max()
    -1 in l
  `);
  return { expression, data: JSON.stringify({ l: list, m: map }) };
}

const nastyPatterns = phrases`
  (a+)+$  (a|a)*b  (a*)*b  (.*)(.*)(.*)(.*)x  a{1000}  (a{1,30}){1,30}  ((a{0,100}){0,10})b
  (?:a?){50}a{50}  [^b]*[^c]*[^d]*$  (x+x+)+y  ^(([a-z])+.)+[A-Z]([a-z])+$  (?i)(ab|AB|aB)*c
  \pL*\pN*\pS*x  (a|aa)+$  .*.*.*.*.*=  (?s).*?.*?.*?z  ((((((((((a*)*)*)*)*)*)*)*)*)*)*  ()*
  (|a)*  [\x00-\x{10FFFF}]*!
`;

function patterns(random: Random): HostileCase {
  const text = random
    .pick(['a', 'ab', 'é', '🙂', 'aA', 'x'])
    .repeat(random.pick([10, 30, 1000, 50_000]));
  const pattern = random.pick(nastyPatterns);
  const literal = JSON.stringify(pattern);
  const expression = random.pick([
    `t.matches(${literal})`,
    't.matches(p)',
    `t.find(${literal})`,
    't.findAll(p)',
    't.findAll(p, 3)',
    `matches(t, ${literal})`,
    't.matches(t)',
    'lists.range(10).all(i, t.matches(p))',
    't.matches(p + string(size(t)))',
  ]);
  return { expression, data: JSON.stringify({ t: text, p: pattern }) };
}

// Parts that an expression may contain thousands of times side by side.
const wide = [
  ...['t+t', 't==1', 't.a.b', 'has(t.a)', 't[0]', 't.?a', 'b?1:2', '-t', 'f(t)', 'nope', 'm.x(1)'],
  ...['[t][0]', '{t:1}', 't in t', '"a"', '[1].all(y,y>0)', '[1].map(y,y)', 'x.bind(y,1,y)'],
];

function bombs(random: Random): HostileCase {
  const width = random.pick(
    words('999999999 1000 99999999999999999999 0 1001 30000 1000000 10000009 -1', '2147483648'),
  );
  const text = 'ab'.repeat(random.pick([10, 1000, 100_000]));
  const expression = random.pick([
    ...[`"%.${width}f".format([1.0])`, `"%.${width}e".format([1.5])`],
    ...[`"%${width}s".format(["a"])`, `"${'%s'.repeat(1000)}".format([t])`],
    ...[`lists.range(${width})`],
    ...phrases`
      lists.range(1000000).all(x, true)  t.replace("", t)  t.replace("a", t)  t.split("")
      t.split("").map(c, t).size()  t.split("").map(c, t).join(t).size()
      [t, t, t, t].map(a, [a, a, a, a].map(b, a + b + a + b)).size()
      lists.range(1000).map(i, lists.range(1000).map(j, i * j))
      lists.range(100).map(i, lists.range(100).map(j, lists.range(100).map(k, t)))
      [1, 2, 3, 4].map(a, [1, 2, 3, 4].map(b, [1, 2, 3, 4].map(c, [a, b, c]))).flatten(9223372036854775807)
    `,
    `[${`${random.pick(wide)},`.repeat(12_000)}1].size()`,
    ...phrases`
      t + t + t + t + t + t + t + t  t.indexOf(t + "x") + t.lastIndexOf("ba")
      lists.range(500).transformMap(i, v, lists.range(500))  strings.quote(t).size()
      t.upperAscii().lowerAscii() == t  t.charAt(size(t)) + t.substring(1)  bytes(t) + bytes(t)
      {t: t}[t].contains(t)  [t, t].distinct().size() + [t].indexOf(t)
      quantity("1e999999999").add(quantity("1n"))  quantity(t)
    `,
    ...[`quantity("${'9'.repeat(1000)}").sub(1)`, `quantity("1e${width}")`],
    ...[`semver("${'1'.repeat(1000)}.0.0")`, `semver("1.0.0-${'a.'.repeat(1000)}b")`],
    ...phrases`
      ip(t)  isIP(t) || isCIDR(t) || isURL(t) || isSemver(t) || isQuantity(t)  url(t)
      url("https://" + t).getHost()  url("https://h/?" + t + "&" + t).getQuery()  timestamp(t)
      timestamp("9999-12-31T23:59:59Z") + duration("1s")
      timestamp("0001-01-01T00:00:00Z") - duration("1ns")  timestamp(9223372036854775807)
      timestamp(-9223372036854775808)  timestamp("2023-01-01T00:00:00Z").getHours(t)
      timestamp("2023-01-01T00:00:00Z").getHours("99999999999:00")  duration(t)
      duration("9223372036854775807ns") + duration("1ns")
      duration(string(9223372036854775807) + "h")  int(t)
    `,
    `int("${'9'.repeat(100_00)}")`,
    `double("${'1'.repeat(10_000)}e-10000")`,
    `double("0x${'f'.repeat(1000)}p99999999")`,
    ...phrases`
      9223372036854775807 + 1  -9223372036854775808 / -1  -9223372036854775808 % -1
      18446744073709551615u * 2u
    `,
    `${'9'.repeat(5000)}`,
    `${'9'.repeat(5000)}.0e${width}`,
    ...words(
      'format.named("dns1123Label").value().validate(t) format.uri().validate(t)',
      'format.dns1123Subdomain().validate(t) jsonpatch.escapeKey(t)',
    ),
  ]);
  return { expression, data: JSON.stringify({ t: text }) };
}

function surrogates(random: Random): HostileCase {
  const text = random.pick([
    '\ud800',
    '\udc00',
    '\udc00\ud800',
    'a\ud83d',
    '\ude42b',
    '\ud83d\ude42',
  ]);
  const expression = random.pick([
    ...[`"${text}"`, `"${text}" == s`, 's.size()', 's + s', `s.contains("${text}")`],
    ...phrases`s.charAt(0) + s.substring(1)  s.split("")  bytes(s)  m`,
    `m["${text}"]`,
    `s in m`,
    ...phrases`
      s.matches(".")  s.replace(s, "x")  s.lowerAscii()  s.indexOf(s)  s < "z"  [s, s].distinct()
    `,
    ...[`// ${text}`, `${text}`, `a.\`${text}\``, 'strings.quote(s)', 'url(s)'],
    ...['"%s".format([s])'],
  ]);
  return { expression, data: JSON.stringify({ s: text, m: { [text]: 1 }, a: {} }) };
}

const families: readonly Family[] = [
  longExpression,
  mixedExpression,
  mixedExpression,
  chain,
  awkwardNames,
  awkwardNames,
  deepData,
  wideData,
  patterns,
  bombs,
  bombs,
  surrogates,
];
