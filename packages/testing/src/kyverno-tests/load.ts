import { type JsonObject, listOf, member, memberObjects } from '@kubeadmit/apimachinery';
import { getOrMake, lazily } from '@kubeadmit/base';
import {
  jsonOf,
  type KyvernoExceptions,
  type KyvernoPolicies,
  readKyvernoExceptions,
  readKyvernoPolicies,
} from '@kubeadmit/chain/kyverno';
import { identityOf, identityText, readNativePolicies } from '@kubeadmit/chain/kyverno-resources';
import { policyGroup } from '@kubeadmit/engine';
import type { CelSources, ContextSources, GivenUser, Policy } from '@kubeadmit/kyverno';
import { findNamespace, type NativePolicy } from '@kubeadmit/kyverno/native';
import {
  type AuthorizationMode,
  type Message,
  PayloadError,
  readAuthorizationRequest,
} from '@kubeadmit/kyverno/payloads';
import {
  findUnknownKyvernoFields,
  refusedAuxiliaries,
  refusedBySchema,
} from '@kubeadmit/lint/kyverno';
import {
  formatPlace,
  type InputProblem,
  isRecord,
  type Manifest,
  type ManifestObject,
} from '@kubeadmit/manifest';
import { loadSchemas, type Schemas, withDefinitions } from '@kubeadmit/schemas';
import { celSources } from './cel-sources.ts';
import { contextSources } from './context-sources.ts';
import { readShape, readTestValues, readUserInfo } from './given-files.ts';
import { resourcesOf } from './resources.ts';
import type { TestFile } from './test-file.ts';
import { type TestHost, TestProblem, TestReader } from './test-reader.ts';
import type { Values } from './values.ts';

/** A test with everything that it names. */
export interface LoadedTest {
  readonly test: TestFile;
  readonly schemas: Schemas;
  readonly policies: KyvernoPolicies;
  readonly native: readonly NativePolicy[];
  /** Parameters of native policies. */
  readonly params: readonly JsonObject[];
  /** With `clusterResources` all that the cluster holds, resources and parameters too. */
  readonly cluster: readonly JsonObject[] | undefined;
  readonly exceptions: KyvernoExceptions;
  /** The resources that policies are applied to; the first of several with the same identity. */
  readonly resources: readonly JsonObject[];
  readonly targets: readonly JsonObject[];
  /** All that rules may change: resources and targets. */
  readonly existing: readonly JsonObject[];
  readonly values: Values;
  readonly user: GivenUser;
  readonly sources: ContextSources;
  readonly celSources: CelSources;
  /** JSON objects by the names that rows use. */
  readonly payloads: readonly { readonly name: string; readonly payload: JsonObject }[];
  /** Requests to services, for policies of their evaluation mode, by the names that rows use. */
  readonly serviceRequests: readonly ServiceRequest[];
  /** The objects that rules clone, by {@link ruleKey}. */
  readonly cloneSources: ReadonlyMap<string, readonly JsonObject[]>;
  /** The objects of a file of patched or generated resources. */
  readonly expectedObjects: (path: string) => Promise<readonly JsonObject[]>;
}

/** A request to a service, about which policies of its evaluation mode decide. */
export interface ServiceRequest {
  readonly mode: AuthorizationMode;
  readonly name: string;
  readonly request: Message;
}

/**
 * Reads the files that a test names.
 *
 * @throws TestProblem when one cannot be read, or has not the shape that it should have.
 */
export async function loadTest(test: TestFile, host: TestHost): Promise<LoadedTest> {
  const reader = new TestReader(test.file, host);
  const values = await readTestValues(test, reader);
  const cluster = await readCluster(test, reader);
  const manifests = await reader.manifests(test.policies);
  const exceptionManifests = await reader.manifests(test.exceptions);
  const schemas = await schemasFor(manifests, cluster.definitions);
  await throwRefused([...manifests, ...exceptionManifests], schemas);
  brokenExpressionsIn(exceptionManifests).forEach(host.warn);
  const params = resourcesOf(await reader.documents(test.paramResources), schemas);
  const resources = unique(resourcesOf(await reader.documents(test.resources), schemas));
  const targets = resourcesOf(await reader.documents(test.targetResources), schemas);
  const exceptions = readKyvernoExceptions(exceptionManifests.map(({ object }) => object));
  const given = manifests.map(({ object }) => object);
  const policies = readKyvernoPolicies(given, {
    exceptions: exceptions.cel,
    ignoresExpiry: true,
    clock: host.clock,
    verifiesImages: host.images !== undefined,
  });
  const expected = new Map<string, Promise<readonly JsonObject[]>>();
  const held = [...resources, ...targets, ...params, ...cluster.objects];
  const isCluster = test.clusterResources.length > 0;
  if (isCluster) {
    throwTwice(held);
    throwWithoutNamespace(resources, held, values);
  }
  const sources = await contextSources(test, held, reader, schemas);
  return {
    test,
    schemas,
    policies,
    native: readNativePolicies(manifests),
    params,
    cluster: isCluster ? held : undefined,
    exceptions,
    resources,
    targets,
    existing: [...resources, ...targets],
    values,
    user: await readUserInfo(test, reader),
    sources: { ...sources, ...(host.images && { images: host.images }) },
    celSources: await celSources(test, held, reader, schemas),
    payloads: await readPayloads(test.jsonPayloads, reader),
    serviceRequests: [
      ...(await readServiceRequests('HTTP', test.httpPayloads, reader)),
      ...(await readServiceRequests('Envoy', test.envoyPayloads, reader)),
    ],
    cloneSources: await readCloneSources(test, policies, reader, schemas),
    expectedObjects: (path) =>
      getOrMake(expected, path, async () => resourcesOf(await reader.documents([path]), schemas)),
  };
}

// The Kyverno CLI ignores a policy with an unknown field or an invalid value, and then tests nothing of it.
async function throwRefused(manifests: readonly Manifest[], schemas: Schemas): Promise<void> {
  const refused: InputProblem[] = [];
  for (const manifest of manifests) {
    if (manifest.group === policyGroup) {
      // Most tests have no native policies.
      const { findUnknownFields } = await import('@kubeadmit/lint/inputs');
      refused.push(...findUnknownFields(manifest, schemas));
    } else refused.push(...findUnknownKyvernoFields(manifest), ...refusedBySchema(manifest));
  }
  if (refused.length === 0) return;
  const texts = refused.map(
    ({ file, place, message }) => `${formatPlace(file, place)}: ${message}`,
  );
  throw new TestProblem(texts.join('\n'));
}

/** The errors of expressions in exceptions, at their places: rows name the policies, whose expressions are others. */
function brokenExpressionsIn(exceptions: readonly Manifest[]): readonly InputProblem[] {
  return refusedAuxiliaries(exceptions).filter(({ field }) => field.endsWith('.expression'));
}

/** As for the Kyverno CLI, a cluster holds one object of a name. */
function throwTwice(held: readonly JsonObject[]): void {
  const seen = new Set<string>();
  for (const text of held.map((object) => identityText(identityOf(object)))) {
    if (seen.has(text)) {
      throw new TestProblem(`${text} occurs twice in resources and \`clusterResources\``);
    }
    seen.add(text);
  }
}

/** As for the Kyverno CLI, a cluster has to hold the namespaces of all resources. */
function throwWithoutNamespace(
  resources: readonly JsonObject[],
  held: readonly JsonObject[],
  { namespaceLabels }: Values,
): void {
  for (const { kind, name, namespace } of resources.map(identityOf)) {
    if (namespace === '' || kind === 'Namespace') continue;
    if (namespaceLabels.get(namespace) === undefined && !findNamespace(held, namespace)) {
      throw new TestProblem(
        `${kind} ${name} is in namespace ${namespace}, but \`clusterResources\` has no such Namespace`,
      );
    }
  }
}

async function readPayloads(
  paths: readonly string[],
  reader: TestReader,
): Promise<LoadedTest['payloads']> {
  const payloads: { name: string; payload: JsonObject }[] = [];
  for (const path of paths) {
    const [document] = await reader.documents([path]);
    const value = document?.value;
    if (!isRecord(value)) {
      throw new TestProblem(`payload ${path} must be a top-level object (map)`);
    }
    payloads.push({ name: normalPath(path), payload: jsonOf(value) });
  }
  return payloads;
}

async function readServiceRequests(
  mode: AuthorizationMode,
  paths: readonly string[],
  reader: TestReader,
): Promise<readonly ServiceRequest[]> {
  const payloads = await readPayloads(paths, reader);
  return payloads.map(({ name, payload }) => {
    try {
      return { mode, name, request: readAuthorizationRequest(mode, payload) };
    } catch (error) {
      if (error instanceof PayloadError) {
        throw new TestProblem(`payload ${name} is not a request of ${mode}: ${error.message}`);
      }
      throw error;
    }
  });
}

/** The key of a rule in {@link LoadedTest.cloneSources}. */
export function ruleKey(policy: Policy, rule: string): string {
  return `${policy.key} ${rule}`;
}

/** Reads the objects that rules clone, as the rows about them name them; the last row of a rule counts. */
async function readCloneSources(
  { results }: TestFile,
  { classic }: KyvernoPolicies,
  reader: TestReader,
  schemas: Schemas,
): Promise<LoadedTest['cloneSources']> {
  const sources = new Map<string, readonly JsonObject[]>();
  for (const { policy: key, rule, cloneSourceResource: path } of results) {
    const policy = classic.find((each) => each.policy.key === key)?.policy;
    if (policy === undefined || path === '') continue;
    sources.set(ruleKey(policy, rule), resourcesOf(await reader.documents([path]), schemas));
  }
  return sources;
}

/** Reads the objects of `clusterResources`. */
async function readCluster(
  test: TestFile,
  reader: TestReader,
): Promise<{
  readonly definitions: readonly ManifestObject[];
  readonly objects: readonly JsonObject[];
}> {
  const definitions: ManifestObject[] = [];
  const objects: JsonObject[] = [];
  for (const document of await reader.documents(test.clusterResources)) {
    const { value, origin } = document;
    const path = origin.source.name;
    const spec = readShape({ path, document, type: 'tests.ClusterResource' }, () =>
      member(value, 'spec'),
    );
    const crds = await reader.manifests(listOf(member(spec, 'crds')).map(String));
    definitions.push(...crds.map(({ object }) => object));
    objects.push(...memberObjects(spec, 'resources').map(jsonOf));
  }
  return { definitions, objects };
}

const builtInSchemas = lazily(() => loadSchemas());
const kindNames = lazily(() => loadSchemas({ groupVersions: [] }));

/** Loads the schemas of kinds; ClusterPolicies and Policies need only names, not fields. */
async function schemasFor(
  policies: readonly Manifest[],
  definitions: readonly ManifestObject[],
): Promise<Schemas> {
  if (definitions.length === 0 && policies.every(({ group }) => group === 'kyverno.io')) {
    return kindNames();
  }
  const schemas = await builtInSchemas();
  return definitions.length === 0 ? schemas : withDefinitions(schemas, definitions);
}

function unique(resources: readonly JsonObject[]): readonly JsonObject[] {
  const first = new Map<string, JsonObject>();
  for (const resource of resources) {
    const identity = identityOf(resource);
    const group = identity.apiVersion.includes('/') ? identity.apiVersion.split('/')[0] : '';
    const key = identityText({ ...identity, apiVersion: group ?? '' });
    if (!first.has(key)) first.set(key, resource);
  }
  return [...first.values()];
}

/** A path without `.` and `..` within, as rows of tests name payloads. */
function normalPath(path: string): string {
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '.' || (step === '' && steps.length > 0)) continue;
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else steps.push(step);
  }
  return steps.join('/');
}
