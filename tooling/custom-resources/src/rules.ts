import type { Json, JsonObject } from '@kubeadmit/conformance-tools';
import { phrases, type Random } from '@kubeadmit/random';
import { escapeProperty } from '@kubeadmit/schemas/cel';
import { objectOf } from './object-of.ts';
import { pairRule } from './pair-rules.ts';

/** Rules for the values of a schema, some with messages, reasons and paths. */
export function makeRules(random: Random, schema: JsonObject): Json[] {
  const count = random.pick([1, 1, 2, 3]);
  return Array.from({ length: count }, () => rule(random, schema));
}

function rule(random: Random, schema: JsonObject): JsonObject {
  const writer = new RuleWriter(random);
  const isOptional = random.chance(0.12);
  const usesOld = isOptional || random.chance(0.25);
  const made: JsonObject = { rule: writer.rule(schema, usesOld, isOptional) };
  const maybe = (chance: number, key: string, values: readonly Json[]): void => {
    if (random.chance(chance)) made[key] = random.pick(values);
  };
  maybe(isOptional ? 0.9 : 0.03, 'optionalOldSelf', [true, true, true, false]);
  maybe(0.2, 'message', ['m', ' padded ', 'a\nb', '', ' ', 'must <be> "set"']);
  if (random.chance(0.2)) made['messageExpression'] = writer.message(schema);
  maybe(0.12, 'reason', [
    'FieldValueInvalid',
    'FieldValueForbidden',
    'FieldValueRequired',
    'FieldValueDuplicate',
    'Other',
    '',
  ]);
  if (random.chance(0.12)) made['fieldPath'] = fieldPath(random, schema);
  return made;
}

function fieldPath(random: Random, schema: JsonObject): string {
  const properties = Object.keys(objectOf(schema['properties']));
  const name = properties.length > 0 ? random.pick(properties) : 'a';
  const forms = [
    `.${name}`,
    `['${name}']`,
    `.${name}.a`,
    `.${name}['x-y']`,
    `.${name}[0]`,
    name,
    '.nope',
    '',
    ' ',
    '.',
    `['${name}`,
    `.${name}\n`,
    `['it\\'s']`,
  ];
  return random.pick(random.chance(0.6) ? forms.slice(0, 2) : forms);
}

/** Writes CEL over values with known schemas; with a small chance over missing fields. */
class RuleWriter {
  readonly #random: Random;
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  rule(schema: JsonObject, usesOld: boolean, isOptional: boolean): string {
    if (!usesOld) return this.truth(schema, 'self', 3);
    const old = isOptional
      ? this.#random.pick(['oldSelf.value()', 'oldSelf.orValue(self)', 'oldSelf'])
      : 'oldSelf';
    const body = this.#random.chance(0.5)
      ? `${old} ${this.#random.pick(['==', '!='])} self`
      : this.#both(schema, 'self', old);
    const guarded = this.#random.chance(0.3)
      ? `${body} ${this.#random.pick(['&&', '||'])} ${this.truth(schema, 'self', 1)}`
      : body;
    return isOptional && this.#random.chance(0.7) ? `!oldSelf.hasValue() || ${guarded}` : guarded;
  }

  message(schema: JsonObject): string {
    const of = schema['type'];
    const texts = phrases`
      'fixed'  ''  ' padded '  'a\nb'  'a\rb'  'bad' + self  5  'unfinished  'x'.substring(3)
      string(self == self)
    `;
    if (of === 'string')
      texts.push('self', "'got ' + self", "self + '!' + self", 'self.upperAscii()');
    if (of === 'integer') texts.push("'got ' + string(self)", 'string(1 / self)');
    const [name] = Object.keys(objectOf(schema['properties']));
    const visible = name === undefined ? undefined : escapeProperty(name);
    if (visible !== undefined) {
      const place = `self.${visible}`;
      texts.push(`'got ' + ${place}`, `string(${place})`, `'%s'.format([${place}])`);
      texts.push(`has(${place}) ? '' : 'x'`, `'${visible}: ' + string(${place}.size())`);
    }
    if (of === 'array')
      texts.push("'%d'.format([self.size()])", "self.map(x, string(x)).join(',')");
    return this.#random.pick(texts);
  }

  /** Something that is true or false of a value. */
  truth(schema: JsonObject, of: string, depth: number): string {
    const random = this.#random;
    if (random.chance(0.02)) return random.pick(broken);
    if (depth > 0 && random.chance(0.12)) return this.#combined(schema, of, depth);
    if (schema['nullable'] === true && random.chance(0.1)) return `${of} == null`;
    if (schema['x-kubernetes-int-or-string'] === true) return this.#intOrString(of);
    switch (schema['type']) {
      case 'string':
        return this.#text(String(schema['format'] ?? ''), of);
      case 'integer':
        return random.pick([
          `${of} > 1`,
          `10 / ${of} > 2`,
          `${of} % 2 == 0`,
          `${of} in [1, 2]`,
          `${of} + 9223372036854775807 > 0`,
          `string(${of}) == '1'`,
          `${of} < 2.5`,
          `${of} == 2u`,
        ]);
      case 'number':
        return random.pick([
          `${of} > 1.0`,
          `${of} == 2.0`,
          `int(${of}) == 2`,
          `${of} * 2.0 < 5.0`,
          `math.ceil(${of}) == 2.0`,
        ]);
      case 'boolean':
        return random.pick([of, `!${of}`, `${of} == true`, `string(${of}) == 'true'`]);
      case 'array':
        return this.#list(schema, of, depth);
      case 'object':
        return this.#object(schema, of, depth);
      default:
        return random.pick([
          `${of} == 'x'`,
          `type(${of}) == string`,
          `${of}.a == 1`,
          `has(${of}.a)`,
          `dyn(${of}) == 1`,
        ]);
    }
  }

  #combined(schema: JsonObject, of: string, depth: number): string {
    const inner = (): string => this.truth(schema, of, depth - 1);
    const name = this.#name();
    return this.#random.pick([
      () => `${inner()} && ${inner()}`,
      () => `${inner()} || ${inner()}`,
      () => `!(${inner()})`,
      () => `(${inner()}) ? ${inner()} : ${inner()}`,
      () => `cel.bind(${name}, ${of}, ${this.truth(schema, name, depth - 1)})`,
      () => `[${of}].all(${name}, ${this.truth(schema, name, depth - 1)})`,
      () => `${of} == ${of}`,
      () => `{'a': ${of}}.exists(${name}, ${name} == 'a')`,
      () => `optional.of(${of}).hasValue()`,
      () => `dyn(${of}) == ${of}`,
    ])();
  }

  #intOrString(of: string): string {
    return this.#random.pick([
      `type(${of}) == int`,
      `type(${of}) == string ? ${of}.endsWith('%') : ${of} > 1`,
      `${of} == 1`,
      `${of} == '5%'`,
      `${of} > 1`,
      `string(${of}).contains('5')`,
      `${of} in [1, '5%']`,
      `int(${of}) > 2`,
    ]);
  }

  #text(format: string, of: string): string {
    const known =
      Object.hasOwn(textRules, format) && this.#random.chance(0.85) ? textRules[format] : undefined;
    return this.#random.pick(known ?? plainTextRules).replaceAll('$', of);
  }

  #list(schema: JsonObject, of: string, depth: number): string {
    const random = this.#random;
    const items = objectOf(schema['items']);
    const name = this.#name();
    const other = this.#name();
    const inner = (as: string): string => (depth > 0 ? this.truth(items, as, depth - 1) : 'true');
    const shared = [
      () => `${of}.all(${name}, ${inner(name)})`,
      () => `${of}.exists(${name}, ${inner(name)})`,
      () => `${of}.exists_one(${name}, ${inner(name)})`,
      () => `${of}.filter(${name}, ${inner(name)}).size() > 1`,
      () => `${of}.map(${name}, ${name}).size() == ${of}.size()`,
      () => `${of}.map(${name}, ${inner(name)}, ${name}) == ${of}`,
      () => `${of}.all(${name}, ${other}, ${name} < 3 && ${inner(other)})`,
      () => `${of}.transformList(${name}, ${other}, ${other}).all(${name}, ${inner(name)})`,
      () => `${of}.all(${name}, ${of}.exists(${other}, ${name} == ${other}))`,
      () => `${of}.all(${name}, ${of}.all(${other}, ${inner(other)}))`,
      () => `${of}.size() > 1`,
      () => `size(${of}) <= 3`,
      () => `${of} == ${of}`,
      () => `(${of} + ${of}).size() > 2`,
      () => `${of} + ${of} == ${of}`,
      () => `${of}[0] in ${of}`,
      () => `(${inner(`${of}[0]`)})`,
      () => `${of}[?0].hasValue()`,
      () => `sets.contains(${of}, ${of})`,
      () => `${of}.slice(0, 1).all(${name}, ${inner(name)})`,
      () => `${of}.distinct().size() == ${of}.size()`,
      () => `${of}.reverse() == ${of}`,
      () => `${of}.first().hasValue()`,
      () => `${of}.includes(${of}[0])`,
    ];
    if (['string', 'integer', 'number'].includes(String(items['type']))) {
      shared.push(
        () => `${of}.isSorted()`,
        () => `${of}.min() == ${of}.max()`,
        () => `${of}.sort() == ${of}`,
        () => `${of}.indexOf(${of}[0]) == 0`,
        () => `${of}.sum() == ${of}.sum()`,
        () => `${of} == ${items['type'] === 'string' ? "['a', 'b']" : '[1, 2]'}`,
        () => `${of} + ${items['type'] === 'string' ? "['a']" : '[1]'} == ${of}`,
      );
    }
    return random.pick(shared)();
  }

  #object(schema: JsonObject, of: string, depth: number): string {
    const random = this.#random;
    const { additionalProperties: values } = schema;
    if (typeof values === 'object' && values !== null) {
      return this.#map(objectOf(values), of, depth);
    }
    const properties = Object.entries(objectOf(schema['properties']));
    if (schema['x-kubernetes-embedded-resource'] === true && random.chance(0.4)) {
      return random.pick([
        `${of}.kind == 'Pod'`,
        `${of}.metadata.name == 'a'`,
        `has(${of}.metadata.generateName)`,
        `${of}.apiVersion != ''`,
        `has(${of}.metadata.labels)`,
      ]);
    }
    if (properties.length === 0 || random.chance(0.03)) {
      return random.pick([`${of} == ${of}`, `has(${of}.nope)`, `${of}.nope == 1`, `${of}.a > 0`]);
    }
    if (properties.length > 1 && random.chance(0.25)) {
      const [left, right] = [0, 1].map(() => {
        const [name, property] = random.pick(properties);
        return { text: `${of}.${escapeProperty(name) ?? 'a'}`, schema: objectOf(property) };
      });
      if (left && right) return pairRule(random, left, right);
    }
    const [name, property] = random.pick(properties);
    const visible = escapeProperty(name) ?? 'a';
    const place = `${of}.${visible}`;
    const inner = (): string => this.truth(objectOf(property), place, Math.max(depth - 1, 0));
    return random.pick(
      [
        () => inner(),
        () => inner(),
        () => `has(${place})`,
        () => `!has(${place}) || ${inner()}`,
        () => `has(${place}) ? ${inner()} : true`,
        () => `${of}.?${visible}.hasValue()`,
        () => `${of}[?'${visible}'].hasValue()`,
        () => `${of}['${visible}'] == 1`,
        () => `'${visible}' in ${of}`,
        () => `${of}.all(k, k == 'a')`,
      ].slice(0, random.chance(0.9) ? 7 : 10),
    )();
  }

  #map(values: JsonObject, of: string, depth: number): string {
    const key = this.#name();
    const value = this.#name();
    const inner = (as: string): string => (depth > 0 ? this.truth(values, as, depth - 1) : 'true');
    return this.#random.pick([
      () => `${of}.all(${key}, ${inner(`${of}[${key}]`)})`,
      () => `${of}.exists(${key}, ${value}, ${key} == 'a' && ${inner(value)})`,
      () => `${of}.transformMap(${key}, ${value}, ${value}) == ${of}`,
      () => `${of}.transformList(${key}, ${value}, ${key}).size() > 1`,
      () => `${of}.map(${key}, ${of}[${key}]).size() > 1`,
      () => `'a' in ${of}`,
      () => `has(${of}.a) && ${inner(`${of}.a`)}`,
      () => `${of}['a'] == ${of}['b']`,
      () => `${of}[?'a'].hasValue()`,
      () => `${of}.size() < 3`,
      () => `${of} == ${of}`,
      () => `${inner(`${of}.a`)}`,
      () => `${of}.all(${key}, ${key}.startsWith('a'))`,
    ])();
  }

  /** A condition on a value and its old value. */
  #both(schema: JsonObject, of: string, old: string): string {
    const random = this.#random;
    const name = this.#name();
    switch (schema['type']) {
      case 'integer':
      case 'number':
        return random.pick([`${of} >= ${old}`, `${of} - ${old} < ${old}`]);
      case 'string':
        return random.pick([`${of}.startsWith(${old})`, `${of} + ${old} != ''`, `${of} >= ${old}`]);
      case 'array':
        return random.pick([
          `${of}.size() >= ${old}.size()`,
          `${old}.all(${name}, ${name} in ${of})`,
          `${of} + ${old} == ${of}`,
          `${of} + ${old} == ${old} + ${of}`,
          `(${old} + ${of}).size() == ${of}.size()`,
          `${old}.exists(${name}, ${of}.all(q, q == ${name}))`,
        ]);
      case 'object': {
        const [name, property] = Object.entries(objectOf(schema['properties']))[0] ?? [];
        const visible = name === undefined ? undefined : escapeProperty(name);
        if (visible === undefined) return `${of}.size() >= ${old}.size()`;
        return random.pick([
          () => this.#both(objectOf(property), `${of}.${visible}`, `${old}.${visible}`),
          () => `has(${of}.${visible}) == has(${old}.${visible})`,
          () => `${of}.?${visible} == ${old}.?${visible}`,
        ])();
      }
      default:
        return `${of} == ${old}`;
    }
  }

  #name(): string {
    return `v${this.#names++}`;
  }
}

const broken: readonly string[] = [
  ...phrases`
    self >  'a'  1  nope(self)  self.nope  self == 5.5  self.matches('(')  self == 'a' && b > 0
  `,
  '',
  ' ',
  'true &&\ntrue',
  ...phrases`
    oldSelf == self  duration('x') > duration('1s')  authorizer == null  request.name == "a"
    self.metadata.name == "a"  [][0]  '\udfff' == 'a'
  `,
];

const plainTextRules: readonly string[] = phrases`
  $ == 'a'  $ != ''  $.size() > 1  $.startsWith('a')  $.endsWith('b')  $.contains('b')
  $.contains($ + 'x')  $.matches('^[a-c]+$')  $.matches($)  $ in ['a', 'ab']  $ > 'a'
  $ + $ == 'aa'  $.split(',').size() > 1  $.split(',').all(x, x == 'a')
  $.split(',').map(x, x + 'a').join(',') == $  $.replace('a', 'bb') != $
  $.replace('', 'b').size() > 3  $.lowerAscii() == $  $.upperAscii().trim() == 'A'
  $.indexOf('b') > 0  $.lastIndexOf('b') > 0  $.substring(1, 2) == 'b'  $.charAt(0) == 'a'
  $.reverse() == $  $.find('[0-9]+') != ''  $.findAll('a').all(x, x.contains($))
  '%s'.format([$]) == $  int($) > 1  double($) > 1.0  bytes($).size() > 1  string(bytes($)) == $
  quantity($).isGreaterThan(quantity('1'))  isQuantity($) && quantity($) == quantity($)
  isIP($) && ip($).family() == 4  isCIDR($) && cidr($).containsIP('1.2.3.4')
  isURL($) && url($).getHost() == 'a'  url($).getPort() == '1'
  isSemver($) && semver($) == semver('1.0.0')  format.dns1123Label().validate($).hasValue()
  format.named('date').value().validate($) == optional.none()
  timestamp($) > timestamp('2020-01-01T00:00:00Z')  duration($) > duration('1h')  dyn($) == 'a'
  dyn($).size() > 0  $ == 'a' ? true : $.contains('b')  strings.quote($).size() > 3
  base64.encode(bytes($)) == $  $[0] == 1  $ > 1
`;

const textRules: Readonly<Record<string, readonly string[]>> = {
  date: [
    '$.getFullYear() == 2020',
    "$ > timestamp('2020-06-01T00:00:00Z')",
    "string($) == '2020-01-01T00:00:00Z'",
    "$ == timestamp('2020-01-01T00:00:00Z')",
    "$.startsWith('2020')",
    "$ - $ == duration('0s')",
  ],
  'date-time': phrases`
    $.getFullYear() == 2020  $ > timestamp('2020-06-01T00:00:00Z')  string($).size() > 20
    $.getHours('+01:00') == 1  $ + duration('1h') > $  $ == $
  `,
  duration: phrases`
    $ > duration('1h')  $.getHours() > 1  string($).size() > 3  $ + $ > duration('2h')  $ == '1h'
    $ == duration('60m')
  `,
  byte: phrases`
    $ == b'hi'  $.size() == 2  string($) == 'hi'  $ + $ != $  base64.encode($) == 'aGk='
  `,
};
