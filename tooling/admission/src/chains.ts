import type { Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import {
  applyMutation,
  changing,
  configMaps,
  patchMutation,
  registration,
  requestFor,
} from './parts.ts';

const keys = ['a', 'b', 'c', 'x/y'];

/** Policies that see each other's changes: in their order, once more where they ask for it, for each parameter. */
export function chainCase(random: Random): JsonObject {
  // Names decide the order, not the places in the list.
  const names = random.pick([['m1', 'm2', 'm3'], ['m3', 'm10', 'm2'], ['z', 'Z.a', 'a'], ['m']]);
  const mutating = names
    .filter((name, index) => index === 0 || name !== names[0])
    .slice(0, random.pick([1, 2, 3, 3]))
    .map((name) => mutatingPolicy(random, name.toLowerCase()));
  const validating = random.list(0, 2, (index) => validatingPolicy(random, `v${index}`));
  const operation = random.pick(['CREATE', 'CREATE', 'UPDATE']);
  const object = (): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'web',
      namespace: 'default',
      ...random.some({ labels: [0.7, () => labels(random)] }),
    },
    ...random.some({ data: [0.7, () => ({ n: String(random.below(3)) })] }),
  });
  return {
    resources: [...random.list(0, 4, parameter), ...mutating.flat(), ...validating.flat()],
    request: requestFor(configMaps, {
      operation,
      object: object(),
      ...(operation === 'UPDATE' ? { oldObject: object() } : {}),
    }),
  };
}

function labels(random: Random): JsonObject {
  return Object.fromEntries(random.list(0, 3, () => [random.pick(keys), String(random.below(3))]));
}

function parameter(index: number): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `p${index}`,
      namespace: index === 3 ? 'other' : 'default',
      labels: { n: `${index}`, odd: `${index % 2}` },
    },
    data: { n: index === 2 ? '' : 'MQ==' },
  };
}

const read = (key: string): string => `object.metadata.?labels['${key}']`;

/** A text built from existing values, so that a second run changes it again. */
function text(random: Random, hasParams: boolean): string {
  const key = random.pick(keys);
  return random.pick([
    `${read(key)}.orValue('') + 'x'`,
    `${read(key)}.orValue('') + '${random.below(3)}'`,
    `${read(key)}.hasValue() ? ${read(key)}.value() : 'none'`,
    `string(object.metadata.?labels.orValue({}).size())`,
    `string(int(${read(key)}.orValue('0')) + 1)`,
    `string(object.?data.orValue({}).size())`,
    `object.metadata.labels['${key}']`,
    `string(1 / int(${read(key)}.orValue('0')))`,
    `variables.v`,
    `variables.count`,
    `'${random.below(3)}'`,
    `string(oldObject == null ? 0 : oldObject.metadata.?labels.orValue({}).size())`,
    ...(hasParams
      ? [
          'params.metadata.name',
          "params.metadata.?labels.n.orValue('') + 'p'",
          'string(params == null)',
        ]
      : []),
  ]);
}

function configuration(random: Random, hasParams: boolean): string {
  const key = random.pick(keys);
  const value = text(random, hasParams);
  return random.pick([
    `Object{metadata: Object.metadata{labels: {'${key}': ${value}}}}`,
    `Object{metadata: Object.metadata{labels: {'${key}': ${value}}}}`,
    `Object{data: {'${random.pick(['n', 'k', 'l'])}': ${value}}}`,
    `Object{metadata: Object.metadata{annotations: {'${key}': ${value}}}}`,
    `has(object.metadata.labels) ? Object{data: {'k': ${value}}} : Object{}`,
    `Object{metadata: Object.metadata{labels: object.metadata.?labels.orValue({}).transformMapEntry(k, v, {k + 'z': v})}}`,
    `Object{data: object.?data.orValue({}).transformMap(k, v, v + ${random.pick(["'y'", value])})}`,
    `Object{metadata: Object.metadata{?labels: optional.none()}}`,
    `Object{metadata: Object.metadata{finalizers: ['ex.org/' + ${value}]}}`,
  ]);
}

function operations(random: Random, hasParams: boolean): string {
  const key = random.pick(['a', 'b', 'c', 'x~1y']);
  const value = text(random, hasParams);
  const number = random.below(3);
  return random.pick([
    `[JSONPatch{op: 'add', path: '/metadata/labels', value: {'${random.pick(keys)}': ${value}}}]`,
    `has(object.metadata.labels) ? [JSONPatch{op: 'add', path: '/metadata/labels/${key}', value: ${value}}] : []`,
    `[JSONPatch{op: 'test', path: '/metadata/labels/${key}', value: '${number}'}, JSONPatch{op: 'replace', path: '/metadata/labels/${key}', value: ${value}}]`,
    `[JSONPatch{op: 'remove', path: '/metadata/labels/${key}'}]`,
    `has(object.metadata.labels) ? [JSONPatch{op: 'remove', path: '/metadata/labels'}] : [JSONPatch{op: 'add', path: '/metadata/labels', value: {'a': ${value}}}]`,
    `[JSONPatch{op: 'add', path: '/data', value: {'n': ${value}}}]`,
    `[JSONPatch{op: 'move', from: '/metadata/labels/${key}', path: '/metadata/labels/b'}]`,
  ]);
}

function condition(random: Random, hasParams: boolean): string {
  const key = random.pick(keys);
  return random.pick([
    'true',
    'true',
    `!${read(key)}.hasValue()`,
    `${read(key)}.hasValue()`,
    `${read(key)}.orValue('').size() < 4`,
    `object.metadata.labels['${key}'] != '1'`,
    'object.?data.hasValue()',
    `1 / int(${read(key)}.orValue('0')) > 0`,
    ...(hasParams ? ['params != null', "params.metadata.labels.odd == '1'"] : []),
  ]);
}

function common(random: Random, hasParams: boolean): JsonObject {
  const conditions = random.list(1, 2, (index) => ({
    name: `c${index}`,
    expression: condition(random, hasParams),
  }));
  return {
    matchConstraints: {
      ...changing,
      ...random.some({
        objectSelector: [
          0.2,
          () => ({ matchExpressions: [{ key: random.pick(keys), operator: 'DoesNotExist' }] }),
        ],
      }),
    },
    ...(hasParams ? { paramKind: { apiVersion: 'v1', kind: 'Secret' } } : {}),
    variables: [
      { name: 'v', expression: text(random, hasParams).replaceAll('variables.v', "'v'") },
      { name: 'count', expression: "string(object.metadata.?labels.orValue({}).size()) + 'n'" },
    ].reverse(),
    ...random.some({
      failurePolicy: [0.6, () => random.pick(['Fail', 'Ignore'])],
      matchConditions: [0.5, () => conditions],
    }),
  };
}

function bindings(
  random: Random,
  { kind, policyName, hasParams }: { kind: string; policyName: string; hasParams: boolean },
  rest: () => JsonObject,
): JsonObject[] {
  const references = [
    { selector: {} },
    { selector: {} },
    { selector: { matchLabels: { odd: '1' } } },
    { selector: { matchLabels: { n: '7' } } },
    { name: 'p0' },
    { name: 'p9' },
    { selector: {}, namespace: 'other' },
  ];
  return random.list(1, 3, (index) =>
    registration(kind, `${policyName}-${random.pick(['b', 'a', '10', '9'])}${index}`, {
      policyName,
      ...(hasParams && random.chance(0.95)
        ? {
            paramRef: {
              ...random.pick<JsonObject>(references),
              parameterNotFoundAction: random.pick(['Deny', 'Allow']),
            },
          }
        : {}),
      ...rest(),
    }),
  );
}

function mutatingPolicy(random: Random, name: string): JsonObject[] {
  const hasParams = random.chance(0.4);
  const mutation = (): JsonObject =>
    random.chance(0.6)
      ? applyMutation(configuration(random, hasParams))
      : patchMutation(operations(random, hasParams));
  const kind = 'MutatingAdmissionPolicy';
  return [
    registration(kind, name, {
      ...common(random, hasParams),
      mutations: random.list(1, 3, mutation),
      reinvocationPolicy: random.pick(['Never', 'IfNeeded', 'IfNeeded']),
    }),
    ...bindings(random, { kind: `${kind}Binding`, policyName: name, hasParams }, () => ({})),
  ];
}

function validatingPolicy(random: Random, name: string): JsonObject[] {
  const hasParams = random.chance(0.3);
  const kind = 'ValidatingAdmissionPolicy';
  return [
    registration(kind, name, {
      ...common(random, hasParams),
      validations: random.list(1, 2, () => ({
        expression: random.pick([condition(random, hasParams), 'false']),
        messageExpression: random.pick(["'%s'.format([object])", text(random, hasParams)]),
      })),
      auditAnnotations: [{ key: 'seen', valueExpression: text(random, hasParams) }],
    }),
    ...bindings(random, { kind: `${kind}Binding`, policyName: name, hasParams }, () => ({
      validationActions: random.pick([['Deny'], ['Warn'], ['Warn', 'Audit'], ['Deny', 'Audit']]),
    })),
  ];
}
