import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { ParamRef } from '@kubeadmit/engine';
import { expect, test } from 'vitest';
import { collectParameters, compileParamRef, ParameterStore } from '../src/parameters.ts';

const kind = { apiVersion: 'v1', kind: 'ConfigMap' };

function limits(namespace: string, name: string, team: string): KubernetesObject {
  return { metadata: { namespace, name, labels: { team } } };
}

const objects = [limits('a', 'one', 'x'), limits('a', 'two', 'x'), limits('b', 'one', 'y')];
const namespaced = storeOf(true, objects);
const ofCluster = storeOf(false, objects.slice(1));

function storeOf(isNamespaced: boolean, held: readonly KubernetesObject[]): ParameterStore {
  const store = new ParameterStore(isNamespaced);
  for (const object of held) store.put(object);
  return store;
}

function found(reference: ParamRef, store: ParameterStore, namespace: string): unknown {
  const result = collectParameters(kind, compileParamRef(reference), store, namespace);
  if (result.outcome === 'error') return result.message;
  return result.parameters.map((parameter) => objects.indexOf(parameter ?? {}));
}

test.each<[ParamRef, ParameterStore, string, unknown]>([
  [{ name: 'one' }, namespaced, 'b', [2]],
  [{ name: 'one', namespace: 'a' }, namespaced, 'b', [0]],
  [{ name: 'one', parameterNotFoundAction: 'Allow' }, namespaced, 'c', []],
  [
    { name: 'one', parameterNotFoundAction: 'Deny' },
    namespaced,
    'c',
    'no params found for policy binding with `Deny` parameterNotFoundAction',
  ],
  [{ selector: {} }, namespaced, 'a', [0, 1]],
  [{ selector: { matchLabels: { team: 'y' } } }, ofCluster, 'a', [2]],
  [
    { name: 'one' },
    namespaced,
    '',
    'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
  ],
  [
    { name: 'one', namespace: 'a' },
    ofCluster,
    '',
    'paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
  ],
])('%j', (reference, store, namespace, expected) => {
  expect(found(reference, store, namespace)).toEqual(expected);
});

test('a policy without parameters is evaluated once', () => {
  const expected = { outcome: 'found', parameters: [null] };
  expect(collectParameters(undefined, undefined, undefined, 'a')).toEqual(expected);
});

test('objects that come and go one by one are found as all at once', () => {
  const changing = new ParameterStore(true);
  for (const object of [...objects].reverse()) changing.put(object);
  changing.put(limits('b', 'other', 'x'));
  changing.put(limits('a', 'one', 'before'));
  for (const object of objects) changing.put(object);
  changing.remove(limits('b', 'other', ''));
  changing.remove(limits('c', 'none', ''));
  expect(changing.objects).toEqual(objects);
  expect(found({ selector: {} }, changing, 'a')).toEqual([0, 1]);
  for (const object of objects) changing.remove(object);
  expect(changing.objects).toEqual([]);
  expect(found({ name: 'one', parameterNotFoundAction: 'Allow' }, changing, 'a')).toEqual([]);
});
