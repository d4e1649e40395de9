import {
  type InputProblem,
  isRecord,
  Manifest,
  readDocuments,
  type Source,
} from '@kubeadmit/manifest';
import { documentProblems } from '../format/check-shape.ts';
import { kaptestSchema } from './kaptest-schema.ts';
import {
  denyingBinding,
  filesReference,
  type SuiteDocument,
  withOwnNames,
} from './suite-document.ts';

/** An object that a test of kaptest names. */
interface NamedObject {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

interface KaptestCase {
  readonly object?: NamedObject;
  readonly oldObject?: NamedObject;
  readonly param?: { readonly namespace?: string; readonly name: string };
  readonly expect: string;
  readonly userInfo?: Readonly<Record<string, unknown>>;
}

interface KaptestFile {
  readonly validatingAdmissionPolicies: readonly string[];
  readonly resources: readonly string[];
  readonly testSuites: readonly {
    readonly policy: string;
    readonly tests: readonly KaptestCase[];
  }[];
}

/** Whether a document is one of kaptest. */
export function isKaptest(value: unknown): boolean {
  return isRecord(value) && Object.hasOwn(value, 'testSuites');
}

/** Makes suites of a file of kaptest, or returns the error. */
export function readKaptest(source: Source): {
  readonly documents: readonly SuiteDocument[];
  readonly problems: readonly InputProblem[];
} {
  const { documents, problems } = readDocuments(source);
  const all = [...problems];
  const made: SuiteDocument[] = [];
  for (const document of documents) {
    const found = documentProblems(document, kaptestSchema);
    all.push(...found);
    const file = document.value as unknown as KaptestFile;
    if (found.length === 0) made.push(suiteOf(file, nameOf(source)));
  }
  return { documents: made, problems: all };
}

const verdicts: Readonly<Record<string, string>> = {
  admit: 'allowed',
  allow: 'allowed',
  deny: 'denied',
  error: 'error',
  skip: 'not matched',
};

/** The folder of a file is called after the policies, with `.test` behind. */
function nameOf({ name }: Source): string {
  return (
    name
      .split('/')
      .at(-2)
      ?.replace(/\.test$/, '') || 'kaptest'
  );
}

function suiteOf(
  { validatingAdmissionPolicies, resources, testSuites }: KaptestFile,
  name: string,
): SuiteDocument {
  const files = filesReference(resources);
  const policies = filesReference(validatingAdmissionPolicies);
  return {
    name,
    bindings: 'auto',
    resources,
    cases: testSuites.map(({ policy, tests }) => ({
      name: policy,
      // Each policy is tested on its own, independent of other policies in the files.
      policies: [`${policies}#ValidatingAdmissionPolicy/${policy}`],
      cases: withOwnNames(tests.map((test) => caseOf(test, policy, files))),
    })),
  };
}

function caseOf(
  { object, oldObject, param, expect, userInfo }: KaptestCase,
  policy: string,
  files: string,
): SuiteDocument {
  const reference = ({ kind, namespace = '', name }: NamedObject): string =>
    `${files}#${[kind, namespace, name].filter((part) => part !== '').join('/')}`;
  const subject = object ?? oldObject;
  if (subject === undefined) return { name: expect, object: files, expect };
  const operation = object === undefined ? 'DELETE' : oldObject === undefined ? 'CREATE' : 'UPDATE';
  return {
    name: `${operation} ${subject.kind} ${[subject.namespace, subject.name].filter(Boolean).join('/')}`,
    ...(operation === 'CREATE' ? {} : { operation }),
    object: reference(subject),
    ...(operation === 'UPDATE' && oldObject ? { oldObject: reference(oldObject) } : {}),
    ...(param === undefined ? {} : { bindings: [denyingBinding(policy, param)] }),
    ...(userInfo === undefined ? {} : { user: { name: '', ...userInfo } }),
    expect: { verdict: verdicts[expect], policy },
  };
}

const everything = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*'] };

/** A policy as kaptest asks it: whatever its rules and selectors say, it is about every object. */
export function withoutConstraints(manifest: Manifest): Manifest {
  const { spec } = manifest.object;
  if (manifest.kind !== 'ValidatingAdmissionPolicy' || !isRecord(spec)) return manifest;
  const matchConstraints = { resourceRules: [everything] };
  const object = { ...manifest.object, spec: { ...spec, matchConstraints } };
  return new Manifest(object, manifest.origin, manifest.path);
}
