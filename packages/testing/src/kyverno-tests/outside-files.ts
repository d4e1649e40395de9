import { type JsonObject, member } from '@kubeadmit/apimachinery';
import { kyvernoRole } from '@kubeadmit/chain/kyverno';
import { identityOf } from '@kubeadmit/chain/kyverno-resources';
import type { OutsideData } from '@kubeadmit/chain/unstable-internal';
import { policyGroup } from '@kubeadmit/engine';
import type { SourceAnswer } from '@kubeadmit/kyverno/unstable-internal';
import { formatPlace, type InputProblem, type Manifest } from '@kubeadmit/manifest';
import { httpAnswer, readContext } from './cel-sources.ts';
import { globalAnswer, globalAnswers, mockedAnswer, projectedAnswer } from './context-sources.ts';
import { readTestValues, readUserInfo } from './given-files.ts';
import { readTests, type TestFile } from './test-file.ts';
import { type TestHost, TestProblem, TestReader } from './test-reader.ts';
import { type NamedPolicy, namedPolicy, unknownPolicies } from './unknown-names.ts';
import { ruleValues, type Values, type Variables } from './values.ts';

/** The files and values that the Kyverno CLI's `apply` is given, by the names of its options. */
export interface OutsideFiles {
  /** A file of the kind Values. */
  readonly valuesFile?: string | undefined;
  /** A file of the kind Context, or a Test whose answers of services are used. */
  readonly contextFile?: string | undefined;
  /** A file of the kind UserInfo. */
  readonly userinfo?: string | undefined;
  /** Variables as `name=value`. */
  readonly set?: readonly string[] | undefined;
}

/** The data, and the names in it that the policies do not have. */
export interface OutsideFilesData extends OutsideData {
  /** Returns the names of policies and rules in the file that do not exist. */
  readonly unknownNames: (policies: readonly Manifest[]) => readonly InputProblem[];
}

/**
 * Reads the data that policies of Kyverno need from outside.
 *
 * @throws TestProblem for a file that cannot be read or has another shape, and for an invalid `name=value`
 */
export async function readOutsideFiles(
  { valuesFile = '', contextFile = '', userinfo = '', set = [] }: OutsideFiles,
  host: TestHost,
): Promise<OutsideFilesData> {
  const reader = new TestReader('', host);
  const test = await testIn(contextFile, reader);
  const values = await readTestValues({ variables: valuesFile, values: undefined }, reader);
  const context = await readContext({ context: test === undefined ? contextFile : '' }, reader);
  const given: Variables = new Map(set.map(variableOf));
  const user = await readUserInfo({ userInfo: userinfo }, reader);
  return {
    ...valuesFor(values, given),
    unknownNames: (policies) =>
      unknownPolicies(values, policies.flatMap(namedPolicyIn)).map(({ message, at }) => ({
        file: valuesFile,
        ...at,
        message,
      })),
    namespaces: namespacesOf(values),
    resources: context.resources,
    user: userinfo === '' ? undefined : user,
    sources: {
      ...(context.images.size > 0 && { imageData: imagesIn(context.images, contextFile) }),
      ...(test && (await answersFrom(test, reader))),
    },
  };
}

/** The policy that values may name; none for manifests of other kinds. */
function namedPolicyIn({ kind, group, name, object }: Manifest): readonly NamedPolicy[] {
  const role = kyvernoRole({ kind, group });
  if (role === 'classic') return [namedPolicy(object)];
  const isNamed = role === 'cel' || role === 'cleanup' || group === policyGroup;
  return isNamed ? [{ name, rules: undefined }] : [];
}

function imagesIn(
  images: ReadonlyMap<string, JsonObject>,
  file: string,
): (image: string) => SourceAnswer {
  return (image) => {
    const data = images.get(image);
    return data === undefined ? { error: `${file} has no data of the image ${image}` } : { data };
  };
}

/** The test in a file that is given as context; `undefined` for a file of another kind. */
async function testIn(file: string, reader: TestReader): Promise<TestFile | undefined> {
  const [document] = await reader.documents(file === '' ? [] : [file]);
  if (document === undefined || member(document.value, 'kind') !== 'Test') return undefined;
  const { tests, problems } = readTests(document.origin.source);
  const [problem] = problems;
  if (problem === undefined) return tests[0];
  throw new TestProblem(`${formatPlace(problem.file, problem.place)}: ${problem.message}`);
}

/** The answers of services and of global entries in a test. */
async function answersFrom(test: TestFile, reader: TestReader): Promise<OutsideData['sources']> {
  const globals = await globalAnswers(test.globalContextEntries, reader);
  const hasAnswers = test.apiCallResponses.length > 0;
  return {
    ...(hasAnswers && {
      http: (method: string, url: string) => httpAnswer(test, method, url),
      apiCall: (call: JsonObject) => mockedAnswer(test, call) ?? ('unavailable' as const),
    }),
    ...(globals.size > 0 && {
      globalContext: (name: string, projection: string) => {
        const answer = globals.get(name);
        return answer && projectedAnswer(answer, projection);
      },
      globalReference: (name: string) => globalAnswer(globals, name),
    }),
  };
}

function valuesFor(
  { globalValues, policies }: Values,
  given: Variables,
): Pick<OutsideData, 'givesEntry' | 'ruleValues' | 'variablesOf'> {
  const ofPolicy = (policy: string): Values['policies'] =>
    policies.filter(({ name }) => name === policy);
  return {
    variablesOf: (policy, object) => {
      const ofObject = ofPolicy(policy)
        .flatMap(({ resources }) => resources)
        .filter(({ name }) => name === object)
        .flatMap(({ values }) => [...values]);
      const all = new Map([...globalValues, ...ofObject, ...given]);
      all.delete(operationName);
      return all;
    },
    ruleValues: (policy, rule) => ruleValues(ofPolicy(policy), rule),
    givesEntry: (policy, entry) => {
      const parts = ofPolicy(policy).flatMap(({ resources, rules }) => [...resources, ...rules]);
      const all = [globalValues, given, ...parts.map(({ values }) => values)];
      const names = all.flatMap((values) => [...values.keys()]);
      return names.some((name) => name === entry || name.startsWith(`${entry}.`));
    },
  };
}

/** The request itself has an operation. */
const operationName = 'request.operation';

function namespacesOf({ namespaces, namespaceLabels }: Values): readonly JsonObject[] {
  const named = new Set(namespaces.map((namespace) => identityOf(namespace).name));
  const labelled = [...namespaceLabels].filter(([name]) => !named.has(name));
  return [
    ...namespaces,
    ...labelled.map(([name, labels]) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels },
    })),
  ];
}

function variableOf(text: string): readonly [string, unknown] {
  const [, name, value] = /^\s*([^=\s]+)\s*=\s*([^=]*[^=\s])\s*$/.exec(text) ?? [];
  if (name === undefined || name.includes('request.object.') || name === operationName) {
    throw new TestProblem(
      `invalid variable \`${text}\`; expected name=value, with a name other than request.operation and the fields of request.object`,
    );
  }
  return [name, value];
}
