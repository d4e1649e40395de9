import { isObject, type JsonObject, listOf, objectOf } from '@kubeadmit/apimachinery';
import type { Parameter } from '../jmespath/variables.ts';
import { matchConstraints } from '../match/constraints.ts';
import type { ConvertedRule } from './rule.ts';
import { webhookConditions } from './webhook-conditions.ts';

/** The spec of the ValidatingAdmissionPolicy that a rule is. */
export function validatingSpec(rule: ConvertedRule): JsonObject {
  const { constraints, conditions, variables, validations, message, parameter } = rule;
  return {
    ...(parameter === undefined ? {} : { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
    matchConstraints: matchConstraints(constraints),
    ...(conditions.length === 0 ? {} : { matchConditions: conditions }),
    ...(variables.length === 0 ? {} : { variables }),
    validations: validations.map((expression) => ({
      expression,
      message: message.message,
      ...(message.messageExpression === undefined
        ? {}
        : { messageExpression: message.messageExpression }),
    })),
  };
}

/** How a binding names the parameter that a rule reads; without it nothing is allowed, as in Kyverno. */
export function paramRefOf(parameter: Parameter | undefined): JsonObject | undefined {
  return parameter && { ...parameter, parameterNotFoundAction: 'Deny' };
}

/** The policies that come out: Kubernetes' own, or those of Kyverno that are written in CEL. */
export type Target = 'admission' | 'kyverno';

/** The actions for a failed validation in some namespaces. */
export interface Override {
  readonly validationActions: readonly string[];
  readonly namespaces: readonly string[];
}

/** The properties of a generated policy that do not come from its rule. */
export interface Frame {
  readonly target: Target;
  readonly type: 'Validating' | 'Mutating' | 'ImageValidating';
  /** The version in which the cluster serves policies of the type. */
  readonly version: string;
  readonly name: string;
  /** The policy of Kyverno that it comes from. */
  readonly policy: JsonObject;
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** The actions for a failed validation; only for validating policies. */
  readonly validationActions?: readonly string[];
  readonly overrides?: readonly Override[];
  /** The namespace of a Policy; everywhere for a ClusterPolicy. */
  readonly namespace: string | undefined;
}

/** A policy, and its binding where policies of the target have one. */
export function policyObjects(
  frame: Frame,
  given: JsonObject,
  paramRef?: unknown,
): readonly JsonObject[] {
  const spec = withWebhookConditions(given, frame.policy);
  const metadata = { name: frame.name, ...describing(frame.policy) };
  const { failurePolicy } = frame;
  if (frame.target === 'kyverno') {
    const { matchConstraints: constraints, ...rest } = spec;
    return [
      {
        apiVersion: 'policies.kyverno.io/v1',
        kind: `${frame.type}Policy`,
        metadata,
        spec: {
          failurePolicy,
          ...actionsOf(frame),
          matchConstraints: { ...(constraints as JsonObject), ...namespaceOf(frame) },
          ...withOptionalNames(rest),
        },
      },
    ];
  }
  const apiVersion = `admissionregistration.k8s.io/${frame.version}`;
  const kind = `${frame.type}AdmissionPolicy`;
  const { overrides = [] } = frame;
  const bindings = [
    bindingOf(frame, frame.name, paramRef),
    ...overrides.map(({ validationActions, namespaces }, at) => {
      const matchResources = {
        namespaceSelector: selectorOf('In', namespaces),
        resourceRules: [everyNamespaced],
      };
      const name = `${frame.name}-override-${at + 1}`;
      return bindingOf({ ...frame, validationActions }, name, paramRef, matchResources);
    }),
  ];
  return [{ apiVersion, kind, metadata, spec: { failurePolicy, ...spec } }, ...bindings];
}

/** The GeneratingPolicy of a rule; its spec has no failure policy. */
export function generatingPolicy(
  { name, policy }: Pick<Frame, 'name' | 'policy'>,
  spec: JsonObject,
): JsonObject {
  return {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'GeneratingPolicy',
    metadata: { name, ...describing(policy) },
    spec: withOptionalNames(withWebhookConditions(spec, policy)),
  };
}

/** Kyverno leaves the name and the namespace out of a request that has none. */
function withOptionalNames(spec: JsonObject): JsonObject {
  const change = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replace(/\brequest\.(name|namespace)\b/g, "request.?$1.orValue('')");
    }
    if (Array.isArray(value)) return value.map(change);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        /expression$/i.test(key) || typeof item === 'object' ? change(item) : item,
      ]),
    );
  };
  return change(spec) as JsonObject;
}

// `webhookConfiguration.matchConditions` hold for all rules of a policy.
function withWebhookConditions(spec: JsonObject, policy: JsonObject): JsonObject {
  const conditions = webhookConditions(policy);
  if (conditions.length === 0) return spec;
  const own = listOf(spec['matchConditions']).filter(isObject);
  const taken = new Set(own.map(({ name }) => name));
  const named = conditions.map(({ name, expression }) => ({
    name: taken.has(name) ? `webhook-${String(name)}` : name,
    expression,
  }));
  const { paramKind, evaluation, matchConstraints, matchConditions: _, ...rest } = spec;
  return {
    ...(paramKind === undefined ? {} : { paramKind }),
    ...(evaluation === undefined ? {} : { evaluation }),
    matchConstraints,
    matchConditions: [...named, ...own],
    ...rest,
  };
}

const everyNamespaced = {
  apiGroups: ['*'],
  apiVersions: ['*'],
  operations: ['*'],
  resources: ['*'],
  scope: 'Namespaced',
} as const;

function selectorOf(operator: 'In' | 'NotIn', values: readonly string[]): JsonObject {
  return { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator, values }] };
}

function bindingOf(frame: Frame, name: string, paramRef: unknown, given?: JsonObject): JsonObject {
  const others = (frame.overrides ?? []).flatMap(({ namespaces }) => namespaces);
  const elsewhere = others.length === 0 ? {} : { namespaceSelector: selectorOf('NotIn', others) };
  const matchResources = given ?? { ...elsewhere, ...namespaceOf(frame) };
  return {
    apiVersion: `admissionregistration.k8s.io/${frame.version}`,
    kind: `${frame.type}AdmissionPolicyBinding`,
    metadata: { name },
    spec: {
      policyName: frame.name,
      ...(paramRef === undefined ? {} : { paramRef }),
      ...actionsOf(frame),
      ...(Object.keys(matchResources).length === 0 ? {} : { matchResources }),
    },
  };
}

function actionsOf({ validationActions }: Frame): JsonObject {
  return validationActions === undefined ? {} : { validationActions };
}

function namespaceOf({ namespace }: Frame): JsonObject {
  if (namespace === undefined) return {};
  return { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } };
}

/** Labels and annotations about the policy itself; those that steer Kyverno or are a tool's own mean nothing here. */
export function describing({ metadata }: JsonObject): JsonObject {
  const given = objectOf(metadata);
  return Object.fromEntries(
    ['labels', 'annotations'].flatMap((field) => {
      const entries = isObject(given[field]) ? Object.entries(given[field]) : [];
      const kept = entries.filter(([key]) => descriptive.test(key) || !foreign.test(key));
      return kept.length === 0 ? [] : [[field, Object.fromEntries(kept)]];
    }),
  );
}

const descriptive = /^policies\.kyverno\.io\/(?:title|category|severity|description|subject)$/;
const foreign = /^(?:[^/]*\.)?(?:kyverno\.io|kubectl\.kubernetes\.io|helm\.sh)\//;
