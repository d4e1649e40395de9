import { written } from '@kubeadmit/conformance-tools';
import { phrases, type Random, words } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import {
  applyMutation,
  changing,
  everything,
  mutatingPolicy,
  patchMutation,
  requestFor,
  tellingPolicy,
  thingDefinition,
  things,
} from './parts.ts';

/** Numbers as a client may write them. */
const forms = words(
  '0 -0 0.0 -0.0 1 1.0 1e0 1.5 1E2 100 -1 1e-7 0.1 9007199254740991 9007199254740992',
  '9007199254740993 -9007199254740993 1e15 9223372036854775807 9223372036854775808',
  '-9223372036854775808 -9223372036854775809 18446744073709551615 18446744073709551616 1e19',
  '1e21 1e22 123456789012345678901 2147483647 2147483648 4294967296 3.0000000000000001',
  '0.30000000000000004 1e308 5e-324 1e-400 100000000000000000000.0 1.7976931348623157e308',
  '12345678.9 1e6',
);

const fields = ['any', 'int', 'long', 'double', 'either'];

function number(random: Random): string {
  return written(random.pick(forms));
}

const limits = (random: Random): JsonObject =>
  random.some({
    minimum: [0.15, () => random.pick([0, -1, 1.5])],
    maximum: [0.15, () => random.pick([100, 1e15, 1e19])],
    multipleOf: [0.1, () => random.pick([1, 0.1, 2])],
    default: [0.2, () => random.pick([1, 0, 100])],
  });

/** A request about a custom kind, or a built-in one, whose numbers are written in every form, printed and compared. */
export function numbersCase(random: Random): JsonObject {
  const preserving = { 'x-kubernetes-preserve-unknown-fields': true };
  const spec = {
    type: 'object',
    properties: {
      any: preserving,
      int: { type: 'integer', format: 'int32', ...limits(random) },
      long: { type: 'integer', ...limits(random) },
      double: { type: 'number', ...limits(random) },
      either: { 'x-kubernetes-int-or-string': true },
      list: { type: 'array', items: { type: random.pick(['integer', 'number']) } },
      map: { type: 'object', additionalProperties: { type: 'number' } },
      odd: { type: 'object', ...preserving },
    },
  };
  const definition = thingDefinition(spec);
  const object = (): JsonObject => ({
    apiVersion: 'ex.org/v1',
    kind: 'Thing',
    metadata: { name: 'web', generation: written(random.pick(['1', '2'])) },
    spec: {
      ...random.some(
        Object.fromEntries(fields.map((name) => [name, [0.6, () => number(random)] as const])),
      ),
      ...random.some({
        list: [0.4, () => random.list(0, 3, () => number(random))],
        map: [0.3, () => ({ a: number(random), b: number(random) })],
        odd: [0.5, () => ({ a: number(random), b: [number(random)], c: { d: number(random) } })],
      }),
    },
  });
  const operation = random.pick(['CREATE', 'CREATE', 'UPDATE']);
  return {
    resources: [
      definition,
      ...(random.chance(0.5) ? mutation(random) : []),
      ...tellingPolicy('v', random.pick(told), {
        matchConstraints: everything,
        validations: [
          ...random.list(1, 3, () => ({ expression: comparison(random) })),
          { expression: 'false', messageExpression: random.pick(told) },
        ],
      }),
    ],
    request: requestFor(things, {
      operation,
      object: object(),
      ...(operation === 'UPDATE' ? { oldObject: object() } : {}),
    }),
  };
}

const places = phrases`
  object.spec.any  object.spec.int  object.spec.long  object.spec.double  object.spec.either
  object.spec.list[0]  object.spec.map['a']  object.spec.odd.a  object.spec.odd.b[0]
  object.spec.odd.c.d  object.metadata.generation  oldObject.spec.any
`;
const told = [
  "'%s'.format([object.spec])",
  "'%s'.format([dyn(object)])",
  'string(object.spec.any)',
  'string(object.spec.double)',
  "'%d|%s'.format([dyn(object.spec.long), dyn(object.spec.odd)])",
  "'%f %e'.format([dyn(object.spec.double), dyn(object.spec.any)])",
  "'%s'.format([[dyn(object.spec.any), type(object.spec.any) == int, type(object.spec.any) == double]])",
  "'%s'.format([object.spec.odd.map(k, object.spec.odd[k])])",
];

function comparison(random: Random): string {
  const left = random.pick(places);
  const right = random.pick([...places, '1', '1.0', '1u', '9007199254740993', '1e19', '0', '-0.0']);
  return random.pick([
    `dyn(${left}) == dyn(${right})`,
    `dyn(${left}) < dyn(${right})`,
    `dyn(${left}) >= dyn(${right})`,
    `dyn(${left}) in [dyn(${right})]`,
    `dyn(${left}) + dyn(1) == dyn(${right})`,
    `dyn(${left}) * dyn(2) != dyn(${right})`,
    `int(dyn(${left})) == 1`,
    `double(dyn(${left})) == 1.0`,
    `uint(dyn(${left})) == 1u`,
    `string(dyn(${left})) == '1'`,
    `type(dyn(${left})) == int`,
    `type(dyn(${left})) == double`,
    `{1: 'a', 2: 'b'}[dyn(${left})] == 'a'`,
    `dyn(${left}) in {1: true}`,
    `[dyn(${left})] == [dyn(${right})]`,
    `object.spec.odd == oldObject.spec.odd`,
    `math.greatest(dyn(${left}), dyn(${right})) == dyn(${right})`,
    `[3, 1, 2][dyn(${left})] == 1`,
    `has(object.spec.any) && dyn(${left}) % 2 == 0`,
  ]);
}

function mutation(random: Random): JsonObject[] {
  const value = random.pick([...places, ...words('1 1.0 2u 1e21 9007199254740993 -0.0 1.5')]);
  const name = random.pick([...fields, 'new']);
  const expression = random.pick([
    `Object{spec: Object.spec{${name === 'new' ? 'any' : name}: dyn(${value})}}`,
    `Object{spec: Object.spec{odd: Object.spec.odd{a: dyn(${value}), n: [dyn(${value})]}}}`,
    `Object{spec: Object.spec{list: [dyn(${value})], map: {'a': dyn(${value})}}}`,
  ]);
  const operations = random.pick([
    `[JSONPatch{op: 'add', path: '/spec/${name}', value: ${value}}]`,
    `[JSONPatch{op: 'test', path: '/spec/any', value: ${value}}, JSONPatch{op: 'add', path: '/spec/either', value: 7}]`,
    `[JSONPatch{op: 'copy', from: '/spec/odd', path: '/spec/any'}]`,
    `[JSONPatch{op: 'move', from: '/spec/${name}', path: '/spec/double'}]`,
    `[JSONPatch{op: 'add', path: '/spec/list/-', value: ${value}}]`,
    `[JSONPatch{op: 'add', path: '/spec/odd', value: {'x': dyn(${value}), 'y': [dyn(${value})]}}]`,
    `[JSONPatch{op: 'add', path: '/spec/odd', value: Object.spec.odd{x: dyn(${value})}}]`,
  ]);
  return mutatingPolicy('m', {
    matchConstraints: changing,
    mutations: [random.chance(0.5) ? applyMutation(expression) : patchMutation(operations)],
    reinvocationPolicy: 'Never',
  });
}
