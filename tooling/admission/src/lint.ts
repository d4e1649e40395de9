import { type Random, words } from '@kubeadmit/random';
import { gadgetDefinition, samples } from './data.ts';
import type { JsonObject } from './json-object.ts';

const group = 'admissionregistration.k8s.io';
const names = [
  ...words('a.b A_b x- .a'),
  'x'.repeat(254),
  '',
  ...words('p.static.k8s.io a/b .. ok-1'),
];
const kinds = [
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
] as const;

/** One policy or binding with mistakes in its fields; its expressions are correct. */
export function lintCase(random: Random): JsonObject {
  const kind = random.pick(kinds);
  const spec = {
    ValidatingAdmissionPolicy: () => validatingSpec(random),
    ValidatingAdmissionPolicyBinding: () => bindingSpec(random, true),
    MutatingAdmissionPolicy: () => mutatingSpec(random),
    MutatingAdmissionPolicyBinding: () => bindingSpec(random, false),
  }[kind]();
  const apiVersion = `${group}/${random.pick(['v1', 'v1', 'v1beta1', 'v1alpha1'])}`;
  return { resources: [{ apiVersion, kind, metadata: metadata(random), spec }] };
}

function metadata(random: Random): JsonObject {
  return random.some({
    name: [0.97, () => (random.chance(0.5) ? 'p' : random.pick(names))],
    generateName: [0.1, () => random.pick(['a-', 'A-', '-', 'a.'])],
    namespace: [0.05, () => 'ns'],
    labels: [0.1, () => ({ [random.pick(['a', 'x y', 'a/b/c'])]: random.pick(['v', 'v v']) })],
    annotations: [0.1, () => ({ [random.pick(['a', 'x y', 'A/b', 'a/b/c'])]: 'v' })],
    finalizers: [
      0.1,
      () => random.list(0, 3, () => random.pick(['a', 'x y', 'orphan', 'foregroundDeletion'])),
    ],
    generation: [0.05, () => random.pick([-1, 0, 5])],
    ownerReferences: [
      0.1,
      () =>
        random.list(1, 2, () =>
          random.some({
            apiVersion: [0.9, () => random.pick(['v1', 'a/b/c', '', 'a/'])],
            kind: [0.9, () => random.pick(['Pod', 'Event', ''])],
            name: [0.9, () => 'n'],
            uid: [0.9, () => 'u'],
            controller: [0.9, () => random.pick([true, false])],
          }),
        ),
    ],
  });
}

function selector(random: Random): JsonObject {
  const keys = ['a', 'b/c', '', 'x y', '-a', 'a'.repeat(64), 'A/b', 'a/b/c'];
  return random.some({
    matchLabels: [
      0.4,
      () => ({ [random.pick(keys)]: random.pick(['v', '', 'v v', 'v'.repeat(64)]) }),
    ],
    matchExpressions: [
      0.5,
      () =>
        random.list(0, 2, () =>
          random.some({
            key: [0.9, () => random.pick(keys)],
            operator: [0.9, () => random.pick(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', ''])],
            values: [0.7, () => random.pick([[], ['a'], ['a', 'b c'], ['x'.repeat(64)]])],
          }),
        ),
    ],
  });
}

function rule(random: Random): JsonObject {
  if (random.chance(0.5)) {
    return { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'] };
  }
  const some = (most: number, values: readonly string[]) => (): string[] =>
    random.list(0, most, () => random.pick(values));
  return random.some({
    resourceNames: [0.3, some(3, ['a', '.', '..', 'a/b', 'a%b', ''])],
    operations: [0.9, some(3, ['*', 'CREATE', 'UPDATE', 'DELETE', 'CONNECT', 'create', ''])],
    apiGroups: [0.9, some(2, ['', '*', 'apps'])],
    apiVersions: [0.9, some(2, ['v1', '*', ''])],
    resources: [
      0.9,
      some(4, ['pods', '*', '*/*', 'pods/*', '*/scale', '', 'a', 'pods/status', 'a/']),
    ],
    scope: [0.4, () => random.pick(['*', 'Cluster', 'Namespaced', 'x', ''])],
  });
}

function match(random: Random): JsonObject {
  return random.some({
    namespaceSelector: [0.3, () => selector(random)],
    objectSelector: [0.3, () => selector(random)],
    matchPolicy: [0.4, () => random.pick(['Exact', 'Equivalent', 'x', ''])],
    resourceRules: [0.9, () => random.list(0, 2, () => rule(random))],
    excludeResourceRules: [0.2, () => random.list(0, 2, () => rule(random))],
  });
}

function named(random: Random, choices: readonly string[]): JsonObject {
  return random.some({
    name: [0.95, () => random.pick(choices)],
    expression: [0.95, () => random.pick(['true', 'true', ' true ', '', '  ', '1', 'x', '1 +'])],
  });
}

function common(random: Random): JsonObject {
  return random.some({
    failurePolicy: [0.4, () => random.pick(['Fail', 'Ignore', 'x', ''])],
    paramKind: [
      0.3,
      () =>
        random.some({
          apiVersion: [
            0.9,
            () => random.pick(['v1', 'a/v1', 'a/b/c', '/', 'A/v1', 'a/V1', 'a/', '/v1', '']),
          ],
          kind: [0.9, () => random.pick(['ConfigMap', '', 'x_y', '9a', 'Ab'])],
        }),
    ],
    matchConstraints: [0.9, () => match(random)],
    matchConditions: [
      0.3,
      () => {
        const length = random.pick([0, 1, 2, 3, 65]);
        return random.list(length, length, () =>
          named(random, ['a', 'b', 'x y', '', 'a/b', 'a/b/c']),
        );
      },
    ],
    variables: [
      0.3,
      () => random.list(0, 3, () => named(random, ['a', 'b', 'for', '9', 'a-b', '', ' '])),
    ],
  });
}

function validatingSpec(random: Random): JsonObject {
  const value = `'${'x'.repeat(5200)}'`;
  const validation = (): JsonObject =>
    random.some({
      expression: [
        0.95,
        () => random.pick(['true', 'false', ' true', '', ' ', '1', "'a'", 'x', '1 +']),
      ],
      message: [0.5, () => random.pick(['m', 'a\nb', '\nm\n', '  ', 'a\rb', ''])],
      messageExpression: [0.3, () => random.pick(["'a'", ' ', '', '1', 'x'])],
      reason: [0.4, () => random.pick(['Forbidden', 'Invalid', 'Unauthorized', 'x', ''])],
    });
  const annotation = (): JsonObject =>
    random.some({
      key: [0.95, () => random.pick(['k', 'k2', 'x y', '', 'a/b'])],
      valueExpression: [0.95, () => random.pick(["'v'", "'v'", '', ' ', value, '1', 'null', 'x'])],
    });
  return {
    ...common(random),
    ...random.some({
      validations: [0.9, () => random.list(0, 3, validation)],
      auditAnnotations: [
        0.4,
        () => {
          const length = random.pick([0, 1, 2, 3, 21]);
          return random.list(length, length, annotation);
        },
      ],
    }),
  };
}

function mutatingSpec(random: Random): JsonObject {
  const patch = "[JSONPatch{op: 'test', path: '/a'}]";
  const mutation = (): JsonObject =>
    random.some({
      patchType: [0.95, () => random.pick(['JSONPatch', 'ApplyConfiguration', 'x', ''])],
      jsonPatch: [
        0.5,
        () => random.pick([{ expression: patch }, { expression: '' }, { expression: '[]' }, {}]),
      ],
      applyConfiguration: [
        0.5,
        () =>
          random.pick([{ expression: 'Object{}' }, { expression: ' ' }, { expression: '1' }, {}]),
      ],
    });
  return {
    ...common(random),
    ...random.some({
      mutations: [0.9, () => random.list(0, 3, mutation)],
      reinvocationPolicy: [0.9, () => random.pick(['Never', 'IfNeeded', 'x', ''])],
    }),
  };
}

function bindingSpec(random: Random, isValidating: boolean): JsonObject {
  const paramRef = (): JsonObject =>
    random.some({
      name: [0.6, () => random.pick(['a', '', '.', 'a/b%'])],
      namespace: [0.3, () => random.pick(['', 'a'])],
      selector: [0.4, () => selector(random)],
      parameterNotFoundAction: [0.8, () => random.pick(['Deny', 'Allow', 'x', ''])],
    });
  return random.some({
    policyName: [0.9, () => random.pick(['p', 'A', '', 'a.b'])],
    paramRef: [0.4, paramRef],
    matchResources: [0.4, () => match(random)],
    ...(isValidating
      ? {
          validationActions: [
            0.9,
            () => random.list(0, 3, () => random.pick(['Deny', 'Warn', 'Audit', 'deny', ''])),
          ] as const,
        }
      : {}),
  });
}

const fields = [
  ...['spec', 'metadata', 'replicas', 'template', 'containers', 'name', 'labels', 'image', 'data'],
  ...words('count title doors free nope status resources limits namespace kind'),
  ...['gran', 'tags', 'ports', 'port', 'targetPort', 'creationTimestamp', 'when', 'ios', 'matrix'],
];
const paths = words(
  'object.spec.replicas object.spec.template.spec.containers object.metadata.name',
  'object.spec.containers object.metadata.labels object.spec.containers[0].image object.data',
  'object.spec.count object.spec.title object.spec.doors object.spec.tags object.spec.free',
  'object.spec.when object.spec.ios object.metadata.creationTimestamp object.metadata.namespace',
  'object.spec.containers[0].resources.limits oldObject.spec params.data params.spec.count',
  'namespaceObject.metadata.name request.name request.nope variables.v variables.w',
);
const forms = [
  ...['L == R', 'L > R', 'L + R == R', 'has(L) && R', 'L in R', 'L.all(x, x == R)', 'L.size() > R'],
  ...['L.exists(c, c.name == R)', '!(L == R)', 'L.matches(R)', 'string(L) == R', 'L[0] == R'],
];

/** A valid policy with expressions that the types of the matched kinds may refuse. */
export function typesCase(random: Random): JsonObject {
  const path = (): string =>
    random.chance(0.7)
      ? random.pick(paths)
      : ['object', ...random.list(1, 4, () => random.pick(fields))].join('.');
  const literal = (): string =>
    random.pick(['1', "'a'", 'true', 'null', '[1]', "{'a': 'b'}", '1.5']);
  const expression = (): string => {
    const right = random.chance(0.6) ? literal() : path();
    return `true || ${random.pick(forms).replaceAll('L', path()).replaceAll('R', right)}`;
  };
  const typeRule = (): JsonObject => {
    const about = random.list(1, 3, () => random.pick(samples));
    const resources = about.map(({ resource }) => resource);
    if (random.chance(0.2)) resources.push(random.pick(['pods/status', '*', 'gadget', 'none']));
    return {
      apiGroups: random.chance(0.9) ? [...new Set(about.map(({ group: name }) => name))] : ['*'],
      apiVersions: random.chance(0.95) ? [...new Set(about.map(({ version }) => version))] : ['*'],
      operations: ['*'],
      resources,
    };
  };
  const spec = {
    matchConstraints: { resourceRules: random.list(1, 3, typeRule) },
    variables: [
      { name: 'v', expression: random.pick(paths.slice(0, 18)) },
      { name: 'w', expression: random.pick(['variables.v', 'object.metadata', '1']) },
    ],
    validations: random.list(1, 3, () => ({
      expression: expression(),
      ...random.some({
        messageExpression: [0.4, () => `'a' + string(${random.pick(paths)} == 1)`],
      }),
    })),
    ...random.some({
      paramKind: [
        0.5,
        () =>
          random.pick([
            { apiVersion: 'v1', kind: 'ConfigMap' },
            { apiVersion: 'ex.com/v1', kind: 'Gadget' },
            { apiVersion: 'no.example/v1', kind: 'None' },
          ]),
      ],
    }),
  };
  const policy = {
    apiVersion: `${group}/v1`,
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec,
  };
  const needsDefinition = /"(ex\.com|gadgets?)/.test(JSON.stringify(spec));
  return { resources: needsDefinition ? [gadgetDefinition, policy] : [policy] };
}
