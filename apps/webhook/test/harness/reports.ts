import type { ApiObject } from './cluster.ts';

const objectReference = {
  type: 'object',
  properties: Object.fromEntries(
    ['apiVersion', 'kind', 'namespace', 'name', 'uid'].map((name) => [name, { type: 'string' }]),
  ),
};
const count = { type: 'integer' };
const text = { type: 'string' };
const result = {
  type: 'object',
  required: ['policy'],
  properties: {
    ...{ source: text, policy: text, rule: text, message: text, category: text },
    result: { type: 'string', enum: ['pass', 'fail', 'warn', 'error', 'skip'] },
    scored: { type: 'boolean' },
    properties: { type: 'object', additionalProperties: text },
    timestamp: {
      type: 'object',
      required: ['nanos', 'seconds'],
      properties: { nanos: { type: 'integer', format: 'int32' }, seconds: count },
    },
  },
};

/** Definitions of reports with the fields that we write, and no other ones. */
export function reportDefinitions(): readonly ApiObject[] {
  return [
    definition('wgpolicyk8s.io', 'v1alpha2', 'PolicyReport', 'Namespaced'),
    definition('wgpolicyk8s.io', 'v1alpha2', 'ClusterPolicyReport', 'Cluster'),
    definition('openreports.io', 'v1alpha1', 'Report', 'Namespaced'),
    definition('openreports.io', 'v1alpha1', 'ClusterReport', 'Cluster'),
  ];
}

function definition(group: string, version: string, kind: string, scope: string): ApiObject {
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = {
    type: 'object',
    properties: {
      ...(group === 'openreports.io' ? { source: text } : {}),
      scope: objectReference,
      summary: {
        type: 'object',
        properties: { pass: count, fail: count, warn: count, error: count, skip: count },
      },
      results: { type: 'array', items: result },
    },
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope, names: { kind, plural } },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
