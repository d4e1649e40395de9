import { textOf } from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';
import { type InputProblem, isRecord, readDocuments, type Source } from '@kubeadmit/manifest';
import { documentProblems } from '../format/check-shape.ts';
import { katSchemas } from './kat-schema.ts';
import type { SuiteDocument } from './suite-document.ts';

/** A folder with tests of kat (zemanlx/kat): files of policies, and in `tests` files of cases. */
export interface KatFolder {
  readonly name: string;
  /** Files of policies and bindings, relative to the folder of the suite. */
  readonly policies: readonly string[];
  /** The names of the policies that these hold. */
  readonly policyNames: readonly string[];
  /** Files of cases by their names; how they are referred to, and how their texts and values are found. */
  readonly tests: readonly KatFile[];
}

/** A file of a case. */
export interface KatFile {
  readonly name: string;
  readonly reference: string;
  readonly text: string;
  /** The first document of a YAML file. */
  readonly value?: unknown;
}

const kinds = [
  'request.yaml',
  'object.yaml',
  'oldObject.yaml',
  'params.yaml',
  'annotations.yaml',
  'authorizer.yaml',
  'warnings.txt',
  'message.txt',
  'gold.yaml',
  'expected.yaml',
] as const;

type FileKind = (typeof kinds)[number];
type CaseFiles = Partial<Record<FileKind, KatFile>>;

/** Whether a file is one of those in which kat looks for policies. */
export function isKatPolicy(name: string): boolean {
  return /^(?:(?:polic(?:y|ies)|bindings?)|.*\.(?:policy|binding))\.yaml$/.test(name);
}

/** Whether a file in a folder `tests` is one of kat's. */
export function isKatTest(name: string): boolean {
  return kindOf(name) !== undefined;
}

function kindOf(name: string): FileKind | undefined {
  return kinds.find((kind) => name.endsWith(`.${kind}`));
}

/** A file of a case, or the error. */
export interface ReadKatFile {
  readonly file: KatFile;
  readonly problems: readonly InputProblem[];
}

/** Reads a file of a case, whose first document alone counts. */
export function readKatFile(source: Source, name: string, reference: string): ReadKatFile {
  const file = { name, reference, text: source.text };
  const schema = katSchemas[kindOf(name) ?? ''];
  if (schema === undefined) return { file, problems: [] };
  const { documents, problems } = readDocuments(source);
  const [document] = documents;
  if (document === undefined) {
    const message = 'the file is empty';
    return { file, problems: problems.length > 0 ? problems : [{ file: source.name, message }] };
  }
  const odd = documentProblems(document, schema);
  return { file: { ...file, value: document.value }, problems: [...problems, ...odd] };
}

/** The case that a file belongs to. */
export function katCaseOf(name: string): string {
  const kind = kindOf(name);
  return kind === undefined ? name : name.slice(0, -kind.length - 1);
}

/** Makes a suite of a folder of kat; undefined where it has no case. */
export function suiteOfKat({
  name,
  policies,
  policyNames,
  tests,
}: KatFolder): SuiteDocument | undefined {
  const cases = new Map<string, CaseFiles>();
  for (const file of tests) {
    const kind = kindOf(file.name);
    if (kind === undefined) continue;
    const base = katCaseOf(file.name);
    cases.set(base, { ...cases.get(base), [kind]: file });
  }
  const made = [...cases]
    .filter(([, files]) => files['request.yaml'] ?? files['object.yaml'] ?? files['oldObject.yaml'])
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([base, files]) => caseOf(base, files, policyNames));
  return made.length === 0 ? undefined : { name, strict: false, policies, cases: made };
}

function caseOf(base: string, files: CaseFiles, policyNames: readonly string[]): SuiteDocument {
  const request = fieldsOf(files['request.yaml']?.value);
  const { namespaceObject, userInfo, object: given, oldObject: givenOld, ...rest } = request;
  const object = files['object.yaml']?.reference ?? given;
  const old = files['oldObject.yaml']?.reference ?? givenOld;
  const about = [files['object.yaml']?.value, given, files['oldObject.yaml']?.value, givenOld];
  const namespace =
    namespaceIn(about.find((one) => one !== undefined)) ??
    rest['namespace'] ??
    fieldsOf(fieldsOf(namespaceObject)['metadata'])['name'];
  const cluster = clusterOf(files, namespaceObject, namespace);
  const expectation = expectationOf(base, files, policyNames);
  const user = userOf(userInfo);
  if (object === undefined && old === undefined) {
    return {
      name: base,
      ...cluster,
      request: { ...rest, ...(userInfo ? { userInfo } : {}) },
      expect: expectation,
    };
  }
  const operation =
    rest['operation'] ??
    (object === undefined ? 'DELETE' : old === undefined ? 'CREATE' : 'UPDATE');
  const isUpdate = operation === 'UPDATE' && old !== undefined;
  return {
    name: base,
    ...cluster,
    ...(operation === 'CREATE' ? {} : { operation }),
    ...(rest['subResource'] === undefined ? {} : { subresource: rest['subResource'] }),
    ...(namespace === undefined ? {} : { namespace }),
    ...user,
    object: operation === 'DELETE' ? (old ?? object) : object,
    ...(isUpdate ? { oldObject: old } : {}),
    expect: expectation,
  };
}

function clusterOf(files: CaseFiles, namespaceObject: unknown, namespace: unknown): SuiteDocument {
  const { metadata } = fieldsOf(namespaceObject);
  const { labels = {} } = fieldsOf(metadata);
  const name = namespace ?? 'default';
  const mocks = files['authorizer.yaml']?.value;
  return {
    ...(files['params.yaml'] === undefined ? {} : { parameters: [files['params.yaml'].reference] }),
    ...(namespaceObject === undefined ? {} : { namespaces: { [String(name)]: labels } }),
    ...(Array.isArray(mocks) ? { rbac: permissionsOf(mocks) } : {}),
  };
}

function namespaceIn(object: unknown): unknown {
  return fieldsOf(fieldsOf(object)['metadata'])['namespace'];
}

/**
 * Converts the permissions that mocks of an authorizer allow to roles for everybody, each in the namespace of its
 * mock.
 */
function permissionsOf(mocks: readonly unknown[]): readonly SuiteDocument[] {
  const allowed = mocks.map(fieldsOf).filter(({ decision }) => decision === 'allow');
  const namespaces = new Set(['', ...allowed.map(namespaceOfMock)]);
  return [...namespaces].flatMap((namespace) =>
    roleOf(
      namespace,
      allowed.filter((mock) => namespaceOfMock(mock) === namespace),
    ),
  );
}

function namespaceOfMock({ namespace }: SuiteDocument): string {
  return textOf(namespace);
}

function roleOf(namespace: string, mocks: readonly SuiteDocument[]): readonly SuiteDocument[] {
  const rules = mocks.map(({ group = '', resource, subresource, verb }) => {
    const name = subresource ? `${String(resource)}/${String(subresource)}` : resource;
    return { apiGroups: [group], resources: [name], verbs: [verb] };
  });
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const apiGroup = 'rbac.authorization.k8s.io';
  const kind = namespace === '' ? 'ClusterRole' : 'Role';
  const metadata = { name: 'mocked', ...(namespace === '' ? {} : { namespace }) };
  return [
    { apiVersion, kind, metadata, rules },
    {
      apiVersion,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup, kind, name: 'mocked' },
      subjects: [{ apiGroup, kind: 'Group', name: 'system:authenticated' }],
    },
  ];
}

function userOf(userInfo: unknown): SuiteDocument {
  const { username: name = '', uid, groups, extra } = fieldsOf(userInfo);
  return { user: defined({ name, uid, groups, extra }) };
}

function expectationOf(
  base: string,
  files: CaseFiles,
  policyNames: readonly string[],
): SuiteDocument {
  const isDenied = /\.deny(?:\.|$)/.test(base);
  const policy =
    policyNames.length === 1
      ? policyNames[0]
      : policyNames.find((one) => base.startsWith(`${one}.`));
  const { value: annotations } = files['annotations.yaml'] ?? {};
  const warnings = files['warnings.txt']?.text.split('\n').filter((line) => line.trim() !== '');
  const gold = files['gold.yaml'] ?? files['expected.yaml'];
  return {
    // kat only tests whether policies allow a request, for any reason; an invalid object is an error there.
    verdict: isDenied
      ? ['denied', 'error']
      : ['allowed', 'mutated', 'warned', 'audited', 'not matched'],
    ...(policy === undefined ? {} : { policy }),
    ...(isDenied && files['message.txt'] ? { message: files['message.txt'].text.trim() } : {}),
    ...(warnings === undefined ? {} : { warnings }),
    ...(isRecord(annotations) ? { auditAnnotations: annotations } : {}),
    ...(gold === undefined || isDenied ? {} : { wholeObject: gold.reference }),
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
