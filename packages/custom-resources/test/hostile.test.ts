import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { validateWithDefinition } from '../src/definitions.ts';

const schemas = await loadSchemas();

const many = 30_000;
const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
const list = (items: object): object => ({ type: 'array', items });
const openObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const long = 'x'.repeat(5_000);
const tooManyErrors =
  '<nil>: Invalid value: "": too many errors; further fields and rules were not checked';
const tooManyFailedRules =
  '<nil>: Invalid value: null: too many errors; further fields and rules were not checked';

interface HostileCase {
  readonly name: string;
  readonly spec: object;
  readonly value: unknown;
  /** The last error, if there are any. */
  readonly last?: string;
}

const cases: readonly HostileCase[] = [
  {
    name: 'values of the wrong type',
    spec: list({ type: 'string' }),
    value: times(many, () => 1),
    last: tooManyErrors,
  },
  {
    name: 'members of the wrong type',
    spec: { type: 'object', additionalProperties: { type: 'string' } },
    value: Object.fromEntries(times(many, (index) => [`a${index}`, 1])),
    last: tooManyErrors,
  },
  {
    name: 'values that are not in a long enum',
    spec: list({ type: 'string', enum: times(many, (index) => `value${index}`) }),
    value: times(many, () => 'other'),
    last: tooManyErrors,
  },
  {
    name: 'strings in a long enum',
    spec: list({ type: 'string', enum: times(many, (index) => `value${index}`) }),
    value: times(many, (index) => `value${many - index - 1}`),
  },
  {
    name: 'integers in a long enum',
    spec: list({ type: 'integer', enum: times(many, (index) => index) }),
    value: times(many, (index) => many - index - 1),
  },
  {
    name: 'values that only the second of two branches accepts',
    spec: list({
      type: 'string',
      anyOf: [{ enum: times(many, (index) => `value${index}`) }, { minLength: 1 }],
    }),
    value: times(many, () => 'other'),
  },
  {
    name: 'values that do not match a long pattern',
    spec: list({ type: 'string', pattern: long }),
    value: times(many, () => ''),
    last: tooManyErrors,
  },
  {
    name: 'values that fail a long rule',
    spec: list({ type: 'integer', 'x-kubernetes-validations': [{ rule: `false //${long}` }] }),
    value: times(many, () => 1),
    last: tooManyFailedRules,
  },
];

test('rejects an object whose items get large defaults', () => {
  const large = Object.fromEntries(times(10_000, (index) => [`a${index}`, index]));
  const properties = { d: { ...openObject, default: large } };
  expect(() =>
    validateWithDefinition(
      {
        definition: definitionOf(list({ type: 'object', properties })),
        object: widgetOf(times(5_000, () => ({}))),
      },
      schemas,
    ),
  ).toThrow(new RangeError('the defaults of the definition make the object too large'));
}, 30_000);

test.each(cases)(
  'reports a limited number of errors for $name',
  ({ spec, value, last }) => {
    const errors = validateWithDefinition(
      { definition: definitionOf(spec), object: widgetOf(value) },
      schemas,
    ).object;
    expect(errors.at(-1)).toBe(last);
    expect(errors.join('').length).toBeLessThan(16 * 2 ** 20);
  },
  30_000,
);

function definitionOf(spec: object): object {
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

function widgetOf(spec: unknown): object {
  const metadata = { name: 'a', namespace: 'b' };
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata, spec };
}
