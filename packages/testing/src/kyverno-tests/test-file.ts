import type { Value } from '@kubeadmit/cel';
import {
  type InputProblem,
  isRecord,
  Manifest,
  type ManifestObject,
  problemAt,
  type ReadDocument,
  readDocuments,
  type Source,
} from '@kubeadmit/manifest';
import {
  eachOf,
  type FindPlace,
  fieldsOf,
  mistakeIn,
  pathsOf,
  placesIn,
  readFields,
  requireKind,
  requireStruct,
  ShapeProblem,
  textOf,
  textsOf,
  truthOf,
  within,
} from './fields.ts';
import {
  type ApiCallResponse,
  type GlobalContextEntry,
  readApiCallResponses,
  readGlobalContextEntries,
} from './mocks.ts';
import { readValues, type Values } from './values.ts';

/** One row of a test: the expected results of a policy for some resources. */
export interface ExpectedResult {
  /** The name of the policy, with its namespace if it has one. */
  readonly policy: string;
  /** The name of the rule; empty for policies without rules. */
  readonly rule: string;
  /** The kind of the resources. */
  readonly kind: string;
  /** Names, or `namespace/name`; undefined for all resources. */
  readonly resources: readonly string[] | undefined;
  /** The resources by group, version and name. */
  readonly resourceSpecs: readonly ResourceSpec[];
  /** The expected status. */
  readonly result: string;
  /** The operation of the request; empty for the default. */
  readonly operation: string;
  /** The file with the mutated objects; empty for none. */
  readonly patchedResources: string;
  /** The files with the objects that the rule generates; each generated object is in one of them. */
  readonly generatedResources: readonly string[];
  /** The file with the objects that a rule clones. */
  readonly cloneSourceResource: string;
  /** Whether a missing resource fails the row. */
  readonly failOnMissingResources: boolean;
  /** Finds the line of the file in which the row begins. */
  readonly line: () => number;
}

/** A resource by group, version and name. */
export interface ResourceSpec {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly name: string;
}

/** A document of a `kyverno-test.yaml` (kind Test of `cli.kyverno.io/v1alpha1`). */
export interface TestFile {
  /** The name of the file. */
  readonly file: string;
  /** The name of the test. */
  readonly name: string;
  /** The paths of the policies. */
  readonly policies: readonly string[];
  /** The paths of the resources. */
  readonly resources: readonly string[];
  /** The paths of the objects that rules change in the cluster. */
  readonly targetResources: readonly string[];
  /** The paths of parameters. */
  readonly paramResources: readonly string[];
  /** The paths of exceptions. */
  readonly exceptions: readonly string[];
  /** The paths of other objects of the cluster. */
  readonly clusterResources: readonly string[];
  /** The paths of JSON payloads. */
  readonly jsonPayloads: readonly string[];
  /** The paths of HTTP requests. */
  readonly httpPayloads: readonly string[];
  /** The paths of requests of Envoy. */
  readonly envoyPayloads: readonly string[];
  /** The path of a file of values. */
  readonly variables: string;
  /** The values in the test itself. */
  readonly values: Values | undefined;
  /** The path of a file with the user of the requests; empty for none. */
  readonly userInfo: string;
  /** The path of a file with data for policies in CEL. */
  readonly context: string;
  /** The answers to calls of services. */
  readonly apiCallResponses: readonly ApiCallResponse[];
  /** The data of global context entries. */
  readonly globalContextEntries: readonly GlobalContextEntry[];
  /** The expected results. */
  readonly results: readonly ExpectedResult[];
}

/** The tests of a file, and its problems. */
export interface ReadTests {
  readonly tests: readonly TestFile[];
  readonly problems: readonly InputProblem[];
}

const operations = new Set(['', 'CREATE', 'UPDATE', 'DELETE']);

/** Reads the tests of a file; a field that is not known makes it unreadable, as for the Kyverno CLI. */
export function readTests(source: Source): ReadTests {
  const { documents, problems: unreadable } = readDocuments(source);
  const tests: TestFile[] = [];
  const problems: InputProblem[] = [...unreadable];
  for (const document of documents) {
    try {
      const test = readTest(document, source);
      requireStruct(document.value, 'tests.Test');
      tests.push(test);
    } catch (error) {
      if (!(error instanceof ShapeProblem)) throw error;
      const { path, message } = error;
      const start =
        path.length === 0 ? document.origin.contentStart : mistakeIn(document, path).start;
      problems.push(problemAt(source, start, message));
    }
  }
  return { tests, problems };
}

function readTest(document: ReadDocument, source: Source): TestFile {
  const { value, origin, path } = document;
  if (!isRecord(value)) throw new ShapeProblem('expected a Test');
  const root = new Manifest(value as unknown as ManifestObject, origin, path);
  const { kind } = value;
  if (typeof kind === 'string' && kind !== '' && kind !== 'Test') {
    throw new ShapeProblem(
      `this is a ${kind}, not a test; tests are *.admit.yaml suites and kyverno-test.yaml files. Use \`kubeadmit check\` to evaluate policies for manifests`,
    );
  }
  const fields = readFields(value, '', 'tests.Test');
  const name = textOf(fieldsOf(fields, 'metadata', 'meta.v1.ObjectMeta'), 'name');
  requireKind(fields, 'this test has', 'Test');
  if (textOf(fields, 'name') !== '') {
    throw new ShapeProblem('`name` is deprecated; use `metadata.name`', ['name']);
  }
  const payload = textOf(fields, 'jsonPayload');
  const payloads = pathsOf(fields, 'jsonPayloads');
  const values = fields.get('values');
  const placeOf = placesIn(document, source.name);
  const placeOfValue: FindPlace = (at) => placeOf(['values', ...at]);
  return {
    file: source.name,
    name,
    policies: unique(pathsOf(fields, 'policies')),
    resources: unique(pathsOf(fields, 'resources')),
    targetResources: pathsOf(fields, 'targetResources'),
    paramResources: pathsOf(fields, 'paramResources'),
    exceptions: pathsOf(fields, 'exceptions'),
    clusterResources: pathsOf(fields, 'clusterResources'),
    jsonPayloads: unique(payloads.length === 0 && payload !== '' ? [payload] : payloads),
    httpPayloads: unique(pathsOf(fields, 'httpPayloads')),
    envoyPayloads: unique(pathsOf(fields, 'envoyPayloads')),
    ...textsOf(fields, 'variables', 'context'),
    values:
      values === undefined || values === null
        ? undefined
        : within(['values'], () => readValues(values, placeOfValue, 'values')),
    userInfo: textOf(fields, 'userinfo'),
    apiCallResponses: readApiCallResponses(fields),
    globalContextEntries: readGlobalContextEntries(fields),
    results: eachOf(fields, 'results', (row, index) =>
      readResult(row, index, () => root.place(['results', index]).line),
    ),
  };
}

function readResult(row: Value, index: number, line: () => number): ExpectedResult {
  const path = `results[${index}]`;
  const fields = readFields(row, path, 'tests.TestResult');
  const texts = textsOf(
    fields,
    ...(['policy', 'rule', 'kind', 'result', 'operation', 'patchedResources'] as const),
    'cloneSourceResource',
  );
  const { operation, policy } = texts;
  if (!operations.has(operation)) {
    throw new ShapeProblem(
      `invalid test result for policy ${policy}: invalid operation "${operation}", must be one of CREATE, UPDATE, DELETE`,
      ['operation'],
    );
  }
  const given = fields.get('resources');
  const generated = pathsOf(fields, 'generatedResources');
  const single = textOf(fields, 'generatedResource');
  return {
    ...texts,
    resources: given === undefined || given === null ? undefined : pathsOf(fields, 'resources'),
    resourceSpecs: eachOf(fields, 'resourceSpecs', (spec, at) =>
      readSpec(spec, `${path}.resourceSpecs[${at}]`),
    ),
    generatedResources: generated.length === 0 && single !== '' ? [single] : generated,
    failOnMissingResources: truthOf(fields, 'failOnMissingResources'),
    line,
  };
}

function readSpec(spec: Value, path: string): ResourceSpec {
  const fields = readFields(spec, path, 'tests.TestResourceSpec');
  return textsOf(fields, 'group', 'version', 'namespace', 'name');
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
