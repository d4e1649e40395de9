import type { Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import { configMaps, coreRule, objectsOf, registration, requestFor } from './parts.ts';

const PARAMETERS = 4;

/** Policies whose texts, annotations, actions and parameters meet, with a request that breaks many of them. */
export function outcomeCase(random: Random): JsonObject {
  const many = random.chance(0.08);
  const policies = random.list(1, 3, (index) => outcomePolicy(random, `p${index}`, many)).flat();
  const isCluster = random.chance(0.15);
  const operation = random.pick(['CREATE', 'CREATE', 'UPDATE', 'DELETE']);
  const kind = isCluster ? 'Namespace' : 'ConfigMap';
  const object = {
    apiVersion: 'v1',
    kind,
    metadata: { name: 'web', labels: { app: 'web' } },
    ...(isCluster ? {} : { data: { a: '1' } }),
  };
  return {
    resources: [...random.list(0, PARAMETERS, parameter), ...policies],
    request: requestFor(isCluster ? { group: '', kind, resource: 'namespaces' } : configMaps, {
      operation,
      ...(isCluster ? { namespace: 'web' } : {}),
      ...objectsOf(operation, () => object),
    }),
  };
}

function parameter(index: number): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `m${index}`, namespace: 'default', labels: { n: `${index}` } },
    data: { n: `${index}`, text: index % 2 === 0 ? 'even' : ' odd\n' },
  };
}

const lengths = [5119, 5120, 5121, 10239, 10240, 10241];

/** A string expression with an unusual length, white space, type or dependency. */
function oddText(random: Random, hasParams: boolean): string {
  const [letter, size] = random.pick<readonly [string, number]>([
    ['x', 1],
    ['é', 2],
    ['日', 3],
    ['🙂', 4],
  ]);
  const long = (): string => {
    const bytes = random.pick(lengths);
    const before = 'a'.repeat(bytes % size);
    const count = Math.floor(bytes / size);
    const unit = letter.repeat(10);
    const rest = letter.repeat(count % 10);
    const tens = Math.floor(count / 10);
    return `'${before}' + lists.range(${tens}).map(i, '${unit}').join('') + '${rest}'`;
  };
  return random.pick<() => string>([
    long,
    () => random.pick(["''", "' '", "'\\n'", "'\\r\\n'", "'\\u00a0'", "'\\u2003 '", "'\\u200b'"]),
    () => random.pick(["'a\\nb'", "'\\na\\n'", "'a\\rb'", "'a\\r\\n'", "'\\ta\\t'", "'\\u0085a'"]),
    () => random.pick(["'a\\u2028b'", "'\\u0000'", "'\\u007f'", "'\\ufeffa'", "'\\u202ea'"]),
    () => random.pick(["'<&>'", '\'"q" \\\\\'', "'%s %d'", "'é日🙂'", "', '", "'a, b'"]),
    () => "request.operation == 'CREATE' ? 'new' : 'old'",
    () => "object.metadata.labels.app + '!'",
    () => "string(object.nope) + 'x'",
    () => 'string(1 / 0)',
    () => 'string(variables.text)',
    () => "string(dyn(variables.bad)) + 'x'",
    () => (hasParams ? "'p=' + string(params.data.n)" : "'p'"),
    () => (hasParams ? 'string(params.data.text)' : "'text'"),
    () => (hasParams ? "'%s'.format([params])" : "'none'"),
    () => 'string(namespaceObject.metadata.name)',
    () => 'string(dyn(object) == null)',
    () => "'%s'.format([object])",
    () => "'%s'.format([dyn(request.userInfo)])",
    () => "'%s|%s'.format([dyn(request.kind), dyn(request.resource)])",
    () => "'' + string([dyn(1), dyn('a')][0])",
    () => "string(dyn(1) + dyn('a'))",
    () => 'string(dyn(oldObject == null ? null : 1))',
  ])();
}

function annotationText(random: Random, hasParams: boolean): string {
  if (random.chance(0.7)) return oddText(random, hasParams);
  return random.pick([
    'null',
    "true ? 'a' : 'b'",
    "has(object.nope) ? 'a' : ''",
    "authorizer.path('/x').check('get').reason()",
    "string(authorizer.path('/x').check('get').allowed())",
    "object == null ? '' : 'there'",
  ]);
}

function verdict(random: Random, hasParams: boolean): string {
  return random.pick([
    'false',
    'false',
    'true',
    'object.nope == 1',
    '1/0 == 1',
    "object.data.a == '2'",
    'dyn(variables.bad) == 1',
    "variables.text == dyn('')",
    'object.\nnope == 1',
    '  false ',
    "request.operation == 'DELETE'",
    'namespaceObject != null',
    "authorizer.group('').resource('pods').check('get').allowed()",
    ...(hasParams ? ["params.data.n == '1'", 'params == null', 'int(params.data.n) > 1'] : []),
  ]);
}

const actions: readonly (readonly string[])[] = [
  ['Deny'],
  ['Warn'],
  ['Audit'],
  ['Warn', 'Audit'],
  ['Audit', 'Deny'],
];
const references: readonly JsonObject[] = [
  { selector: {} },
  { selector: {} },
  { selector: { matchLabels: { n: '1' } } },
  { selector: { matchExpressions: [{ key: 'n', operator: 'In', values: ['0', '2', '3'] }] } },
  { selector: { matchLabels: { n: 'none' } } },
  { name: 'm1' },
  { name: 'none' },
  { name: 'm0', namespace: 'default' },
  { selector: {}, namespace: 'other' },
];

function outcomePolicy(random: Random, name: string, many: boolean): JsonObject[] {
  const hasParams = random.chance(0.6);
  const [least, most] = many ? [20, 30] : [0, 4];
  const validations = random.list(least, most, () => ({
    expression: many && random.chance(0.8) ? 'false' : verdict(random, hasParams),
    ...random.some({
      message: [0.4, () => random.pick(['m', ' m ', '\nm\n', 'a"b', 'é', 'x'.repeat(3000)])],
      messageExpression: [0.6, () => oddText(random, hasParams)],
      reason: [0.3, () => random.pick(['Forbidden', 'Invalid', 'RequestEntityTooLarge'])],
    }),
  }));
  const auditAnnotations = random.list(validations.length === 0 ? 1 : 0, 3, (index) => ({
    key: `k${index}`,
    valueExpression: annotationText(random, hasParams),
  }));
  const conditions = random.list(0, 3, (index) => ({
    name: `c${index}`,
    expression: random.pick([
      ...['true', 'true', 'true', 'true', 'false', 'object.nope == 1', '1/0 == 1', 'object.a == 1'],
      ...(hasParams ? ["params.data.n != '2'", "params.data.nope == ''"] : []),
    ]),
  }));
  const spec = {
    matchConstraints: coreRule(['configmaps', 'namespaces'], ['*']),
    variables: [
      { name: 'text', expression: oddText(random, hasParams).replaceAll('variables.', 'object.') },
      {
        name: 'bad',
        expression: random.pick([
          '1/0',
          'object.nope',
          'dyn(variables.text) + 1',
          'request.options.x',
        ]),
      },
      { name: 'text', expression: random.pick(["'t'", 'object.data.a']) },
      { name: 'late', expression: "'late'" },
    ].slice(0, random.pick([2, 2, 4])),
    ...(random.chance(0.7) ? { matchConditions: conditions } : {}),
    ...(hasParams ? { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } } : {}),
    ...(random.chance(0.5) ? { failurePolicy: random.pick(['Fail', 'Ignore']) } : {}),
    validations,
    auditAnnotations,
  };
  return [
    registration('ValidatingAdmissionPolicy', name, spec),
    ...random.list(1, 3, (index) =>
      registration('ValidatingAdmissionPolicyBinding', `${name}-${index}`, {
        policyName: name,
        validationActions: random.pick(actions),
        ...random.some({
          paramRef: [
            0.8,
            () => ({
              ...random.pick(references),
              parameterNotFoundAction: random.pick(['Deny', 'Allow']),
            }),
          ],
        }),
      }),
    ),
  ];
}
