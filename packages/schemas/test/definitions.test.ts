import {
  decode,
  definitionIssues,
  listResources,
  loadSchemas,
  withDefinitions,
} from '@kubeadmit/schemas';
import { findDefinition, isDefinition, readDefinition } from '@kubeadmit/schemas/definitions';
import { describe, expect, it } from 'vitest';

function definition(schema: unknown, names: object = { kind: 'Thing', plural: 'things' }) {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

describe('withDefinitions', () => {
  it('leaves the schemas that it was given as they were', async () => {
    const before = await loadSchemas();
    const after = withDefinitions(before, [definition({ type: 'object' })]);
    expect(listResources(after)).toHaveLength(listResources(before).length + 1);
    expect(withDefinitions(before, [])).toBe(before);
  });

  it('takes the later of two definitions of a kind', async () => {
    const known = withDefinitions(await loadSchemas(), [
      definition({ type: 'object', properties: { a: { type: 'string' } } }),
      definition({ type: 'object', properties: { b: { type: 'string' } } }),
    ]);
    const thing = { apiVersion: 'example.com/v1', kind: 'Thing', a: 'x', b: 'y' };
    expect(decode(known, thing).object).not.toHaveProperty('a');
    expect(decode(known, thing).object).toHaveProperty('b', 'y');
  });

  const cyclic: Record<string, unknown> = { type: 'object' };
  cyclic['items'] = cyclic;

  it.each([
    ['$ref', { $ref: '#/x' }, "OpenAPIV3Schema '$ref' is not supported"],
    [
      'a list of items',
      { items: [{}] },
      "OpenAPIV3Schema 'items' must be a schema, but is an array",
    ],
    ['a cycle', cyclic, 'the schema is nested deeper than 500 levels'],
  ])('reports %s and keeps the kind', async (_, schema, message) => {
    const known = withDefinitions(await loadSchemas(), [definition(schema)]);
    expect(definitionIssues(known)).toEqual([
      { definition: 'things.example.com', message, isSchema: true },
    ]);
    const thing = { group: 'example.com', version: 'v1', kind: 'Thing' };
    expect(findDefinition(known, thing)?.version?.schema).toBeUndefined();
    const manifest = { apiVersion: 'example.com/v1', kind: 'Thing', a: 1 };
    expect(decode(known, manifest)).toEqual({ known: true, object: manifest });
  });

  it('reports definitions without names and invalid values', async () => {
    const known = withDefinitions(await loadSchemas(), [definition({}, {}), null, 5]);
    expect(definitionIssues(known)).toHaveLength(3);
  });
});

describe('readDefinition', () => {
  it('sets the same defaults as the server', () => {
    const { definition: read, issues } = readDefinition(definition({ type: 'object' }));
    expect(issues).toEqual([]);
    expect(read).toMatchObject({ singular: 'thing', listKind: 'ThingList', namespaced: true });
  });

  it('is for one kind of manifest', () => {
    expect(isDefinition(definition({}))).toBe(true);
    expect(isDefinition({ apiVersion: 'v1', kind: 'Pod' })).toBe(false);
    expect(isDefinition(null)).toBe(false);
  });
});

describe('fieldValidation of custom resources', () => {
  it('reports fields that the schema and the metadata do not have', async () => {
    const schema = {
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    };
    const known = withDefinitions(await loadSchemas(), [definition(schema)]);
    const thing = {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'x', odd: 1 },
      spec: { a: 'b', c: 1 },
      extra: {},
    };
    expect(decode(known, thing, { fieldValidation: 'Warn' }).warnings).toEqual([
      'unknown field "extra"',
      'unknown field "metadata.odd"',
      'unknown field "spec.c"',
    ]);
    expect(decode(known, thing, { fieldValidation: 'Strict' }).error).toContain(
      'strict decoding error: ',
    );
  });
});

describe('fieldValidation of definitions', () => {
  const odd = { ...definition({ type: 'object' }), extra: 1 };

  it('reports unknown fields, and keeps the definition unchanged', async () => {
    const schemas = await loadSchemas();
    const warned = decode(schemas, odd, { fieldValidation: 'Warn' });
    expect(warned).toEqual({ known: false, object: odd, warnings: ['unknown field "extra"'] });
    expect(decode(schemas, odd, { fieldValidation: 'Strict' })).toEqual({
      known: false,
      error: 'strict decoding error: unknown field "extra"',
    });
    expect(decode(schemas, odd)).toEqual({ known: false, object: odd });
  });

  it('refuses values of wrong types', async () => {
    const wrong = { ...odd, spec: 5 };
    expect(decode(await loadSchemas(), wrong, { fieldValidation: 'Warn' }).error).toBe(
      'json: cannot unmarshal number into Go struct field CustomResourceDefinition.spec of type v1.CustomResourceDefinitionSpec',
    );
  });
});
