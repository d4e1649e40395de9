import { readFileSync } from 'node:fs';
import { loadSchemas, type Schemas, withDefinitions } from '@kubeadmit/schemas';
import {
  type DeclaredType,
  declaredStructs,
  declaredType,
  declareSchema,
  escapeProperty,
  unescapeProperty,
} from '@kubeadmit/schemas/cel';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import { type MergeType, mergeType } from '@kubeadmit/schemas/merge';
import { beforeAll, describe, expect, it } from 'vitest';

const definition = JSON.parse(
  readFileSync(new URL('cases/definition.json', import.meta.url), 'utf8'),
);
const pod = { group: '', version: 'v1', kind: 'Pod' };
const thing = { group: 'example.com', version: 'v1', kind: 'Thing' };
let schemas: Schemas;

beforeAll(async () => {
  schemas = withDefinitions(await loadSchemas({ version: '1.37' }), [definition]);
});

describe('mergeType', () => {
  /** The type at a path of fields; `*` is the element of a list or map. */
  function at(kind: typeof pod, path: string): MergeType | undefined {
    let type = mergeType(schemas, kind);
    for (const step of path.split('.')) {
      type =
        step === '*' ? (type?.list?.element ?? type?.map?.element) : type?.map?.field(step)?.type;
    }
    return type;
  }

  it.each([
    ['spec.containers', { atomic: false, keys: ['name'] }],
    ['spec.containers.*.ports', { atomic: false, keys: ['containerPort', 'protocol'] }],
    ['spec.containers.*.args', { atomic: true, keys: [] }],
    ['metadata.finalizers', { atomic: false, keys: [] }],
    ['spec.tolerations', { atomic: true, keys: [] }],
  ])('knows the list %s of a pod', (path, expected) => {
    expect(at(pod, path)?.list).toMatchObject(expected);
  });

  it('has key defaults, scalars and atomic maps', () => {
    expect(at(pod, 'spec.containers.*.ports.*')?.map?.field('protocol')?.default).toBe('TCP');
    expect(at(pod, 'spec.nodeSelector')?.map?.atomic).toBe(true);
    expect(at(pod, 'metadata.labels')?.map).toMatchObject({
      atomic: false,
      element: { scalar: 'string' },
    });
    expect(at(pod, 'metadata.creationTimestamp')).toEqual({ scalar: 'untyped' });
    expect(at(pod, 'spec.hostNetwork')).toEqual({ scalar: 'boolean' });
    expect(at(pod, 'spec.nothing')).toBeUndefined();
    expect(mergeType(schemas, pod)?.map?.element).toBeUndefined();
  });

  it('lets a field override the relation of its type', () => {
    const volume = { group: '', version: 'v1', kind: 'PersistentVolume' };
    const event = { group: '', version: 'v1', kind: 'Event' };
    expect(at(volume, 'spec.claimRef')?.map?.atomic).toBe(false);
    expect(at(event, 'involvedObject')?.map?.atomic).toBe(true);
  });

  it('reads definitions', () => {
    expect(at(thing, 'spec.rules')?.list).toMatchObject({ atomic: false, keys: ['name'] });
    expect(at(thing, 'spec.rules.*')?.map?.field('name')?.default).toBe('main');
    expect(at(thing, 'spec.rules.*.tags')?.list).toMatchObject({ atomic: false, keys: [] });
    expect(at(thing, 'metadata.ownerReferences')?.list?.keys).toEqual(['uid']);
    expect(at(thing, 'spec.any')).toMatchObject({ scalar: 'untyped' });
    expect(at(thing, 'status')).toBeUndefined();
  });

  it('has none where the server has none', () => {
    expect(
      mergeType(schemas, { group: 'autoscaling', version: 'v1', kind: 'Scale' }),
    ).toBeUndefined();
    expect(mergeType(schemas, { ...thing, version: 'v1alpha1' })).toBeUndefined();
    expect(mergeType(schemas, { ...thing, kind: 'Nothing' })).toBeUndefined();
  });
});

describe('declaredType', () => {
  function typeOf(kind: typeof pod, path: string): string | undefined {
    const structs = declaredStructs(declaredType(schemas, kind) as DeclaredType, kind.kind);
    const names = path.split('.');
    const field = names.pop() as string;
    return structs.fieldType([kind.kind, ...names].join('.'), field)?.toString();
  }

  it('declares the same CEL types as the server', () => {
    expect(typeOf(pod, 'metadata')).toBe('Pod.metadata');
    const structs = declaredStructs(declaredType(schemas, pod) as DeclaredType, 'Pod');
    expect(structs.fieldType('Pod', 'spec')?.toString()).toBe('Pod.spec');
    expect(structs.fieldType('Pod.spec', 'containers')?.toString()).toBe(
      'list(Pod.spec.containers.@idx)',
    );
    const container = 'Pod.spec.containers.@idx';
    expect(structs.fieldType(container, 'image')?.toString()).toBe('string');
    expect(structs.fieldType(container, 'resources')?.toString()).toBe(`${container}.resources`);
    expect(structs.fieldType(`${container}.resources`, 'limits')).toBeUndefined();
    expect(structs.has(container)).toBe(true);
    expect(structs.has('Pod.nothing')).toBe(false);
    const port = declaredType(schemas, { group: '', version: 'v1', kind: 'Service' })?.fields?.get(
      'spec',
    );
    expect(
      port?.type.fields?.get('ports')?.type.element?.fields?.get('targetPort')?.type.kind,
    ).toBe('dyn');
  });

  it('estimates sizes for definitions', () => {
    const schema = findDefinition(schemas, thing)?.version?.schema;
    const declared = schema && declareSchema(schema, { isResource: true });
    const spec = declared?.fields?.get('spec')?.type;
    expect(spec?.minSize).toBe(11);
    expect(spec?.fields?.get('x__dash__mode')?.type).toEqual({
      kind: 'string',
      minSize: 2,
      maxElements: 20,
    });
    expect(spec?.fields?.get('rules')?.type.maxElements).toBe(4);
    expect(spec?.fields?.get('labels')?.type.maxElements).toBe(393215);
    expect(spec?.fields?.get('until')?.type).toEqual({
      kind: 'timestamp',
      minSize: 21,
      maxElements: 32,
    });
    expect(spec?.fields?.has('any')).toBe(false);
    expect([...(declared?.fields?.get('metadata')?.type.fields?.keys() ?? [])]).toEqual([
      'name',
      'generateName',
    ]);
    expect(declaredType(schemas, thing)?.fields?.get('metadata')?.type.fields?.has('labels')).toBe(
      true,
    );
  });
});

describe('escapeProperty', () => {
  it.each([
    ['namespace', '__namespace__'],
    ['x-prop', 'x__dash__prop'],
    ['a.b/c', 'a__dot__b__slash__c'],
    ['redact__d', 'redact__underscores__d'],
    ['a___b', 'a__underscores___b'],
    ['a.-/__a', 'a__dot____dash____slash____underscores__a'],
    ['a__dot__a', 'a__underscores__dot__underscores__a'],
    ['plain', 'plain'],
  ])('writes %s as %s and back', (name, escaped) => {
    expect(escapeProperty(name)).toBe(escaped);
    expect(unescapeProperty(escaped)).toBe(name);
  });

  it.each(['$x', '1a', '', 'ä'])('has no name for %j', (name) => {
    expect(escapeProperty(name)).toBeUndefined();
  });

  it('refuses names that no property has', () => {
    expect(unescapeProperty('a__unknown__b')).toBeUndefined();
    expect(unescapeProperty('a__namespace__')).toBeUndefined();
  });
});
