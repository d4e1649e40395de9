import type { Random } from '@kubeadmit/random';
import type { JsonObject } from './json-object.ts';
import { applyMutation, changing, everything, mutatingPolicy, validatingPolicy } from './parts.ts';
import { oddSelector } from './selectors.ts';
import { beside, dense, kept, pathIn, requestOf } from './surroundings.ts';

/** Returns a case with parameters of any kind and random fields, which policies report and compare. */
export function parametersCase(random: Random): JsonObject {
  const resource = random.pick(kept);
  const asked = random.chance(0.5) ? resource : random.pick(kept);
  const request = requestOf(random, asked);
  const { group, version, kind, namespaced } = resource;
  const parameters = ['one', 'two', 'three'].slice(0, random.pick([1, 1, 2, 3])).map((name) => {
    const object = dense(random, { group, version, kind }, name);
    const labels = random.pick<JsonObject>([{}, { app: 'web' }, { app: 'api', env: 'prod' }]);
    // A cluster stores no object of the cluster's scope that names one.
    const { namespace: _, ...metadata } = object['metadata'] as JsonObject;
    return {
      ...object,
      metadata: {
        ...metadata,
        labels,
        ...(namespaced ? { namespace: random.pick(['default', 'default', 'prod']) } : {}),
      },
    };
  });
  const [first] = parameters;
  const object = (request['object'] ?? request['oldObject']) as JsonObject;
  const root = 'object' in request ? 'object' : 'oldObject';
  const left = (): string => pathIn(random, root, object);
  const right = (): string => pathIn(random, 'params', first as JsonObject);
  // Mostly the same part of both, which has the same type.
  const pair = (): string => {
    const text = right();
    const same = text.replace(/^params/, root);
    return beside(random, random.chance(0.6) ? same : left(), text);
  };
  const paramKind = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
  const paramRef = {
    ...random.pick<() => JsonObject>([
      () => ({ name: random.pick(['one', 'one', 'two', 'none']) }),
      () => ({ selector: {} }),
      () => ({ selector: oddSelector(random) }),
    ])(),
    ...random.some({ namespace: [0.15, () => random.pick(['default', 'prod', 'other'])] }),
    parameterNotFoundAction: random.pick(['Deny', 'Allow']),
  };
  const common = {
    paramKind,
    matchConstraints: everything,
    variables: [
      { name: 'v', expression: right() },
      { name: 'w', expression: `dyn(variables.v) == dyn(${left()})` },
    ],
    ...random.some({
      matchConditions: [0.3, () => [{ name: 'c', expression: `${pair()} || true` }]],
      failurePolicy: [0.3, () => 'Ignore'],
    }),
  };
  if (random.chance(0.25) && request['operation'] !== 'DELETE') {
    const told = `Object{metadata: Object.metadata{annotations: {'a': '%s'.format([${random.pick([right(), 'variables.v', 'variables.w', 'params'])}])}}}`;
    const spec = {
      ...common,
      matchConstraints: changing,
      mutations: [applyMutation(told)],
      reinvocationPolicy: 'Never',
    };
    return { resources: [...parameters, ...mutatingPolicy('m', spec, { paramRef })], request };
  }
  return {
    resources: [
      ...parameters,
      ...validatingPolicy(
        'p',
        {
          ...common,
          validations: [
            ...random.list(1, 3, () => ({ expression: pair() })),
            { expression: 'variables.w', messageExpression: `'%s'.format([${right()}])` },
            { expression: 'false', messageExpression: `'%s %s'.format([${right()}, ${left()}])` },
          ],
          auditAnnotations: [{ key: 'k', valueExpression: `'%s'.format([variables.v])` }],
        },
        { paramRef, validationActions: ['Deny', 'Audit'] },
      ),
    ],
    request,
  };
}
