import type { JsonObject } from './json-object.ts';

const group = 'admissionregistration.k8s.io';

/** A policy or binding of the version that is stored. */
export function registration(kind: string, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: `${group}/v1`, kind, metadata: { name }, spec };
}

/** A rule about everything, subresources too. */
export const everything: JsonObject = {
  resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] }],
};

/** A rule about all that mutating policies may change. */
export const changing: JsonObject = {
  resourceRules: [
    { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE', 'UPDATE'], resources: ['*'] },
  ],
};

/** A validating policy that denies with a text, and its binding. */
export function tellingPolicy(name: string, text: string, spec: JsonObject = {}): JsonObject[] {
  const whole = {
    matchConstraints: everything,
    validations: [{ expression: 'false', messageExpression: text }],
    ...spec,
  };
  return [
    registration('ValidatingAdmissionPolicy', name, whole),
    registration('ValidatingAdmissionPolicyBinding', name, {
      policyName: name,
      validationActions: ['Deny'],
    }),
  ];
}

/** A mutating policy, and its binding. */
export function mutatingPolicy(
  name: string,
  spec: JsonObject,
  binding: JsonObject = {},
): JsonObject[] {
  return [
    registration('MutatingAdmissionPolicy', name, spec),
    registration('MutatingAdmissionPolicyBinding', name, { policyName: name, ...binding }),
  ];
}

/** A kind, and the resource that it is served as. */
export interface Served {
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
}

/** The kind of ConfigMaps. */
export const configMaps: Served = { group: '', kind: 'ConfigMap', resource: 'configmaps' };

/** The kind of `thingDefinition`. */
export const things: Served = { group: 'ex.org', kind: 'Thing', resource: 'things' };

/** The definition of things, whose `spec` has a schema. */
export function thingDefinition(spec: JsonObject, version: JsonObject = {}): JsonObject {
  const { group, kind, resource: plural } = things;
  const names = { plural, singular: 'thing', kind, listKind: 'ThingList' };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema, ...version }],
    },
  };
}

/** A request of alice about `web` in the namespace `default`, with what else it says. */
export function requestFor({ group, kind, resource }: Served, rest: JsonObject): JsonObject {
  return {
    uid: 'u',
    kind: { group, version: 'v1', kind },
    resource: { group, version: 'v1', resource },
    name: 'web',
    namespace: 'default',
    userInfo: { username: 'alice' },
    ...rest,
  };
}
