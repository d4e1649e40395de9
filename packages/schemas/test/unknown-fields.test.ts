import { expect, test } from 'vitest';
import { decode, loadSchemas } from '../src/index.ts';
import { unknownFieldWarnings } from '../src/internal.ts';

const schemas = await loadSchemas();
const pod = (spec: unknown) => ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec });
const container = { name: 'a', image: 'a', resources: { limits: { memory: '1Gi' } } };
const definition = (schema: unknown) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'a' },
  spec: { group: 'a', versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
});

// The check without decoding finds the same fields as decoding.
test.each<[string, unknown, readonly string[]]>([
  ['nothing', pod({ containers: [container] }), []],
  ['a field of a struct', pod({ containers: [], replicas: 1 }), ['spec.replicas']],
  ['a field of an element', pod({ containers: [container, { x: 1 }] }), ['spec.containers[1].x']],
  ['a field at the top', { ...pod({}), x: null }, ['x']],
  ['null in place of a field that there is not', pod({ x: null }), ['spec.x']],
  ['null in place of structs and elements', pod({ containers: [null], volumes: null }), []],
  ['keys of a map, which are all known', pod({ nodeSelector: { x: 'y' } }), []],
  [
    'a member of a map of structs',
    {
      apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
      kind: 'FlowSchema',
      spec: { rules: [{ subjects: [{ kind: 'User', user: { name: 'a', x: 1 } }] }] },
    },
    ['spec.rules[0].subjects[0].user.x'],
  ],
  ['nothing behind a value of the wrong type', pod({ containers: { x: 1 }, y: 1 }), []],
  [
    'nothing where a quantity is refused',
    pod({ containers: [{ ...container, resources: { limits: { memory: 'much' } } }], y: 1 }),
    [],
  ],
  [
    'a field of a schema',
    definition({ properties: { a: { x: 1 } } }),
    ['spec.versions[0].schema.openAPIV3Schema.properties.a.x'],
  ],
  ['nothing in what a type reads itself', definition({ items: { x: 1 } }), []],
  ['what hides in a prototype', pod({ constructor: 1 }), ['spec.constructor']],
])('%s', (_, manifest, expected) => {
  const warnings = expected.map((path) => `unknown field "${path}"`);
  expect(unknownFieldWarnings(schemas, manifest)).toEqual(warnings);
  expect(decode(schemas, manifest, { fieldValidation: 'Warn' }).warnings ?? []).toEqual(warnings);
});
