import type { ApiObject } from './cluster.ts';
import { definition } from './definitions.ts';

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
    severity: { type: 'string' },
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
    report('wgpolicyk8s.io', 'v1alpha2', 'PolicyReport', 'Namespaced'),
    report('wgpolicyk8s.io', 'v1alpha2', 'ClusterPolicyReport', 'Cluster'),
    report('openreports.io', 'v1alpha1', 'Report', 'Namespaced'),
    report('openreports.io', 'v1alpha1', 'ClusterReport', 'Cluster'),
  ];
}

function report(group: string, version: string, kind: string, scope: string): ApiObject {
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
  const plural = `${kind.toLowerCase()}s`;
  return definition({ group, version, kind, plural, scope, openAPIV3Schema });
}
