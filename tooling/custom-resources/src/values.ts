import { type Json, type JsonObject, written } from '@kubeadmit/conformance-tools';
import { phrases, type Random, words } from '@kubeadmit/random';
import { objectOf } from './object-of.ts';

const wrongs: readonly Json[] = [
  null,
  'x',
  '',
  0,
  5,
  -1,
  1.5,
  written('2.0'),
  written('1e3'),
  9007199254740993n,
  true,
  false,
  [],
  {},
  [1],
  [null],
  ['a', 'a'],
  { a: 1 },
  { a: null },
  'ääääää',
];

const texts = ['a', 'b', 'ab', 'abc', 'abcdefg', '', 'ä', '5%', '10', 'a,b', 'x\ny', 'ab"<c'];
const integers: readonly Json[] = [0, 1, 2, 3, 4, 10, -1, 2147483648, 9007199254740993n];
const numbers: readonly Json[] = [0, 1, 1.5, 2.5, 3, -0.5, 1e22, 1e-9, written('2.0')];

const byFormat: Readonly<Record<string, readonly string[]>> = {
  date: ['2020-01-01', '2021-02-29', '2020-1-1', '0000-01-01', 'x'],
  'date-time': words(
    '2020-01-01T00:00:00Z 2020-01-01T01:00:00+01:00',
    '2020-01-01T00:00:00.123456789Z 2020-01-01t00:00:00z 2020-13-01T00:00:00Z',
    '2020-01-01T24:00:00Z 2020-01-01 0000-01-01T00:00:00Z 2016-12-31T23:59:60Z',
  ),
  datetime: ['2020-01-01T00:00:00Z', 'x'],
  duration: [
    '1h',
    '60m',
    '2 days',
    '1.5h',
    '-1s',
    '',
    '1d',
    '3 hours',
    '1w2d',
    '100000h',
    '1us',
    'x',
  ],
  byte: ['aGk=', 'aGV5', 'aGk', '', '_-==', 'YR==', 'aG\nk='],
  ipv4: ['1.2.3.4', '01.2.3.4', '1.2', '::1', '::ffff:1.2.3.4'],
  ipv6: ['::1', '1.2.3.4', '::ffff:1.2.3.4', 'fe80::1%eth0', 'x'],
  cidr: ['10.0.0.0/8', '10.0.0.1/8', '::/0', '10.0.0.0/33', '010.0.0.0/8', 'x'],
  mac: ['00:00:5e:00:53:01', '00-00-5e-00-53-01', '0000.5e00.5301', '00:00:5e', 'x'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '123E4567E89B12D3A456426614174000', 'q'],
  uuid3: ['a987fbc9-4bed-3078-cf07-9141ba07c9f3', '123e4567-e89b-12d3-a456-426614174000'],
  uuid4: ['57b73598-8764-4ad0-a76a-679bb6640eb1', '123e4567-e89b-12d3-a456-426614174000'],
  uuid5: ['987fbc97-4bed-5078-9f07-9141ba07c9f3', '123e4567-e89b-12d3-a456-426614174000'],
  email: [
    ...phrases`
      a@b  a@b.c  A <a@b.c>  "a b"@c.d  a@[1.2.3.4]  a..b@c  a@b (comment)  =?utf-8?q?a?= <a@b>
      <a@b>  a@  @b  ä@b.c  a@b,c@d  a @ b
    `,
    '',
  ],
  hostname: ['a.b', '-a', 'a_b', 'example.com', 'a.', '1.2.3.4', ''],
  uri: ['http://a', 'x', '/p', 'http://[::1', '%zz', 'http://a b', ''],
  isbn: ['0321751043', '978-0321751041', '1'],
  isbn10: ['0321751043', '0-321-75104-3', '0321751044'],
  isbn13: ['978-0321751041', '9780321751041', '978-0321751042'],
  creditcard: ['4111111111111111', '4111111111111112', '4111-1111-1111-1111', 'x'],
  ssn: ['111-11-1111', '111111111', '111 11 1111'],
  hexcolor: ['#FFF', 'fff', '#GGG', '#ffffff', '#ffff'],
  rgbcolor: ['rgb(1,2,3)', 'rgb(1, 2, 3)', 'rgb(1,2,300)', 'x'],
  bsonobjectid: ['507f1f77bcf86cd799439011', '507f1f77bcf86cd79943901', 'x'],
  'k8s-short-name': ['a', 'A', '-', 'a-b'],
  'k8s-long-name': ['a.b', 'a..b', 'A'],
  quantity: ['1', '1Gi', 'x'],
};

/** Makes values for schemas and changes them. */
export class ValueMaker {
  readonly #random: Random;
  readonly #wrong: number;

  constructor(random: Random, wrong: number) {
    this.#random = random;
    this.#wrong = wrong;
  }

  /** A value that mostly fits a schema. */
  fitting(schema: JsonObject): Json {
    const random = this.#random;
    if (random.chance(this.#wrong)) return random.pick(wrongs);
    if (schema['nullable'] === true && random.chance(0.1)) return null;
    const { enum: choices, format } = schema;
    if (Array.isArray(choices) && choices.length > 0 && random.chance(0.7)) {
      return random.pick(choices);
    }
    if (schema['x-kubernetes-int-or-string'] === true) return random.pick([1, 5, 'a', '5%', '50']);
    switch (schema['type']) {
      case 'string': {
        const known = typeof format === 'string' && Object.hasOwn(byFormat, format);
        if (!known && random.chance(0.01)) return 'ab,'.repeat(random.pick([400, 10_000]));
        return random.pick((known && byFormat[format]) || texts);
      }
      case 'integer':
        return random.pick(random.chance(0.8) ? integers.slice(0, 5) : integers);
      case 'number':
        return random.pick(numbers);
      case 'boolean':
        return random.chance(0.5);
      case 'array':
        return this.#list(schema);
      case 'object':
        return this.#object(schema);
      default:
        return random.pick(wrongs);
    }
  }

  #list(schema: JsonObject): Json {
    const random = this.#random;
    const items = objectOf(schema['items']);
    const length = random.chance(0.01) ? 300 : random.pick([0, 1, 2, 2, 3, 3, 5]);
    return Array.from({ length }, () => this.fitting(items));
  }

  #object(schema: JsonObject): JsonObject {
    const random = this.#random;
    const object: JsonObject = {};
    if (schema['x-kubernetes-embedded-resource'] === true) Object.assign(object, this.#embedded());
    for (const [name, property] of Object.entries(objectOf(schema['properties']))) {
      if (random.chance(0.85)) object[name] = this.fitting(objectOf(property));
    }
    for (const name of Array.isArray(schema['required']) ? schema['required'] : []) {
      if (random.chance(0.1)) delete object[String(name)];
    }
    const { additionalProperties: values } = schema;
    if (typeof values === 'object' && values !== null) {
      for (const key of ['a', 'b', 'x-y', 'abc'].slice(0, random.below(5))) {
        if (random.chance(0.7)) object[key] = this.fitting(objectOf(values));
      }
    }
    if (random.chance(0.05)) object['unknown'] = random.pick(wrongs);
    return object;
  }

  #embedded(): JsonObject {
    const random = this.#random;
    const { chance } = { chance: (of: number) => random.chance(of) };
    return {
      ...(chance(0.9) ? { apiVersion: random.pick(['v1', 'v1', 'a/b', 'a/b/c', '', '/', 5]) } : {}),
      ...(chance(0.9) ? { kind: random.pick(['Pod', 'Pod', 'pod_', '', null]) } : {}),
      ...(chance(0.7) ? { metadata: this.metadata({}) } : {}),
    };
  }

  metadata(given: JsonObject): JsonObject {
    const random = this.#random;
    const odd: readonly JsonObject[] = [
      { name: 'a/b' },
      { name: 'A' },
      { name: '' },
      { name: 5 },
      { generateName: 'x-' },
      { namespace: 'A_' },
      { labels: { a: 'b c' } },
      { labels: { 'a b': 'c' } },
      { labels: { a: 5 } },
      { labels: null },
      { annotations: { 'a b': 'c' } },
      { annotations: { constructor: 'c' } },
      { finalizers: ['x y'] },
      { finalizers: ['a.b/c'] },
      { ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'x', uid: '' }] },
      { unknown: 1 },
      { creationTimestamp: null },
      { deletionGracePeriodSeconds: 5 },
      { generation: -1 },
    ];
    return {
      name: 'a',
      ...given,
      ...(random.chance(0.1 + this.#wrong) ? random.pick(odd) : {}),
    };
  }

  /** Another value that is mostly like a value. */
  changed(value: Json): Json {
    const random = this.#random;
    if (random.chance(0.35)) return structuredClone(value);
    if (Array.isArray(value)) {
      const list = value.map((item) => this.changed(item));
      if (random.chance(0.3)) list.reverse();
      if (random.chance(0.15)) list.pop();
      if (random.chance(0.1) && list.length > 0) list.push(structuredClone(list[0] as Json));
      return list;
    }
    if (typeof value === 'object' && value !== null) {
      const object: JsonObject = {};
      for (const [key, item] of Object.entries(value)) {
        if (random.chance(0.94)) object[key] = this.changed(item);
      }
      return object;
    }
    if (random.chance(0.5)) return value;
    if (typeof value === 'string') return random.pick(texts);
    return typeof value === 'number' ? random.pick(integers) : random.pick(wrongs);
  }
}
