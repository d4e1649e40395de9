import { readdirSync, readFileSync } from 'node:fs';
import { type Manifest, readManifests, Source } from '@kubeadmit/manifest';
import { parse } from 'yaml';
import { type PreparedCheck, type PrepareOptions, prepareCheck } from '../src/index.ts';

/** What a small check is for: what is given, what comes of it, and a name that says why. */
export interface Lesson {
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

const lessons = new URL('lessons/', import.meta.url);

/** The source folders that have lessons. */
export const taught: readonly string[] = readdirSync(lessons).map((file) =>
  file.replace('.yaml', ''),
);

/** The lessons of a source folder. */
export function readLessons(folder: string): readonly Lesson[] {
  return parse(readFileSync(new URL(`${folder}.yaml`, lessons), 'utf8')) as readonly Lesson[];
}

/** Reads what a lesson gives and makes requests of it; `tell` hears what is wrong with the inputs. */
export async function prepareLesson(
  { given, validations = [{ expression: 'true' }], actions = ['Deny'], before, options }: Lesson,
  tell: (text: string) => void = () => undefined,
): Promise<PreparedCheck> {
  const settings: PrepareOptions = {
    namespace: 'default',
    user: { name: 'ann', groups: ['developers'] },
    ...(before === undefined ? {} : { operation: 'UPDATE', oldResources: manifestsOf(before) }),
    ...options,
  };
  const all = [...manifestsOf(String(given)), ...policyOf(validations, actions)];
  return prepareCheck(
    all.map((manifest) => ({ manifest, role: 'any' })),
    settings,
    ({ message, place }, severity) => tell(`${severity} in line ${place?.line ?? '?'}: ${message}`),
  );
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
