import { type Random, words } from '@kubeadmit/random';
import { customSamples, type Sample, samples, subresourceSamples, validating } from './data.ts';
import { randomCondition, randomText, type Subject } from './expressions.ts';
import type { JsonObject } from './json-object.ts';
import { randomMutation } from './mutations.ts';
import {
  randomParamRef,
  randomRequest,
  randomRule,
  randomSelector,
  randomSurroundings,
} from './requests.ts';

const group = 'admissionregistration.k8s.io';
const paramKinds = [
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'v1', kind: 'Secret' },
  { apiVersion: 'v1', kind: 'Namespace' },
  { apiVersion: 'ex.com/v1', kind: 'Gadget' },
  { apiVersion: 'ex.com/v1', kind: 'Limit' },
  { apiVersion: 'ex.com/v2', kind: 'Widget' },
  { apiVersion: 'ex.com/v3', kind: 'Widget' },
  { apiVersion: 'no.example/v1', kind: 'None' },
];
const REQUESTS = 4;

/** Returns cases with validating policies, their bindings and one request each. */
export function validatingCases(random: Random): JsonObject[] {
  const sample = randomSample(random);
  const policies = random.list(1, 2, (index) => validatingPolicy(random, sample, `p${index}`));
  const operations = ['CREATE', 'CREATE', 'UPDATE', 'DELETE'];
  return withRequests(random, sample, policies.flat(), operations);
}

/** Mutating policies with bindings, perhaps a validating one, and requests. */
export function mutatingCases(random: Random): JsonObject[] {
  const draw = (): Sample => randomTypedSample(random);
  const sample = draw();
  const policies = random.list(1, 2, (index) => mutatingPolicy(random, sample, `p${index}`));
  if (random.chance(0.3)) policies.push(validatingPolicy(random, sample, 'v'));
  return withRequests(random, sample, policies.flat(), ['CREATE', 'CREATE', 'UPDATE'], draw);
}

const requestedKinds = words(
  'Pod Deployment ConfigMap Service StatefulSet DaemonSet ReplicaSet Secret ServiceAccount',
  'NetworkPolicy PodDisruptionBudget Lease StorageClass Role PriorityClass ResourceQuota',
  'PersistentVolumeClaim CronJob IngressClass Gadget',
);

/** One policy with one binding and a request as a client could make it, to be played on a server. */
export function clientCase(random: Random): JsonObject {
  const sample = random.pick(
    random.chance(0.3)
      ? customSamples
      : samples.filter(({ object }) => requestedKinds.includes(object.kind)),
  );
  const make = random.chance(0.6) ? validatingPolicy : mutatingPolicy;
  const policies = make(random, sample, 'p0').slice(0, 2);
  for (const policy of policies) policy['apiVersion'] = `${group}/v1`;
  const object = (labels: JsonObject): JsonObject => ({
    ...structuredClone(sample.object),
    metadata: { name: 'web', labels },
  });
  const operation = random.pick(['CREATE', 'CREATE', 'UPDATE', 'DELETE']);
  const { group: apiGroup, version, resource, namespaced } = sample;
  const request = {
    uid: 'u',
    kind: { group: apiGroup, version, kind: sample.object.kind },
    resource: { group: apiGroup, version, resource },
    operation,
    name: 'web',
    ...(namespaced ? { namespace: random.pick(['default', 'prod']) } : {}),
    userInfo: random.pick<JsonObject>([{ username: 'alice' }, { username: 'bob', groups: ['x'] }]),
    ...(operation === 'DELETE' ? {} : { object: object({ app: random.pick(['web', 'api']) }) }),
    ...(operation === 'CREATE' ? {} : { oldObject: object({ app: 'web' }) }),
  };
  const mentioned = JSON.stringify([policies, request]);
  return { resources: [...randomSurroundings(random, mentioned), ...policies], request };
}

// The kinds that most expressions are about come up most.
function randomSample(random: Random): Sample {
  const usual = ['Pod', 'Deployment', 'Gadget', 'ConfigMap', 'Namespace', 'Service'];
  if (random.chance(0.3)) return random.pick(samples);
  if (random.chance(0.3)) return random.pick(customSamples);
  if (random.chance(0.25)) return random.pick(subresourceSamples);
  return random.pick(samples.filter(({ object }) => usual.includes(object.kind)));
}

// The oracle has no types of the groups that other servers than kube-apiserver's core serve.
function randomTypedSample(random: Random): Sample {
  const untyped = ['apiextensions.k8s.io', 'apiregistration.k8s.io'];
  const sample = randomSample(random);
  return untyped.includes(sample.group) ? randomTypedSample(random) : sample;
}

function withRequests(
  random: Random,
  sample: Sample,
  policies: JsonObject[],
  operations: readonly string[],
  drawOther = (): Sample => randomSample(random),
): JsonObject[] {
  const requests = random.list(REQUESTS, REQUESTS, () =>
    randomRequest(random, random.chance(0.95) ? sample : drawOther(), operations),
  );
  const mentioned = JSON.stringify([policies, requests]);
  const resources = [...randomSurroundings(random, mentioned), ...policies];
  return requests.map((request) => ({ resources, request }));
}

function matchResources(
  random: Random,
  sample: Sample,
  operations: readonly (readonly string[])[],
  least: number,
): JsonObject {
  const rule = (): JsonObject => {
    const about = random.chance(0.85) ? sample : random.pick(samples);
    return randomRule(random, about, random.pick(operations));
  };
  return {
    resourceRules: random.list(least, 2, rule),
    ...random.some({
      objectSelector: [0.15, () => randomSelector(random)],
      namespaceSelector: [0.15, () => randomSelector(random)],
      excludeResourceRules: [
        0.1,
        () => [randomRule(random, random.chance(0.5) ? sample : random.pick(samples), ['*'])],
      ],
      matchPolicy: [0.2, () => random.pick(['Exact', 'Equivalent'])],
    }),
  };
}

function common(random: Random, subject: Subject): JsonObject {
  const variables = Object.entries(validating.variables);
  const usable = (expressions: readonly string[]): readonly string[] =>
    expressions.filter((text) => subject.hasParams || !text.includes('params'));
  const condition = (): string =>
    random.chance(0.7)
      ? random.pick(usable(validating.conditions))
      : randomCondition(random, subject).replaceAll('variables.', 'request.');
  return {
    variables: variables.map(([name, expressions]) => ({
      name,
      expression: random.pick(usable(expressions)),
    })),
    ...(subject.hasParams ? { paramKind: random.pick(paramKinds) } : {}),
    ...random.some({
      failurePolicy: [0.4, () => random.pick(['Fail', 'Ignore'])],
      matchConditions: [
        0.3,
        () => random.list(1, 3, (index) => ({ name: `m${index}`, expression: condition() })),
      ],
    }),
  };
}

function bindings(
  random: Random,
  kind: string,
  { policyName, sample, version }: { policyName: string; sample: Sample; version: string },
): JsonObject[] {
  const isValidating = kind.startsWith('Validating');
  const actions = [
    ...[['Deny'], ['Deny'], ['Deny', 'Audit'], ['Warn'], ['Warn', 'Audit'], ['Audit']],
    ['Audit', 'Deny'],
  ];
  const operations = [['*'], ['CREATE'], ['CREATE', 'UPDATE']];
  return random.list(1, 2, (index) => ({
    apiVersion: `${group}/${version}`,
    kind: `${kind}Binding`,
    metadata: { name: `${policyName}-${index}` },
    spec: {
      policyName: random.chance(0.98) ? policyName : 'absent',
      ...(isValidating ? { validationActions: random.pick(actions) } : {}),
      ...random.some({
        paramRef: [0.7, () => randomParamRef(random)],
        matchResources: [0.25, () => matchResources(random, sample, operations, 0)],
      }),
    },
  }));
}

function validatingPolicy(random: Random, sample: Sample, name: string): JsonObject[] {
  const kind = 'ValidatingAdmissionPolicy';
  const operations = [
    ...[['*'], ['CREATE', 'UPDATE'], ['CREATE'], ['UPDATE', 'DELETE'], ['CONNECT', 'CREATE']],
    ['UPDATE', 'CONNECT', 'CREATE'],
  ];
  const subject = { object: sample.object, hasParams: random.chance(0.5) };
  const spec = {
    ...common(random, subject),
    matchConstraints: matchResources(random, sample, operations, 1),
    validations: random.list(1, 4, () => ({
      expression: randomCondition(random, subject),
      ...random.some({
        message: [0.4, () => random.pick(['msg', '  padded ', 'bad & <x>', 'é"\\'])],
        messageExpression: [0.4, () => randomText(random, subject)],
        reason: [0.3, () => random.pick(['Forbidden', 'Invalid', 'RequestEntityTooLarge'])],
      }),
    })),
    ...random.some({
      auditAnnotations: [
        0.3,
        () =>
          random.list(1, 2, (index) => ({
            key: `k${index}`,
            valueExpression: random.chance(0.5)
              ? random.pick(validating.annotations)
              : randomText(random, subject),
          })),
      ],
    }),
  };
  const version = random.pick(['v1', 'v1', 'v1', 'v1beta1', 'v1alpha1']);
  const policy = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec };
  return [policy, ...bindings(random, kind, { policyName: name, sample, version })];
}

function mutatingPolicy(random: Random, sample: Sample, name: string): JsonObject[] {
  const kind = 'MutatingAdmissionPolicy';
  const operations = [['*'], ['CREATE', 'UPDATE'], ['CREATE'], ['CONNECT', 'CREATE', 'UPDATE']];
  const spec = {
    ...common(random, { object: sample.object, hasParams: random.chance(0.5) }),
    matchConstraints: matchResources(random, sample, operations, 1),
    reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
    mutations: random.list(1, 2, () => randomMutation(random, sample.object)),
  };
  const version = random.pick(['v1', 'v1', 'v1beta1', 'v1alpha1']);
  const policy = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec };
  return [policy, ...bindings(random, kind, { policyName: name, sample, version })];
}
