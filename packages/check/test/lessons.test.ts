import { readdirSync, readFileSync } from 'node:fs';
import { type Manifest, readManifests, Source } from '@kubeadmit/manifest';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Checker, Explainer, loadCheck, type PrepareOptions, prepareCheck } from '../src/index.ts';
import {
  EvaluationObserver,
  inInputOrder,
  KyvernoTestRun,
  outcomeOf,
  policyReportResult,
  readTests,
} from '../src/internal.ts';

// What each folder of the sources is for, in small checks to be read: what is given, what comes of it, and a name that
// says why. `chain`, `machine` and `scan` have tables in folders of their own.

interface Lesson {
  readonly name: string;
  /** Manifests, or for tests of Kyverno the text of each file. */
  readonly given: string | Readonly<Record<string, string>>;
  /** The validations of a policy `p` about everything, and the actions of its binding `b`; without them it asks nothing. */
  readonly validations?: readonly object[];
  readonly actions?: readonly string[];
  /** What the objects were before an update. */
  readonly before?: string;
  readonly options?: Partial<PrepareOptions>;
  /** Members of what comes of it, among others. */
  readonly answer: object;
}

const clock = (): number => 0;
const lessons = new URL('lessons/', import.meta.url);
const sources = new URL('../src/', import.meta.url);
const folders = readdirSync(sources, { withFileTypes: true }).filter((each) => each.isDirectory());
const taught = readdirSync(lessons).map((file) => file.replace('.yaml', ''));
const answers: Readonly<Record<string, (lesson: Lesson) => object>> = {
  'kyverno-tests': testsOf,
  mutate: orderOf,
};

test('every source folder has a lesson', () => {
  const elsewhere = ['chain', 'machine', 'scan'];
  expect([...taught, ...elsewhere].sort()).toEqual(folders.map(({ name }) => name).sort());
});

describe.each(taught)('%s', (folder) => {
  const text = readFileSync(new URL(`${folder}.yaml`, lessons), 'utf8');
  test.each(parse(text) as readonly Lesson[])('$name', async (lesson) => {
    const answer = await (answers[folder] ?? checkOf)(lesson);
    expect(answer).toMatchObject(lesson.answer);
  });
});

/** What is known of a check and of its first object. */
async function checkOf({
  given,
  validations = [{ expression: 'true' }],
  actions = ['Deny'],
  before,
  options,
}: Lesson): Promise<object> {
  const said: string[] = [];
  const settings: PrepareOptions = {
    namespace: 'default',
    user: { name: 'ann', groups: ['developers'] },
    ...(before === undefined ? {} : { operation: 'UPDATE', oldResources: manifestsOf(before) }),
    ...options,
  };
  const all = [...manifestsOf(String(given)), ...policyOf(validations, actions)];
  const check = await prepareCheck(
    all.map((manifest) => ({ manifest, role: 'any' })),
    settings,
    ({ message, place }, severity) =>
      said.push(`${severity} in line ${place?.line ?? '?'}: ${message}`),
  );
  const observer = new EvaluationObserver();
  const loaded = await loadCheck(check, { clock, observe: observer.observe });
  for (const { message } of [...loaded.refused.problems, ...loaded.unsupported]) said.push(message);
  const checker = new Checker(loaded);
  const [request] = check.requests;
  if (request === undefined) return { said };
  const object = checker.check(request);
  const { chain } = loaded;
  const { policies } = check.inputs;
  const explainer = new Explainer({ check, cluster: chain.cluster, observer, policies, chain });
  return {
    said,
    request: request.request,
    object,
    outcome: outcomeOf(object),
    results: object.findings.map((finding) => policyReportResult(finding)),
    report: checker.report(check, loaded),
    explanation: explainer.explain(request),
  };
}

function manifestsOf(text: string): readonly Manifest[] {
  return readManifests(new Source('given.yaml', text)).manifests;
}

function policyOf(validations: readonly object[], actions: readonly string[]) {
  const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations };
  const texts = [
    { kind: 'ValidatingAdmissionPolicy', metadata: { name: 'p' }, spec },
    {
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'b' },
      spec: { policyName: 'p', validationActions: actions },
    },
  ].map((each) => JSON.stringify({ apiVersion: 'admissionregistration.k8s.io/v1', ...each }));
  return readManifests(new Source('policy.yaml', texts.join('\n'))).manifests;
}

/** What came of each row of a test of Kyverno. */
async function testsOf({ given }: Lesson): Promise<object> {
  const files = given as Readonly<Record<string, string>>;
  const sourceOf = (name: string): Source => new Source(name, files[name] ?? '');
  const { tests, problems } = readTests(sourceOf('kyverno-test.yaml'));
  const host = {
    read: async (path: string) =>
      Object.hasOwn(files, path)
        ? { sources: [sourceOf(path)], problems: [] }
        : { sources: [], problems: [{ file: path, message: 'there is no such file' }] },
    warn: () => undefined,
    clock,
  };
  const entries = tests.flatMap((each) => {
    const run = new KyvernoTestRun(each, { host });
    return each.results.map((row) => run.judge(row));
  });
  return {
    problems: problems.map(({ message }) => message),
    entries: (await Promise.all(entries)).flat(),
  };
}

/** The text of an object in the order of what was written. */
function orderOf({ given }: Lesson): object {
  const { written, value } = parse(String(given));
  return { ordered: JSON.stringify(inInputOrder(value, written)) };
}
