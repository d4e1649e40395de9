import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { folderUntil } from '@kubeadmit/test-support';
import {
  type Converted,
  convertCollection,
  filesBelow,
  objectsOf,
  plainNumbers,
  sortedText,
} from './collection.ts';

// Compares converted policies in a real kube-apiserver with the rules in the real Kyverno CLI, on a collection's
// objects:
//   tsx ask-real.ts FOLDER KUBECONFIG KYVERNO [REQUESTS] [--mutations]
// With --mutations, it compares the mutated objects, after the server has completed those from Kyverno.
// Each policy applies to a separate namespace. Objects get the server's defaults before Kyverno reads them.

const isOfMutations = process.argv.includes('--mutations');
const [folder = '.', kubeconfig = '', kyverno = 'kyverno', wanted = '150'] = process.argv
  .slice(2)
  .filter((each) => each !== '--mutations');
const madeLater: ReadonlyMap<string, RegExp> = new Map([
  ['Job', /^selector$|^(?:batch\.kubernetes\.io\/)?(?:controller-uid|job-name)$/],
  ['Service', /^(?:clusterIPs?|nodePort|healthCheckNodePort)$/],
]);
const work = folderUntil((remove) => process.once('exit', remove));
const perPolicy = 4;
const kindsOfPolicies = ['validating', 'mutating'].flatMap((type) =>
  ['policies', 'policybindings'].map((kind) => `${type}admission${kind}`),
);

const sample = (await convertCollection(folder)).flatMap(pick);
const chosen = sample.filter(
  (_, at) => at % Math.max(1, Math.floor((sample.length * 2.5) / Number(wanted))) === 0,
);
// Policies left by an earlier run would be active too.
for (const kind of kindsOfPolicies) kubectl(['delete', kind, '--all']);
kubectl(['create', 'namespace', 'sample-base']);
for (const [at, { converted }] of chosen.entries()) {
  kubectl(['create', 'namespace', `sample-${at}`]);
  const made = converted.conversion.objects.map((object) => placed(object, at));
  const answer = kubectl(['create', '-f', '-'], lines(made));
  if (answer.status !== 0) console.log(`REFUSED ${converted.file} ${answer.stderr.trim()}`);
}
waitUntilActive();
let asked = 0;
let alike = 0;
const verdicts: Record<string, number> = { allowed: 0, denied: 0, changed: 0 };
for (const [at, { converted, objects }] of chosen.entries()) {
  for (const object of objects) {
    const defaulted = create(object, 'sample-base');
    if (defaulted.object === undefined) continue;
    const { allowed, message } = create(object, `sample-${at}`);
    const own = beforeStorage({
      ...defaulted.object,
      metadata: { ...metadataOf(defaulted.object), namespace: `sample-${at}` },
    });
    if (isOfMutations) {
      const answer = create(object, `sample-${at}`);
      const changed = mutatedByRule(converted.file, own);
      if (changed === undefined) continue;
      // The server drops unknown fields from a webhook's patched object.
      const expected = changed === 'error' ? changed : create(changed, 'sample-base', 'ignore');
      const stored = answer.object === undefined ? 'error' : storedText(answer.object);
      const wantedText =
        expected === 'error' || expected.object === undefined
          ? 'error'
          : storedText(expected.object);
      asked++;
      count(stored === 'error' ? 'denied' : 'allowed');
      if (stored !== 'error' && stored !== storedText(defaulted.object)) count('changed');
      if (stored === wantedText) alike++;
      else {
        const title = `${converted.file.slice(folder.length + 1)} ${String(object['kind'])}/${String(metadataOf(object)['name'])}`;
        console.log(
          `DIFFERENT ${title}\n  server  ${answer.message}${stored}\n  Kyverno ${wantedText}`,
        );
      }
      continue;
    }
    const isDeniedByRule = failsRule(converted.file, own);
    if (isDeniedByRule === undefined) continue;
    asked++;
    count(allowed ? 'allowed' : 'denied');
    if (allowed === !isDeniedByRule) alike++;
    else {
      const name = String(metadataOf(object)['name']);
      console.log(
        `DIFFERENT ${converted.file.slice(folder.length + 1)} ${String(object['kind'])}/${name}: the server ${allowed ? 'allows' : `denies: ${message}`}, Kyverno ${isDeniedByRule ? 'denies' : 'allows'}`,
      );
    }
  }
}
console.log(
  `${chosen.length} policies, ${asked} requests, ${alike} judged alike (${verdicts['allowed']} allowed and ${verdicts['denied']} denied by the server${isOfMutations ? `, ${verdicts['changed']} changed` : ''})`,
);

function count(verdict: string): void {
  verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
}

interface Sampled {
  readonly converted: Converted;
  readonly objects: readonly JsonObject[];
}

// Rules that convert in full, validate, and need nothing but the object.
function pick(converted: Converted): readonly Sampled[] {
  const { policy, conversion, file } = converted;
  const { objects, rules } = conversion;
  const isWhole =
    rules.length > 0 &&
    rules.every(({ status, reason = '' }) => status === 'converted' && !/not known/.test(reason));
  const isAsked =
    policy['kind'] === 'ClusterPolicy' || (isOfMutations && policy['kind'] === 'MutatingPolicy');
  const text = JSON.stringify(objects, plainNumbers);
  if (
    !isWhole ||
    !isAsked ||
    /MutatingAdmission/.test(text) !== isOfMutations ||
    /paramKind|userInfo|namespaceObject|namespaceSelector|oldObject\b.*DELETE/.test(text)
  )
    return [];
  const kinds = new Set([
    'Pod',
    'Deployment',
    'StatefulSet',
    'DaemonSet',
    'CronJob',
    'Job',
    'Service',
    'Ingress',
    'ConfigMap',
    'Role',
    'RoleBinding',
    'PersistentVolumeClaim',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'HorizontalPodAutoscaler',
  ]);
  const others = filesBelow(dirname(file), /\.ya?ml$/, true)
    .filter((each) => each !== file)
    .flatMap((each) => objectsOf(each))
    .filter(
      (object) =>
        kinds.has(String(object['kind'])) &&
        isObject(object['metadata']) &&
        typeof object['metadata']['name'] === 'string',
    );
  const seen = new Map(
    others.map((object) => [`${object['kind']}/${String(metadataOf(object)['name'])}`, object]),
  );
  const all = [...seen.values()];
  const some = all
    .filter((_, at) => at % Math.max(1, Math.floor(all.length / perPolicy)) === 0)
    .slice(0, perPolicy);
  return some.length === 0 ? [] : [{ converted, objects: some }];
}

// Returns the object with a distinct name; bindings deny, and apply only to the policy's namespace.
function placed(object: JsonObject, at: number): JsonObject {
  const name = `sample-${at}-${String(metadataOf(object)['name'])}`.slice(0, 250);
  const spec = object['spec'] as JsonObject;
  const metadata = { name };
  if (!String(object['kind']).endsWith('Binding')) return { ...object, metadata };
  const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': `sample-${at}` } };
  return {
    ...object,
    metadata,
    spec: {
      ...spec,
      policyName: `sample-${at}-${String(spec['policyName'])}`.slice(0, 250),
      ...(isOfMutations ? {} : { validationActions: ['Deny'] }),
      matchResources: { namespaceSelector },
    },
  };
}

function create(
  object: JsonObject,
  namespace: string,
  validation = 'strict',
): { allowed: boolean; message: string; object?: JsonObject } {
  const { status: _, ...rest } = object;
  const { resourceVersion: _v, uid: _u, ...metadata } = metadataOf(object);
  const asked = { ...rest, metadata: { ...metadata, namespace } };
  const flags = ['--dry-run=server', `--validate=${validation}`, '-o', 'json', '-f', '-'];
  const answer = kubectl(['create', ...flags], lines([asked]));
  if (answer.status === 0)
    return { allowed: true, message: '', object: JSON.parse(answer.stdout) as JsonObject };
  const message = answer.stderr.trim();
  const isOfPolicy = /ValidatingAdmissionPolicy|denied request/.test(message);
  if (!isOfPolicy && namespace !== 'sample-base' && !isOfMutations) throw new Error(message);
  return { allowed: false, message };
}

// Whether any rule fails in the Kyverno CLI; undefined where it says nothing that can be read.
function failsRule(file: string, object: JsonObject): boolean | undefined {
  const objectFile = join(work, 'object.json');
  writeFileSync(objectFile, lines([object]));
  const { stdout } = spawnSync(
    kyverno,
    ['apply', file, '--resource', objectFile, '--policy-report', '--output-format', 'json'],
    { encoding: 'utf8' },
  );
  const at = stdout.indexOf('{');
  if (at < 0) {
    const isSilent = /pass: 0, fail: 0, warn: 0, error: 0, skip: 0/.test(stdout);
    if (!isSilent && !/No violations|No policy|no results/i.test(stdout))
      console.log(`UNREAD ${file} ${stdout.slice(0, 300)}`);
    return isSilent ? false : undefined;
  }
  const reports = JSON.parse(stdout.slice(at, stdout.lastIndexOf('}') + 1)) as JsonObject;
  const results = Array.isArray(reports['results']) ? reports['results'].filter(isObject) : [];
  return results.some(({ result }) => result === 'fail' || result === 'error' || result === 'warn');
}

// Returns the object as mutated by the rules in the Kyverno CLI, or `undefined` if its output cannot be read.
function mutatedByRule(file: string, object: JsonObject): JsonObject | 'error' | undefined {
  const objectFile = join(work, 'object.json');
  const madeFile = join(work, 'made.yaml');
  writeFileSync(objectFile, lines([object]));
  rmSync(madeFile, { force: true });
  const { stdout, stderr } = spawnSync(
    kyverno,
    ['apply', file, '--resource', objectFile, '-o', madeFile],
    { encoding: 'utf8' },
  );
  const [, fails, errors] = /fail: (\d+), warn: \d+, error: (\d+)/.exec(stdout) ?? [];
  if (fails === undefined) {
    console.log(`UNREAD ${file} ${(stdout + stderr).trim().slice(-200)}`);
    return undefined;
  }
  if (Number(fails) + Number(errors) > 0) return 'error';
  return (existsSync(madeFile) ? objectsOf(madeFile).at(-1) : undefined) ?? object;
}

// An object without the fields that the server sets after mutations: addresses of Services, and the selector and labels
// with identifiers of Jobs.
function beforeStorage(object: JsonObject): JsonObject {
  const made = madeLater.get(String(object['kind']));
  if (made === undefined) return object;
  return JSON.parse(
    JSON.stringify(object, (key, value: unknown) =>
      made.test(key) ? undefined : plainNumbers(key, value),
    ),
  ) as JsonObject;
}

// Fields written by the server and the object's location do not depend on the policy.
function storedText(stored: JsonObject): string {
  const { metadata: _metadata, status: _status, ...object } = beforeStorage(stored);
  const { labels = {}, annotations = {}, name } = _metadata as JsonObject;
  return sortedText({ ...object, metadata: { labels, annotations, name } });
}

// A policy that is made last acts when all others do.
function waitUntilActive(): void {
  kubectl(['create', 'namespace', 'sample-last']);
  const spec = {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] },
      ],
    },
    validations: [{ expression: 'false' }],
  };
  const group = 'admissionregistration.k8s.io/v1';
  kubectl(
    ['create', '-f', '-'],
    lines([
      {
        apiVersion: group,
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'sample-last' },
        spec,
      },
      {
        apiVersion: group,
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'sample-last' },
        spec: {
          policyName: 'sample-last',
          validationActions: ['Deny'],
          matchResources: {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'sample-last' } },
          },
        },
      },
    ]),
  );
  for (let tries = 0; tries < 120; tries++) {
    const { allowed } = create(
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'last' } },
      'sample-last',
    );
    if (!allowed) return;
    execFileSync('sleep', ['0.5']);
  }
  throw new Error('the policies do not act');
}

function kubectl(
  args: readonly string[],
  input = '',
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync('kubectl', ['--kubeconfig', kubeconfig, ...args], {
    input,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
}

function metadataOf({ metadata }: JsonObject): JsonObject {
  return isObject(metadata) ? metadata : {};
}

function lines(objects: readonly JsonObject[]): string {
  return JSON.stringify(
    objects.length === 1 ? objects[0] : { apiVersion: 'v1', kind: 'List', items: objects },
    plainNumbers,
  );
}
