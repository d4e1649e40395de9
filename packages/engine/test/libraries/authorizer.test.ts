import { CelError, Environment } from '@kubeadmit/cel';
import { expect, test } from 'vitest';
import type { Authorizer, AuthorizerAttributes } from '../../src/authorizer/authorizer.ts';
import {
  AuthorizerValue,
  authorizerLibrary,
  authorizerSelectorsLibrary,
  authorizerType,
} from '../../src/libraries/authorizer.ts';
import { kubernetesCallCost } from '../../src/libraries/costs.ts';

const asked: AuthorizerAttributes[] = [];

const authorizer: Authorizer = {
  authorize(attributes) {
    asked.push(attributes);
    return attributes.verb === 'get'
      ? { decision: 'allow', reason: 'because' }
      : { decision: 'no-opinion', reason: '', error: 'no rule' };
  },
};

const environment = new Environment({
  libraries: [authorizerLibrary, authorizerSelectorsLibrary],
  variables: { authorizer: authorizerType },
  callCost: kubernetesCallCost,
});

function evaluate(expression: string) {
  const { checked, issues } = environment.compile(expression);
  const program =
    checked === undefined ? new CelError(issues[0]?.message ?? '') : environment.plan(checked);
  if (program instanceof CelError) return { value: program.message, cost: 0 };
  const value = new AuthorizerValue({ username: 'alice', groups: ['dev'] }, authorizer);
  const { value: result, cost } = program.evaluate({ authorizer: value });
  return { value: result instanceof CelError ? result.message : result, cost };
}

test.each([
  ["authorizer.path('/healthz').check('get').allowed()", true, 350_003],
  ["authorizer.path('/healthz').check('put').allowed()", false, 350_003],
  ["authorizer.path('/healthz').check('get').reason()", 'because', 350_003],
  ["authorizer.path('/healthz').check('put').errored()", true, 350_003],
  ["authorizer.path('/healthz').check('put').error()", 'no rule', 350_003],
  ["authorizer.path('/healthz').check('get').error()", '', 350_003],
  ["authorizer.path(' ')", 'path must not be empty', 2],
  ["authorizer.group('').resource('\\t')", 'resource must not be empty', 3],
  ["authorizer.serviceAccount('A', 'b')", 'Invalid service account namespace', 2],
  ["authorizer.serviceAccount('A', 'B')", 'Invalid service account name', 2],
  ['authorizer == authorizer', 'no such overload', 3],
])('%s', (expression, value, cost) => {
  expect(evaluate(expression)).toEqual({ value, cost });
});

test('a check on a group does not compile', () => {
  expect(evaluate("authorizer.group('x').check('get')").value).toBe(
    "found no matching overload for 'check' applied to 'kubernetes.authorization.GroupCheck.(string)'",
  );
});

test('passes all attributes to the authorizer', () => {
  asked.length = 0;
  evaluate(
    "authorizer.serviceAccount('ns', 'sa').group('apps').resource('pods').subresource('status').namespace('n').name('x').fieldSelector('a=b').labelSelector('(').check('get')",
  );
  expect(asked).toEqual([
    {
      kind: 'resource',
      user: {
        username: 'system:serviceaccount:ns:sa',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:ns'],
      },
      verb: 'get',
      group: 'apps',
      resource: 'pods',
      subresource: 'status',
      namespace: 'n',
      name: 'x',
      fieldSelector: [{ field: 'a', operator: '=', value: 'b' }],
      labelSelector: { error: "found '(', expected: !, identifier, or 'end of string'" },
    },
  ]);
});

test('a selector costs by its length', () => {
  const selector = 'spec.nodeName=example-node-name.fully.qualified.domain.name.example.com';
  expect(evaluate(`authorizer.group('').resource('pods').fieldSelector('${selector}')`).cost).toBe(
    1821,
  );
});
