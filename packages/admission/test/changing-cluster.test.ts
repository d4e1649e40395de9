import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { Random } from '@kubeadmit/random';
import { loadSchemas, withDefinitions } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { ChangingCluster } from '../src/changing-cluster.ts';
import { admit, loadCluster, RbacAuthorizer } from '../src/index.ts';
import { definitionOf, deployment, request } from './examples.ts';

const builtin = await loadSchemas();
const group = 'admissionregistration.k8s.io';
const authorizer = new RbacAuthorizer([]);

const rules = [
  { operations: ['*'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] },
  { operations: ['CREATE'], apiGroups: [''], apiVersions: ['*'], resources: ['pods'] },
  { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] },
  { operations: ['*'], apiGroups: ['example.com'], apiVersions: ['v1'], resources: ['limits'] },
];
const kinds = [
  { apiVersion: 'v1', kind: 'ConfigMap' },
  { apiVersion: 'example.com/v1', kind: 'Limit' },
];
const selectors = [{}, {}, { matchLabels: { team: 'one' } }, { matchLabels: { team: 'two' } }];

/** The changing state: the current objects by kind and name. */
class World {
  readonly objects: Map<string, KubernetesObject> = new Map();
  readonly namespaces: Map<string, KubernetesObject> = new Map();
  readonly random: Random;
  readonly changing: ChangingCluster;
  schemas = builtin;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.changing = new ChangingCluster({
      schemas: builtin,
      kubernetesVersion: '1.37',
      namespaces: this.namespaces,
      authorizer: () => authorizer,
    });
  }

  step(): void {
    const { random } = this;
    const name = `n${random.below(5)}`;
    const mutates = random.chance(0.3);
    const prefix = mutates ? 'Mutating' : 'Validating';
    const isGone = random.chance(0.35);
    const what = random.below(7);
    if (what < 2) {
      this.#policy(`${prefix}AdmissionPolicy`, name, isGone ? undefined : this.#spec(mutates));
    } else if (what < 4) {
      const spec = isGone ? undefined : this.#bindingSpec(mutates);
      this.#policy(`${prefix}AdmissionPolicyBinding`, name, spec);
    } else if (what === 4) this.#parameter(random.pick(kinds), name, isGone);
    else if (what === 5) this.#namespace(isGone);
    else this.#definition(isGone);
  }

  #spec(mutates: boolean): KubernetesObject {
    const { random } = this;
    const value = `${random.below(1000)}`;
    const paramKind = random.chance(0.4) ? random.pick(kinds) : undefined;
    const shown = paramKind === undefined ? `'${value}'` : `'${value}' + params.metadata.name`;
    const jsonPatch = {
      expression: `[JSONPatch{op: 'add', path: '/metadata/labels', value: {'x': ${shown}}}]`,
    };
    return {
      paramKind,
      failurePolicy: random.pick(['Fail', 'Ignore']),
      matchConstraints: {
        resourceRules: random.list(1, 2, () => random.pick(rules)),
        namespaceSelector: random.pick(selectors),
        matchPolicy: random.pick(['Exact', 'Equivalent']),
      },
      ...(mutates
        ? { mutations: [{ patchType: 'JSONPatch', jsonPatch }], reinvocationPolicy: 'Never' }
        : { validations: [{ expression: 'false', messageExpression: shown }] }),
    };
  }

  #bindingSpec(mutates: boolean): KubernetesObject {
    const { random } = this;
    const paramRef = random.chance(0.5)
      ? {
          ...(random.chance(0.7) ? { name: `n${random.below(5)}` } : { selector: {} }),
          parameterNotFoundAction: random.pick(['Allow', 'Deny']),
        }
      : undefined;
    return {
      policyName: `n${random.below(5)}`,
      paramRef,
      matchResources: random.chance(0.3)
        ? { namespaceSelector: random.pick(selectors) }
        : undefined,
      ...(mutates ? {} : { validationActions: [random.pick(['Deny', 'Warn'])] }),
    };
  }

  #policy(kind: string, name: string, spec: KubernetesObject | undefined): void {
    const object = spec && {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name },
      spec: plain(spec),
    };
    this.changing.changePolicy(...this.#replace(`${kind}/${name}`, object));
  }

  #parameter(named: { apiVersion: string; kind: string }, name: string, isGone: boolean): void {
    const namespace = this.random.pick(['a', 'b']);
    const object = isGone ? undefined : { ...named, metadata: { name, namespace } };
    this.changing.changeParameter(...this.#replace(`${named.kind}/${namespace}/${name}`, object));
  }

  #namespace(isGone: boolean): void {
    const name = this.random.pick(['a', 'b']);
    const labels = { team: this.random.pick(['one', 'two']) };
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
    this.#replace(`Namespace/${name}`, isGone ? undefined : object);
    if (isGone) this.namespaces.delete(name);
    else this.namespaces.set(name, object);
    this.changing.reconsider();
  }

  #definition(isGone: boolean): void {
    const type = this.random.pick(['object', 'string']);
    const definition = definitionOf('Limit', { type });
    this.#replace('Definition', isGone ? undefined : definition);
    this.schemas = isGone ? builtin : withDefinitions(builtin, [definition]);
    this.changing.useSchemas(this.schemas);
  }

  #replace(
    key: string,
    object: KubernetesObject | undefined,
  ): [KubernetesObject | undefined, KubernetesObject | undefined] {
    const before = this.objects.get(key);
    if (object === undefined) this.objects.delete(key);
    else this.objects.set(key, object);
    return [before, object];
  }
}

function plain(spec: KubernetesObject): KubernetesObject {
  return JSON.parse(JSON.stringify(spec));
}

function requestFor(kind: string, resource: string, apiVersion: string, namespace: string) {
  const [version = '', apiGroup = ''] = apiVersion.split('/').reverse();
  const named = { name: 'web', namespace };
  const object =
    kind === 'Deployment'
      ? { ...deployment(1), metadata: { ...named, labels: { app: 'web' } } }
      : { apiVersion, kind, metadata: named, spec: { containers: [{ name: 'c', image: 'i' }] } };
  return {
    ...request(object),
    namespace,
    kind: { group: apiGroup, version, kind },
    resource: { group: apiGroup, version, resource },
  } satisfies AdmissionRequest;
}

const requests = ['a', 'b'].flatMap((namespace) => [
  requestFor('Deployment', 'deployments', 'apps/v1', namespace),
  requestFor('Pod', 'pods', 'v1', namespace),
  requestFor('Limit', 'limits', 'example.com/v1', namespace),
]);

test.each([1, 2])('is the cluster that would be loaded now, after any changes (%i)', (seed) => {
  const world = new World(seed);
  const outcomes = new Set<string>();
  for (let i = 0; i < 25; i++) {
    for (let changes = world.random.below(9); changes >= 0; changes--) world.step();
    const loaded = loadCluster({
      resources: [...world.objects.values()],
      schemas: builtin,
      authorizer,
    });
    expect(world.changing.errors).toEqual([]);
    for (const each of requests) {
      const expected = admit(loaded, each);
      expect(admit(world.changing, each), `change ${i}`).toEqual(expected);
      outcomes.add(JSON.stringify(expected));
    }
    const names = (policies: readonly { readonly metadata?: { readonly name?: string } }[]) =>
      policies.map(({ metadata }) => metadata?.name).sort();
    expect(names(world.changing.validatingPolicies)).toEqual(names(loaded.validatingPolicies));
    expect(names(world.changing.mutatingPolicies)).toEqual(names(loaded.mutatingPolicies));
  }
  // Fewer outcomes would mean that no policy was evaluated.
  expect(outcomes.size).toBeGreaterThan(10);
});

test('parameters of a built-in kind are converted to the version that a policy asks for', () => {
  const world = new World(1);
  const autoscaler = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web', namespace: 'a' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      maxReplicas: 5,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } },
        },
      ],
    },
  };
  const policy = {
    apiVersion: `${group}/v1`,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'utilization' },
    spec: {
      paramKind: { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' },
      matchConstraints: { resourceRules: rules.slice(0, 1) },
      validations: [
        {
          expression: 'false',
          messageExpression: 'string(params.spec.targetCPUUtilizationPercentage)',
        },
      ],
    },
  };
  const binding = {
    apiVersion: `${group}/v1`,
    kind: 'ValidatingAdmissionPolicyBinding',
    metadata: { name: 'utilization' },
    spec: {
      policyName: 'utilization',
      paramRef: { name: 'web', parameterNotFoundAction: 'Deny' },
      validationActions: ['Deny'],
    },
  };
  for (const object of [policy, binding]) world.changing.changePolicy(undefined, object);
  world.changing.changeParameter(undefined, autoscaler);
  const asked = requestFor('Deployment', 'deployments', 'apps/v1', 'a');
  const loaded = loadCluster({
    resources: [policy, binding, autoscaler],
    schemas: builtin,
    authorizer,
  });
  const outcome = admit(world.changing, asked);
  expect(outcome).toMatchObject({
    response: { status: { message: expect.stringMatching(/denied request: 70$/) } },
  });
  expect(outcome).toEqual(admit(loaded, asked));
});
