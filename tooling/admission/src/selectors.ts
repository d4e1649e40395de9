import type { Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import { configMaps, everything, requestFor, validatingPolicy } from './parts.ts';
import { celLiteral } from './places.ts';

const keys = [
  ...['app', 'app', 'env', 'env', 'x/y', 'kubernetes.io/metadata.name', 'A.b_C', 'nope'],
  ...['', 'a b', '-a', 'x/', '/x', 'a/b/c', 'é', 'x'.repeat(64), `${'x'.repeat(254)}/a`],
];
const values = ['web', 'prod', 'api', '', 'a.b_c', 'WEB', ' web', 'a b', '-x', 'x'.repeat(64), '1'];
const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];

// Most are valid, so that a refusal does not hide everything else.
function key(random: Random): string {
  return random.chance(0.97) ? random.pick(keys.slice(0, 8)) : random.pick(keys);
}

function value(random: Random): string {
  return random.chance(0.97) ? random.pick(values.slice(0, 6)) : random.pick(values);
}

/** A label selector with every operator; a few are invalid. */
export function oddSelector(random: Random): JsonObject {
  const expression = (): JsonObject => {
    const operator = random.chance(0.98)
      ? random.pick(operators)
      : random.pick(['in', 'Gt', 'Lt', '', 'NotExists']);
    const hasValues = operator.endsWith('In') !== random.chance(0.02);
    return {
      key: key(random),
      operator,
      ...(hasValues ? { values: random.list(1, 3, () => value(random)) } : {}),
      ...random.some({ values: [0.01, () => random.pick([[], null])] }),
    };
  };
  return random.some({
    matchLabels: [
      0.4,
      () => Object.fromEntries(random.list(0, 2, () => [key(random), value(random)])),
    ],
    matchExpressions: [0.8, () => random.list(0, 3, expression)],
  });
}

function labels(random: Random): JsonObject {
  return Object.fromEntries(
    random.list(0, 4, () => [random.pick(keys.slice(0, 8)), random.pick(values.slice(0, 6))]),
  );
}

const operatorsOfText = ['=', '==', '!=', ' in ', ' notin ', '>', '<', ' IN ', '=~', ''];

/** A field or label selector as a text, within and outside of its grammar. */
function selectorText(random: Random): string {
  const one = (): string => {
    const name = random.pick([
      ...['a', 'app', 'metadata.name', 'spec.nodeName', 'x/y', '!a', '! a', '', ' a ', 'a.b/c'],
      ...['in', 'notin', 'é', '(', 'a,b', '\\,', '-'],
    ]);
    const operator = random.pick(operatorsOfText);
    const right = random.pick([
      ...['b', '', 'a b', '(a)', '(a,b)', '(a, ,b)', '()', '( a ', '1', '-1', '2.5', '\\,', '\\='],
      ...['a\\\\b', 'b=c', '"q"', "it's", 'é', 'x'.repeat(64), '(b,a,b)', '(,)'],
    ]);
    return random.chance(0.15) ? name : `${name}${operator}${right}`;
  };
  return random.list(0, 3, one).join(random.pick([',', ',', ', ', ' ,', ',,', ';']));
}

const scopes = ['', ".namespace('default')", ".name('web')"];
const verbs = ['list', 'get', 'watch', 'deletecollection'];

function authorizerCheck(random: Random): string {
  const parts = random.list(1, 3, () => {
    const name = random.pick(['fieldSelector', 'labelSelector']);
    return `.${name}(${celLiteral(selectorText(random))})`;
  });
  const resource = `authorizer.group('').resource('pods')${random.pick(scopes)}`;
  const asked = `${resource}${parts.join('')}.check('${random.pick(verbs)}')`;
  return `string(${asked}.allowed()) + '|' + ${asked}.reason() + '|' + ${asked}.error()`;
}

function oddSelectors(random: Random): JsonObject {
  return random.some({
    objectSelector: [0.6, () => oddSelector(random)],
    namespaceSelector: [0.6, () => oddSelector(random)],
  });
}

function labeled(random: Random, kind: string, name: string): JsonObject {
  const metadata = { name, ...random.some({ labels: [0.9, () => labels(random)] }) };
  return { apiVersion: 'v1', kind, metadata };
}

const rbac = 'rbac.authorization.k8s.io';
const permissions: readonly JsonObject[] = [
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRole',
    metadata: { name: 'r' },
    rules: [{ apiGroups: ['*'], resources: ['pods'], verbs: ['list', 'watch'] }],
  },
  {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name: 'r' },
    subjects: [{ kind: 'User', name: 'alice', apiGroup: rbac }],
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'r' },
  },
];

/** Checks of the authorizer with selectors. */
export function selectorsCase(random: Random): JsonObject {
  const matchConstraints = { ...everything, ...oddSelectors(random) };
  const operation = random.pick(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']);
  const namespace = labeled(random, 'Namespace', 'default');
  const spec = {
    matchConstraints,
    validations: [
      { expression: 'false', messageExpression: authorizerCheck(random) },
      { expression: `${authorizerCheck(random)} == ''` },
    ],
    auditAnnotations: [{ key: 'k', valueExpression: authorizerCheck(random) }],
  };
  const binding = {
    validationActions: ['Deny'],
    ...random.some({ matchResources: [0.3, () => oddSelectors(random)] }),
  };
  const username = random.pick(['alice', 'bob']);
  const object = (): JsonObject => labeled(random, 'ConfigMap', 'web');
  return {
    resources: [namespace, ...permissions, ...validatingPolicy('p', spec, binding)],
    request: requestFor(configMaps, {
      operation,
      userInfo: { username },
      ...(operation === 'DELETE' || operation === 'CONNECT' ? {} : { object: object() }),
      ...(operation === 'CREATE' || operation === 'CONNECT' ? {} : { oldObject: object() }),
    }),
  };
}
