import { readFileSync } from 'node:fs';
import {
  equivalentResources,
  findKind,
  findResource,
  findResourceOfKind,
  isNamespaced,
  listResources,
  loadSchemas,
  otherVersionsOf,
  preferredVersion,
  resolveName,
  type Schemas,
  withDefinitions,
} from '@kubeadmit/schemas';
import { beforeAll, describe, expect, it } from 'vitest';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`cases/${name}.json`, import.meta.url), 'utf8'));
let schemas: Schemas;

beforeAll(async () => {
  schemas = withDefinitions(await loadSchemas({ version: '1.37' }), [read('definition')]);
});

describe('resolveName', () => {
  for (const [typed, expected] of read('names') as [string, string | string[]][]) {
    it(`takes ${typed} as kubectl does`, () => {
      const found = resolveName(schemas, typed);
      if ('suggestions' in found) return expect(found.suggestions).toEqual(expected);
      const { group, version, resource } = found.resource;
      return expect(`${group}/${version}/${resource}`).toBe(expected);
    });
  }
});

describe('resources', () => {
  const deployments = { group: 'apps', version: 'v1', resource: 'deployments' };

  it('are found by name and by kind', () => {
    expect(listResources(schemas)).toHaveLength(102);
    const found = findResource(schemas, deployments);
    expect(found).toMatchObject({ kind: 'Deployment', namespaced: true, shortNames: ['deploy'] });
    expect(findResourceOfKind(schemas, { group: 'apps', version: 'v1', kind: 'Deployment' })).toBe(
      found,
    );
    expect(findResource(schemas, { ...deployments, resource: 'constructor' })).toBeUndefined();
  });

  it('have the kind of the object in a request', () => {
    const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' };
    const things = { group: 'example.com', version: 'v1', resource: 'things' };
    expect(findKind(schemas, deployments, 'scale')).toEqual(scale);
    expect(findKind(schemas, things, 'scale')).toEqual(scale);
    expect(findKind(schemas, things)).toEqual({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
    });
    expect(findKind(schemas, deployments, 'nothing')).toBeUndefined();
  });

  it('are equivalent in the order in which the server registers them', () => {
    const names = (group: string, version: string, resource: string, subresource?: string) =>
      equivalentResources(schemas, { group, version, resource }, subresource).map(
        (each) => `${each.group}/${each.version}`,
      );
    expect(names('', 'v1', 'events')).toEqual(['/v1', 'events.k8s.io/v1']);
    expect(names('autoscaling', 'v1', 'horizontalpodautoscalers')).toEqual([
      'autoscaling/v2',
      'autoscaling/v1',
    ]);
    expect(names('example.com', 'v1', 'things')).toEqual([
      'example.com/v1',
      'example.com/v1beta1',
      'example.com/v1alpha1',
    ]);
    expect(names('example.com', 'v1', 'things', 'status')).toEqual(['example.com/v1']);
    expect(names('nowhere', 'v1', 'things')).toEqual([]);
  });

  it('know scope and preferred version', () => {
    expect(isNamespaced(schemas, { group: '', version: 'v1', kind: 'Namespace' })).toBe(false);
    expect(isNamespaced(schemas, { group: 'example.com', version: 'v1', kind: 'Thing' })).toBe(
      false,
    );
    expect(isNamespaced(schemas, { group: 'x', version: 'v1', kind: 'Thing' })).toBeUndefined();
    expect(preferredVersion(schemas, 'autoscaling')).toBe('v2');
    expect(preferredVersion(schemas, 'example.com')).toBe('v1');
  });
});

describe('names', () => {
  it('say where else a kind is', () => {
    expect(
      otherVersionsOf('MutatingAdmissionPolicy').map(({ apiVersion }) => apiVersion),
    ).toContain('admissionregistration.k8s.io/v1');
    expect(otherVersionsOf('Workload', 'scheduling.k8s.io')[0]?.kubernetesVersions).toBeDefined();
    expect(otherVersionsOf('Nothing')).toEqual([]);
  });
});
