import type { JsonObject } from '@kubeadmit/conformance-tools';
import type { Random } from '@kubeadmit/random';
import { breakDefinition } from './definition-mistakes.ts';
import { objectOf } from './object-of.ts';
import { SchemaMaker } from './schema.ts';
import { ValueMaker } from './values.ts';

/** A random case of `oracle validate`. */
export function makeCase(random: Random, id: string): JsonObject {
  const isSpoilt = random.chance(0.3);
  const schemas = new SchemaMaker(random, {
    mistakes: isSpoilt ? random.pick([0.03, 0.1, 0.3]) : 0,
    rules: random.pick([0, 0.15, 0.35, 0.6]),
    limits: random.pick([0.3, 0.9, 1]),
  });
  const root = schemas.root();
  const versions = [
    root,
    ...(random.chance(0.2) ? [random.chance(0.3) ? root : schemas.root()] : []),
  ];
  const scope = random.pick(['Namespaced', 'Namespaced', 'Cluster']);
  const definition = definitionOf(versions, scope);
  if (random.chance(isSpoilt ? 0.4 : 0.1)) {
    // Several mistakes meet, so that their order shows.
    for (let left = random.pick([1, 1, 2, 4]); left > 0; left--)
      breakDefinition(random, definition);
  }
  const head = { id, ...(random.chance(0.2) ? { kubernetesVersion: random.pick(servers) } : {}) };
  if (random.chance(0.08)) return { ...head, definition };
  return { ...head, definition, ...objectsOf(random, versions) };
}

// New rules have the libraries of the version before the server's.
const servers = ['1.30', '1.31', '1.32', '1.33', '1.34', '1.35', '1.36'];

/** A definition of things, whose versions have these schemas. */
export function definitionOf(schemas: readonly JsonObject[], scope = 'Namespaced'): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      scope,
      names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
      versions: schemas.map((schema, index) => ({
        name: `v${index + 1}`,
        served: true,
        storage: index === 0,
        schema: { openAPIV3Schema: schema },
      })),
    },
  };
}

function objectsOf(random: Random, schemas: readonly JsonObject[]): JsonObject {
  const values = new ValueMaker(random, random.pick([0, 0, 0.02, 0.08, 0.25]));
  const index = random.below(schemas.length);
  const isUpdate = random.chance(0.5);
  const version = random.chance(0.02) ? 'v9' : `v${index + 1}`;
  const about = (metadata: JsonObject): JsonObject => ({
    apiVersion: `example.com/${version}`,
    kind: random.chance(0.01) ? 'Other' : 'Thing',
    metadata: values.metadata({
      ...(random.chance(0.9) ? { namespace: 'default' } : {}),
      ...metadata,
    }),
  });
  const made = values.fitting(schemas[index] ?? {});
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = objectOf(made);
  if (!isUpdate) return { object: { ...about({}), ...rest } };
  const resource: JsonObject = random.chance(0.97) ? { resourceVersion: '1' } : {};
  const before = values.changed(rest);
  return {
    object: { ...about(resource), ...rest },
    oldObject: { ...about({ resourceVersion: '1' }), ...objectOf(before) },
  };
}
