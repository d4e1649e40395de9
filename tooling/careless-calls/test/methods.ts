import { RbacAuthorizer } from '@kubeadmit/admission';
import { Environment, libraryFrom, parse } from '@kubeadmit/cel';
import { Checker } from '@kubeadmit/check';
import { LoadedConstraint } from '@kubeadmit/gatekeeper';
import { TestCluster } from '@kubeadmit/testing';
import * as of from './fixtures.ts';
import { anything, maybe, options, type RightCall, required } from './right-call.ts';

const nothing = (): void => undefined;
const testCluster = await TestCluster.load({
  resources: [of.validatingPolicy, of.validatingBinding],
});
const constraint = LoadedConstraint.load(of.constraint, of.readRule as never, of.schemas);

/**
 * Functions that create the instances of public classes, by name; instances that calls change are created for each
 * call.
 */
export const instances: Readonly<Record<string, () => object>> = {
  RbacAuthorizer: () => new RbacAuthorizer([]),
  Program: () => of.program,
  Evaluator: () => ({ call: parse('a + 1') }),
  Environment: () => new Environment({ variables: { a: 'int' } }),
  LoadedConstraint: () => constraint,
  TestCluster: () => testCluster,
  Checker: () => new Checker(of.loadedCheck),
};

/** For methods of instances a call that is right. */
export const methodCalls: Readonly<Record<string, RightCall>> = {
  'RbacAuthorizer.authorize': [
    { user: of.user, verb: 'get', resource: 'pods', group: '', version: 'v1', namespace: '' },
  ],
  'Program.evaluate': [maybe({ a: 1 }), maybe({ costLimit: 10 }), maybe(nothing)],
  'Evaluator.call': [maybe({ a: 1 }), options({ ints: 'number', costLimit: 100 })],
  'Environment.evaluate': ['a', maybe({ a: 1 }), options({ ints: 'number' })],
  'Environment.evaluator': ['1'],
  'Environment.parse': ['1'],
  'Environment.compile': ['1'],
  'Environment.check': [of.parsed.source, of.parsed.expression],
  'Environment.resolve': [of.parsed.source, of.parsed.expression],
  'Environment.plan': [of.checked, options({ observe: false, countsCosts: true })],
  'Environment.extend': [
    required({ variables: { b: 'int' }, libraries: [libraryFrom('mine', {})] }),
  ],
  'Environment.registerVariable': ['b', 'int'],
  'Environment.registerConstant': ['b', anything(1), maybe('int')],
  'Environment.registerFunction': ['greet(string) -> string', nothing],
  'Environment.registerOperator': ['string * int -> string', nothing],
  'Environment.registerType': ['User', { fields: { name: 'string' } }],
  'LoadedConstraint.violations': [{ request: of.request, namespaces: new Map() }],
  'TestCluster.judge': [
    required({ object: of.pod, operation: 'CREATE', dryRun: false }),
    anything('allowed'),
  ],
  'Checker.check': [of.prepareOne.requests[0]],
};
