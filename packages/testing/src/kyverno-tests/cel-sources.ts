import { type JsonObject, member, memberObjects } from '@kubeadmit/apimachinery';
import { jsonOf } from '@kubeadmit/chain/kyverno';
import { objectSources } from '@kubeadmit/chain/kyverno-resources';
import type { CelSources } from '@kubeadmit/kyverno';
import type { SourceAnswer } from '@kubeadmit/kyverno/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import { globalAnswers, projectedAnswer } from './context-sources.ts';
import { readShape } from './given-files.ts';
import type { TestFile } from './test-file.ts';
import type { TestReader } from './test-reader.ts';

/**
 * Creates the data sources of CEL policies in a test: the objects and images of its context file (with
 * `clusterResources` all objects of the test), mocked answers of services and of global entries.
 */
export async function celSources(
  test: TestFile,
  held: readonly JsonObject[],
  reader: TestReader,
  schemas: Schemas,
): Promise<CelSources> {
  const context = await readContext(test, reader);
  const objects =
    test.clusterResources.length > 0
      ? held
      : [...context.resources, ...(test.targetResources.length > 0 ? held : [])];
  const globals = await globalAnswers(test.globalContextEntries, reader);
  return {
    ...objectSources(objects, schemas),
    imageData: (image): SourceAnswer => {
      const data = context.images.get(image);
      if (data === undefined) return { error: `image data for ${image} not found in the context` };
      return { data };
    },
    globalContext: (name, projection) => {
      const answer = globals.get(name);
      return answer === undefined ? { data: null } : projectedAnswer(answer, projection);
    },
    http: (method, url) => httpAnswer(test, method, url),
  };
}

/** The answer that a test gives in the place of a service. */
export function httpAnswer(
  { apiCallResponses }: Pick<TestFile, 'apiCallResponses'>,
  method: string,
  url: string,
): SourceAnswer {
  const answers = apiCallResponses.filter((response) => response.url === url);
  const found =
    answers.find((response) => response.method === method) ??
    answers.find((response) => response.method === '');
  if (found === undefined) return { error: `no answer for ${method} ${url} is given` };
  const { body, statusCode } = found;
  return { data: jsonOf({ body, statusCode }) };
}

/** Reads the objects and the image data of the context file of a test. */
export async function readContext(
  { context }: Pick<TestFile, 'context'>,
  reader: TestReader,
): Promise<{
  readonly resources: readonly JsonObject[];
  readonly images: ReadonlyMap<string, JsonObject>;
}> {
  const resources: JsonObject[] = [];
  const images = new Map<string, JsonObject>();
  for (const document of await reader.documents(context === '' ? [] : [context])) {
    const { value } = document;
    const spec = readShape({ path: context, document, type: 'tests.Context' }, () =>
      member(value, 'spec'),
    );
    resources.push(...memberObjects(spec, 'resources').map(jsonOf));
    for (const image of memberObjects(spec, 'images').map(jsonOf)) {
      const known = { resolvedImage: '', registry: '', repository: '', ...image };
      images.set(String(image['image'] ?? ''), known);
    }
  }
  return { resources, images };
}
