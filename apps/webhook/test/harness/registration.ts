import { stringifyYaml } from '@kubeadmit/manifest';
import { expect } from 'vitest';
import { PolicyStore } from '../../src/policies/policy-store.ts';
import { computeRegistration, type Registration } from '../../src/registration/webhooks.ts';

/** A native policy with its binding. */
export interface Given {
  readonly name?: string;
  readonly kind?: 'Validating' | 'Mutating';
  readonly rules?: readonly object[];
  readonly constraints?: object;
  readonly spec?: object;
  readonly isBound?: boolean;
  readonly actions?: readonly string[];
}

/** A rule about new pods. */
export const onPods = {
  apiGroups: [''],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['pods'],
};
/** A rule about everything. */
export const onAll = {
  apiGroups: ['*'],
  apiVersions: ['*'],
  operations: ['*'],
  resources: ['*/*'],
};

/** The text of a native policy with its binding. */
export function policy({
  name = 'policy',
  kind = 'Validating',
  rules = [onPods],
  constraints = {},
  spec = {},
  isBound = true,
  actions = ['Deny'],
}: Given): string {
  const action =
    kind === 'Validating'
      ? { validations: [{ expression: 'true' }] }
      : {
          reinvocationPolicy: 'Never',
          mutations: [
            {
              patchType: 'JSONPatch',
              jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/spec/nodeName"}]' },
            },
          ],
        };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const made = {
    ...{ apiVersion, kind: `${kind}AdmissionPolicy`, metadata: { name } },
    spec: { matchConstraints: { resourceRules: rules, ...constraints }, ...action, ...spec },
  };
  const binding = {
    ...{ apiVersion, kind: `${kind}AdmissionPolicyBinding`, metadata: { name } },
    spec: { policyName: name, ...(kind === 'Validating' ? { validationActions: actions } : {}) },
  };
  return [made, ...(isBound ? [binding] : [])].map((each) => stringifyYaml(each)).join('---\n');
}

/** The webhooks that are registered for policies. */
export async function register(
  text: string,
  options: {
    readonly included?: readonly string[];
    readonly excluded?: readonly string[];
    readonly split?: 'effect' | 'failurePolicy';
  } = {},
): Promise<Omit<Registration, 'statuses'>> {
  const policies = new PolicyStore();
  const { problems } = await policies.load({ sources: [{ name: 'p.yaml', text }], problems: [] });
  expect(problems).toEqual([]);
  if (policies.current === undefined) throw new Error('no policies');
  return computeRegistration(policies.current.chain, {
    included: options.included ?? [],
    excludedNamespaces: options.excluded ?? [],
    timeoutSeconds: 10,
    checksOwnPolicies: false,
    checksKyvernoPolicies: false,
    split: options.split ?? 'effect',
  });
}

/** The text of several native policies. */
export const many = (...given: readonly Given[]): string => given.map(policy).join('---\n');

/** A selector of a label. */
export const prod = { matchLabels: { env: 'prod' } };
