import { mutating, type Sample, samples, validating } from './data.ts';
import type { JsonObject, Random } from './random.ts';
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
  { apiVersion: 'ex.com/v1', kind: 'Gadget' },
  { apiVersion: 'no.example/v1', kind: 'None' },
];

/** Validating policies with bindings, and a request. */
export function validatingCase(random: Random): JsonObject {
  const sample = randomSample(random);
  const policies = random.list(1, 2, (index) => validatingPolicy(random, sample, `p${index}`));
  const request = randomRequest(random, sample, ['CREATE', 'CREATE', 'UPDATE', 'DELETE']);
  return { resources: withSurroundings(random, sample, policies.flat()), request };
}

/** Mutating policies with bindings, perhaps a validating one, and a request. */
export function mutatingCase(random: Random): JsonObject {
  const sample = randomSample(random);
  const policies = random.list(1, 2, (index) => mutatingPolicy(random, sample, `p${index}`));
  if (random.chance(0.3)) policies.push(validatingPolicy(random, sample, 'v'));
  const request = randomRequest(random, sample, ['CREATE', 'CREATE', 'UPDATE']);
  return { resources: withSurroundings(random, sample, policies.flat()), request };
}

// The kinds that most expressions are about come up most.
function randomSample(random: Random): Sample {
  const usual = ['Pod', 'Deployment', 'Gadget', 'ConfigMap', 'Namespace', 'Service'];
  if (random.chance(0.3)) return random.pick(samples);
  return random.pick(samples.filter(({ object }) => usual.includes(object.kind)));
}

function withSurroundings(random: Random, sample: Sample, policies: JsonObject[]): JsonObject[] {
  const needsDefinition =
    sample.object.kind === 'Gadget' || JSON.stringify(policies).includes('"Gadget"');
  return [...randomSurroundings(random, needsDefinition && random.chance(0.95)), ...policies];
}

function matchConstraints(
  random: Random,
  sample: Sample,
  operations: readonly (readonly string[])[],
): JsonObject {
  const rule = (): JsonObject => {
    const about = random.chance(0.85) ? sample : random.pick(samples);
    return randomRule(random, about, random.pick(operations));
  };
  return {
    resourceRules: random.list(1, 2, rule),
    ...random.some({
      objectSelector: [0.15, () => randomSelector(random)],
      namespaceSelector: [0.15, () => randomSelector(random)],
      excludeResourceRules: [0.1, () => [randomRule(random, random.pick(samples), ['*'])]],
      matchPolicy: [0.2, () => random.pick(['Exact', 'Equivalent'])],
    }),
  };
}

function common(random: Random): JsonObject {
  const variables = Object.entries(validating.variables);
  return {
    variables: variables.map(([name, expressions]) => ({
      name,
      expression: random.pick(expressions),
    })),
    ...random.some({
      failurePolicy: [0.4, () => random.pick(['Fail', 'Ignore'])],
      paramKind: [0.5, () => random.pick(paramKinds)],
      matchConditions: [
        0.3,
        () =>
          random.list(1, 3, (index) => ({
            name: `m${index}`,
            expression: random.pick(validating.conditions),
          })),
      ],
    }),
  };
}

function bindings(random: Random, kind: string, policyName: string): JsonObject[] {
  const actions = [['Deny'], ['Deny'], ['Warn'], ['Audit'], ['Deny', 'Audit'], ['Warn', 'Audit']];
  return random.list(1, 2, (index) => ({
    apiVersion: `${group}/v1`,
    kind: `${kind}Binding`,
    metadata: { name: `${policyName}-${index}` },
    spec: {
      policyName,
      ...(kind.startsWith('Validating') ? { validationActions: random.pick(actions) } : {}),
      ...random.some({
        paramRef: [0.7, () => randomParamRef(random)],
        matchResources: [0.2, () => ({ namespaceSelector: randomSelector(random) })],
      }),
    },
  }));
}

function validatingPolicy(random: Random, sample: Sample, name: string): JsonObject[] {
  const kind = 'ValidatingAdmissionPolicy';
  const operations = [['*'], ['CREATE', 'UPDATE'], ['CREATE'], ['UPDATE', 'DELETE']];
  const spec = {
    ...common(random),
    matchConstraints: matchConstraints(random, sample, operations),
    validations: random.list(1, 4, () => ({
      expression: random.pick(validating.validations),
      ...random.some({
        message: [0.4, () => random.pick(['msg', '  padded ', 'bad & <x>'])],
        messageExpression: [0.3, () => random.pick(validating.messages)],
        reason: [0.3, () => random.pick(['Forbidden', 'Invalid', 'RequestEntityTooLarge'])],
      }),
    })),
    ...random.some({
      auditAnnotations: [
        0.3,
        () =>
          random.list(1, 2, (index) => ({
            key: `k${index}`,
            valueExpression: random.pick(validating.annotations),
          })),
      ],
    }),
  };
  const policy = { apiVersion: `${group}/v1`, kind, metadata: { name }, spec };
  return [policy, ...bindings(random, kind, name)];
}

function mutatingPolicy(random: Random, sample: Sample, name: string): JsonObject[] {
  const kind = 'MutatingAdmissionPolicy';
  const spec = {
    ...common(random),
    matchConstraints: matchConstraints(random, sample, [['*'], ['CREATE', 'UPDATE'], ['CREATE']]),
    reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
    mutations: random.list(1, 2, () => mutation(random)),
  };
  const version = random.pick(['v1', 'v1', 'v1beta1', 'v1alpha1']);
  const policy = { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec };
  return [policy, ...bindings(random, kind, name)];
}

function mutation(random: Random): JsonObject {
  if (random.chance(0.5)) {
    const expression = random.pick(mutating.applyConfigurations);
    return { patchType: 'ApplyConfiguration', applyConfiguration: { expression } };
  }
  const operations = `[${random.list(1, 3, () => operation(random)).join(', ')}]`;
  const expression = random.chance(0.1)
    ? `has(object.metadata.labels) ? ${operations} : []`
    : operations;
  return { patchType: 'JSONPatch', jsonPatch: { expression } };
}

function operation(random: Random): string {
  const op = random.pick([
    'add',
    'add',
    'add',
    'replace',
    'replace',
    'remove',
    'test',
    'test',
    'copy',
    'move',
    'merge',
  ]);
  const fields = [`op: '${op}'`, `path: '${random.pick(mutating.paths)}'`];
  const hasFrom = op === 'copy' || op === 'move';
  const hasValue = op === 'add' || op === 'replace' || op === 'test';
  if (hasFrom && random.chance(0.95)) fields.push(`from: '${random.pick(mutating.paths)}'`);
  if (hasValue && random.chance(0.95)) fields.push(`value: ${random.pick(mutating.values)}`);
  return `JSONPatch{${fields.join(', ')}}`;
}
