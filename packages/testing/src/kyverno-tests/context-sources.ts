import { type JsonObject, member, memberText } from '@kubeadmit/apimachinery';
import { jsonOf } from '@kubeadmit/chain/kyverno';
import { clusterAnswer, findConfigMap } from '@kubeadmit/chain/kyverno-resources';
import type { ContextSources } from '@kubeadmit/kyverno';
import { Failure, search } from '@kubeadmit/kyverno/jmespath';
import type { SourceAnswer } from '@kubeadmit/kyverno/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import type { GlobalContextEntry } from './mocks.ts';
import type { TestFile } from './test-file.ts';
import type { TestReader } from './test-reader.ts';

/**
 * Creates the sources of context entries in a test: mocked answers of APIs and of global entries, and with
 * `clusterResources` the objects of the test. Other entries are not loaded, as in the Kyverno CLI.
 */
export async function contextSources(
  test: TestFile,
  objects: readonly JsonObject[],
  reader: TestReader,
  schemas: Schemas,
): Promise<ContextSources> {
  const hasCluster = test.clusterResources.length > 0;
  const globals = await globalAnswers(test.globalContextEntries, reader);
  return {
    ...(hasCluster && { configMap: findConfigMap(objects) }),
    ...((hasCluster || test.apiCallResponses.length > 0) && {
      apiCall: (call: JsonObject, policyNamespace: string) =>
        mockedAnswer(test, call) ??
        (hasCluster ? clusterAnswer(objects, call, schemas, policyNamespace) : 'unavailable'),
    }),
    ...(globals.size > 0 && { globalReference: (name: string) => globalAnswer(globals, name) }),
  };
}

/** The answer that a test gives in the place of an API or a service. */
export function mockedAnswer(
  { apiCallResponses }: Pick<TestFile, 'apiCallResponses'>,
  call: JsonObject,
): SourceAnswer | undefined {
  const url = memberText(member(call, 'service'), 'url') || memberText(call, 'urlPath');
  const method = memberText(call, 'method') || 'GET';
  const found =
    apiCallResponses.find((response) => response.url === url && response.method === method) ??
    apiCallResponses.find((response) => response.url === url && response.method === '');
  if (found === undefined) return undefined;
  if (found.statusCode >= 200 && found.statusCode < 300) {
    return { data: jsonOf({ body: found.body })['body'] };
  }
  return { error: `HTTP ${found.statusCode} from apiCall mock` };
}

/** Returns the data of a test for global context entries, by name. */
export async function globalAnswers(
  entries: readonly GlobalContextEntry[],
  reader: TestReader,
): Promise<ReadonlyMap<string, SourceAnswer>> {
  const answers = new Map<string, SourceAnswer>();
  for (const entry of entries) answers.set(entry.name, await globalData(entry, reader));
  return answers;
}

async function globalData(entry: GlobalContextEntry, reader: TestReader): Promise<SourceAnswer> {
  const { data, resources, resourceFiles, fieldPath, projections } = entry;
  const files = await reader.documents(resourceFiles);
  const given = data ?? resources ?? files.map(({ value }) => value);
  let root: unknown = jsonOf({ given })['given'];
  const found = (path: string): unknown => search(path, root, {});
  if (fieldPath !== '') root = found(fieldPath);
  if (root instanceof Failure) return { error: root.message };
  if (projections.length === 0) return { data: root };
  const projected = projections.map(({ name, path }) => [name, found(path)] as const);
  const failed = projected.find(([, value]) => value instanceof Failure);
  if (failed !== undefined) return { error: (failed[1] as Failure).message };
  return { data: Object.fromEntries(projected) };
}

/** The data that a test gives for `NAME` or `NAME.PROJECTION`. */
export function globalAnswer(
  answers: ReadonlyMap<string, SourceAnswer>,
  name: string,
): SourceAnswer {
  const [entry = '', projection = ''] = name.split('.');
  const answer = answers.get(entry);
  if (answer === undefined) return { error: `failed to fetch entry key=${entry}` };
  return projectedAnswer(answer, projection);
}

/** A projection of the data of a global context entry, or all of it. */
export function projectedAnswer(answer: SourceAnswer, projection: string): SourceAnswer {
  if (projection === '' || 'error' in answer) return answer;
  const value = member(answer.data, projection);
  return value === undefined
    ? { error: `global context mock: projection "${projection}" not found` }
    : { data: value };
}
