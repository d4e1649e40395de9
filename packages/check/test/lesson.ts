import { readdirSync, readFileSync } from 'node:fs';
import { type Manifest, readManifests, Source } from '@kubeadmit/manifest';
import { parse } from 'yaml';
import { type PreparedCheck, type PrepareOptions, prepareCheck } from '../src/index.ts';

/** A small check: the inputs, the result, and a name that gives the reason. */
export interface Lesson {
  readonly name: string;
  /** Manifests. */
  readonly given: string;
  /**
   * The validations of a policy `p` about everything, and the actions of its binding `b`; without them it asks
   * nothing.
   */
  readonly validations?: readonly object[];
  readonly actions?: readonly string[];
  /** The namespace selector of the policy. */
  readonly namespaceSelector?: object;
  /** Whether definitions and namespaces among the manifests are checked as well. */
  readonly checksAll?: boolean;
  /** The objects before an update. */
  readonly before?: string;
  readonly options?: Partial<PrepareOptions>;
  /** Some members of the expected result. */
  readonly answer: object;
}

const lessons = new URL('lessons/', import.meta.url);

/** The source folders that have lessons. */
export const taught: readonly string[] = readdirSync(lessons).map((file) =>
  file.replace('.yaml', ''),
);

/** The lessons of a source folder. */
export function readLessons(folder: string): readonly Lesson[] {
  return parse(readFileSync(new URL(`${folder}.yaml`, lessons), 'utf8')) as readonly Lesson[];
}

/** Reads the inputs of a lesson and makes requests of them; `tell` receives the problems of the inputs. */
export async function prepareLesson(
  lesson: Lesson,
  tell: (text: string) => void = () => undefined,
): Promise<PreparedCheck> {
  const { given, before, options, checksAll = false } = lesson;
  const settings: PrepareOptions = {
    namespace: 'default',
    user: { name: 'ann', groups: ['developers'] },
    ...(before === undefined ? {} : { operation: 'UPDATE', oldResources: manifestsOf(before) }),
    ...options,
  };
  const role = checksAll ? 'resources' : 'any';
  return prepareCheck(
    [
      ...manifestsOf(given).map((manifest) => ({ manifest, role }) as const),
      ...policyOf(lesson).map((manifest) => ({ manifest, role: 'any' }) as const),
    ],
    settings,
    ({ message, place }, severity) => tell(`${severity} in line ${place?.line ?? '?'}: ${message}`),
  );
}

function manifestsOf(text: string): readonly Manifest[] {
  return readManifests(new Source('given.yaml', text)).manifests;
}

function policyOf({
  validations = [{ expression: 'true' }],
  actions = ['Deny'],
  namespaceSelector,
}: Lesson): readonly Manifest[] {
  const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] };
  const spec = { matchConstraints: { resourceRules: [rule], namespaceSelector }, validations };
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
