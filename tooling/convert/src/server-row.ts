import { dirname, join } from 'node:path';
import { isObject, type JsonObject, type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { loadChain, passRequest } from '@kubeadmit/chain';
import { decode, listResources, type Schemas } from '@kubeadmit/schemas';
import type { ExpectedResult, TestFile } from '@kubeadmit/testing/other-tools';
import { objectsOf, sortedText } from './collection.ts';

/** A row on one resource, and the policies that the rule became. */
export interface AskedRow {
  readonly test: TestFile;
  readonly row: ExpectedResult;
  /** `APIVERSION/KIND/NAMESPACE/NAME`. */
  readonly resource: string;
  readonly objects: readonly JsonObject[];
  readonly schemas: Schemas;
}

/**
 * Asks about a row as a server would: with defaults, the namespace, the user and the operation that the test gives,
 * and the ConfigMaps that it stands for.
 */
export async function askAsServer(
  asked: AskedRow,
): Promise<{ readonly isHeldByServer: boolean; readonly actual?: string }> {
  const { test, row, resource, objects, schemas } = asked;
  const folder = dirname(test.file);
  const read = (paths: readonly string[]): readonly JsonObject[] =>
    paths.flatMap((path) => objectsOf(join(folder, path)));
  const object = read(test.resources).find((each) => titleOf(each) === resource);
  if (object === undefined) return { isHeldByServer: false };
  const values = valuesOf(test, read);
  const found = listResources(schemas).find(
    (each) =>
      [each.group, each.version].filter((part) => part !== '').join('/') === object['apiVersion'] &&
      each.kind === object['kind'],
  );
  const name = String(member(object['metadata'], 'name') ?? '');
  const variables = variablesOf(values, row, name);
  const operation = row.operation || String(variables.get('request.operation') ?? 'CREATE');
  const [version = '', group = ''] = String(object['apiVersion']).split('/').reverse();
  const namespaced = found?.namespaced ?? true;
  const namespace = namespaced ? String(member(object['metadata'], 'namespace') ?? 'default') : '';
  const [user] = read(test.userInfo === '' ? [] : [test.userInfo]);
  const userInfo = userOf(user, variables);
  const chain = await loadChain({
    resources: [
      ...objects,
      ...parametersOf(objects, variables),
      ...namespacesOf(values),
    ] as unknown as KubernetesObject[],
    schemas,
    clock: Date.now,
  });
  const placed = namespaced
    ? { ...object, metadata: { ...(object['metadata'] as JsonObject), namespace } }
    : object;
  const old = { ...placed, ...nested(variables, 'request.oldObject.') };
  const passage = passRequest(chain, {
    uid: 'row',
    operation,
    kind: { group, version, kind: String(object['kind']) },
    resource: {
      group,
      version,
      resource: found?.resource ?? `${String(object['kind']).toLowerCase()}s`,
    },
    name,
    namespace,
    userInfo,
    ...(operation === 'DELETE' ? {} : { object: placed }),
    ...(operation === 'CREATE' ? {} : { oldObject: old }),
  } as never);
  if (passage.failure !== undefined) return { isHeldByServer: false, actual: passage.failure };
  const isFailed = passage.findings.some(({ verdict }) =>
    ['deny', 'audit', 'warn', 'error'].includes(verdict),
  );
  const actual = isFailed
    ? `fail: ${passage.findings.map(({ message = '' }) => message).join('; ')}`
    : 'pass';
  if (row.patchedResources === '') {
    return { isHeldByServer: isFailed === (row.result === 'fail'), actual };
  }
  const expected = read([row.patchedResources]).find((each) => titleOf(each) === resource);
  const wanted = row.result === 'skip' ? object : expected;
  const stored = (each: JsonObject): string => {
    const own = namespaced
      ? { ...each, metadata: { ...(each['metadata'] as JsonObject), namespace } }
      : each;
    return sortedText(decode(schemas, own).object ?? own);
  };
  const { object: patched } = passage;
  const isSame = wanted !== undefined && isObject(patched) && stored(patched) === stored(wanted);
  // A test may say that the object does not become the one of its file.
  return {
    isHeldByServer: isSame === (row.result !== 'fail'),
    actual: isSame ? 'pass' : 'different object',
  };
}

function titleOf({ apiVersion, kind, metadata }: JsonObject): string {
  const { name = '', namespace } = isObject(metadata) ? metadata : {};
  const own = namespace ?? (clusterWide.test(String(kind)) ? '' : 'default');
  return [apiVersion, kind, own, name].map(String).join('/');
}

const clusterWide = /^(?:Cluster|Namespace$|Node$|PersistentVolume$|FlowSchema$|\w+Class$)/;

function valuesOf(
  test: TestFile,
  read: (paths: readonly string[]) => readonly JsonObject[],
): JsonObject {
  const [values] = read(test.variables === '' ? [] : [test.variables]);
  return values ?? ((test.values ?? {}) as unknown as JsonObject);
}

// The dotted names of everything that the test says beside its objects.
function variablesOf(
  values: JsonObject,
  row: ExpectedResult,
  name: string,
): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const add = (given: unknown): void => {
    if (given instanceof Map) for (const [key, value] of given) found.set(String(key), value);
    else if (isObject(given))
      for (const [key, value] of Object.entries(given)) found.set(key, value);
  };
  add(values['globalValues']);
  const policy = row.policy.split('/').at(-1);
  const list = (given: unknown): readonly JsonObject[] =>
    Array.isArray(given) ? given.filter(isObject) : [];
  for (const own of list(values['policies']).filter((each) => each['name'] === policy)) {
    for (const rule of list(own['rules']).filter((each) => each['name'] === row.rule))
      add(rule['values']);
    for (const one of list(own['resources']).filter((each) => each['name'] === name))
      add(one['values']);
  }
  return found;
}

function userOf(user: JsonObject | undefined, variables: ReadonlyMap<string, unknown>): JsonObject {
  const given = user === undefined ? {} : member(user, 'userInfo');
  const account = variables.get('serviceAccountName');
  const space = variables.get('serviceAccountNamespace');
  const username =
    variables.get('request.userInfo.username') ??
    (account === undefined
      ? undefined
      : `system:serviceaccount:${String(space)}:${String(account)}`);
  return {
    username: 'alice',
    groups: ['system:authenticated'],
    ...(isObject(given) ? given : {}),
    ...(username === undefined ? {} : { username: String(username) }),
  };
}

// `request.oldObject.a.b: c`
function nested(variables: ReadonlyMap<string, unknown>, prefix: string): JsonObject {
  const root: Record<string, unknown> = {};
  for (const [key, value] of variables) {
    if (!key.startsWith(prefix)) continue;
    const steps = key.slice(prefix.length).split('.');
    let holder = root;
    for (const step of steps.slice(0, -1)) {
      const inner = holder[step] ?? {};
      holder[step] = inner;
      holder = inner as Record<string, unknown>;
    }
    holder[steps.at(-1) ?? ''] = value;
  }
  return root as JsonObject;
}

// A test gives the content of a ConfigMap as `NAME.data.KEY`.
function parametersOf(
  objects: readonly JsonObject[],
  variables: ReadonlyMap<string, unknown>,
): readonly JsonObject[] {
  return objects.flatMap(({ spec }) => {
    const reference = member(spec, 'paramRef');
    if (!isObject(reference)) return [];
    const data = Object.fromEntries(
      [...variables].flatMap(([key, value]) => {
        const [, name] = /\.data\.(.+)$/.exec(key) ?? [];
        return name === undefined
          ? []
          : [[name.replaceAll('"', ''), typeof value === 'string' ? value : JSON.stringify(value)]];
      }),
    );
    const { name, namespace } = reference;
    return [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data } as JsonObject,
    ];
  });
}

function namespacesOf(values: JsonObject): readonly JsonObject[] {
  const given = values['namespaceSelector'];
  return (Array.isArray(given) ? given.filter(isObject) : []).map(({ name, labels }) => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name,
      labels: { 'kubernetes.io/metadata.name': name, ...(isObject(labels) ? labels : {}) },
    },
  }));
}
