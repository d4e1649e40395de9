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
