import type { Resource } from '@kubeadmit/schemas';
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

/** A rule about resources of the core group. */
export function coreRule(resources: readonly string[], operations: readonly string[]): JsonObject {
  return { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations, resources }] };
}

/** A validating policy, and its binding, which denies. */
export function validatingPolicy(
  name: string,
  spec: JsonObject,
  binding: JsonObject = { validationActions: ['Deny'] },
): JsonObject[] {
  return [
    registration('ValidatingAdmissionPolicy', name, spec),
    registration('ValidatingAdmissionPolicyBinding', name, { policyName: name, ...binding }),
  ];
}

/** A validating policy that denies with a text, and its binding. */
export function tellingPolicy(name: string, text: string, spec: JsonObject = {}): JsonObject[] {
  return validatingPolicy(name, {
    matchConstraints: everything,
    validations: [{ expression: 'false', messageExpression: text }],
    ...spec,
  });
}

export function applyMutation(expression: string): JsonObject {
  return { patchType: 'ApplyConfiguration', applyConfiguration: { expression } };
}

export function patchMutation(expression: string): JsonObject {
  return { patchType: 'JSONPatch', jsonPatch: { expression } };
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

/** A request of alice for `web` in the namespace `default`, with additional fields. */
export function requestFor(served: Served, rest: JsonObject): JsonObject {
  return requestAbout({ ...served, version: 'v1' }, { namespace: 'default', ...rest });
}

/** Returns the objects of a request: the new one, the old one, or both. */
export function objectsOf(operation: string, make: () => unknown): JsonObject {
  return {
    ...(operation === 'DELETE' ? {} : { object: make() }),
    ...(operation === 'CREATE' ? {} : { oldObject: make() }),
  };
}

/** A request of alice about `web`, an object of a resource. */
export function requestAbout(
  { group, version, kind, resource }: Pick<Resource, 'group' | 'version' | 'kind' | 'resource'>,
  rest: JsonObject,
): JsonObject {
  return {
    uid: 'u',
    kind: { group, version, kind },
    resource: { group, version, resource },
    name: 'web',
    userInfo: { username: 'alice' },
    ...rest,
  };
}
