import type { Random } from '@kubeadmit/random';
import type { RestCase, Step } from './play/play-case.ts';

const root = '/api/v1/namespaces/default/configmaps';
const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const names = ['a', 'b', 'c'];
const managers = ['one', 'two', 'three'];
const keys = ['x', 'y', 'z'];

/** A case of random operations on few objects, which ends with the final state and all events. */
export function randomCase(random: Random, id: string, length: number): RestCase {
  // The first write returns the version at which the watch starts.
  const steps: Step[] = [{ request: `POST ${root}`, body: configMap('first', {}) }];
  for (let i = 0; i < length; i++) steps.push(operation(random, steps));
  return { id, steps: [...steps, ...endings()] };
}

/** Returns the last steps of a case: lists and watches of everything since its first write. */
export function endings(): readonly Step[] {
  return [root, policies].flatMap((path) => [
    { request: `GET ${path}` },
    { request: `GET ${path}?watch=1&timeoutSeconds=1&resourceVersion={{rv:1}}` },
  ]);
}

function operation(random: Random, before: readonly Step[]): Step {
  const name = random.pick(names);
  const isPolicy = random.chance(0.25);
  const path = isPolicy ? policies : root;
  const item = `${path}/${name}`;
  const object = isPolicy ? policy(random, name) : configMap(name, metadata(random), random);
  const query = queryOf(random);
  switch (random.pick(['create', 'update', 'merge', 'json', 'apply', 'apply', 'delete', 'read'])) {
    case 'create':
      return { request: `POST ${path}${query}`, body: object };
    case 'update':
      return { request: `PUT ${item}${query}`, body: withVersion(random, object, before) };
    case 'merge': {
      const { metadata: own, data, spec } = object;
      const body = random.chance(0.5) ? { metadata: own } : isPolicy ? { spec } : { data };
      return patch('merge-patch+json', `${item}${query}`, body);
    }
    case 'json':
      return patch('json-patch+json', `${item}${query}`, jsonPatch(random, isPolicy));
    case 'apply': {
      const force = random.chance(0.3) ? '&force=true' : '';
      const request = `${item}?fieldManager=${random.pick(managers)}${force}${random.chance(0.05) ? '&dryRun=All' : ''}`;
      return patch('apply-patch+yaml', request, object);
    }
    case 'delete':
      return deletion(random, item);
    default:
      return {
        request: `GET ${random.chance(0.5) ? item : `${path}?labelSelector=${random.pick(keys)}`}`,
      };
  }
}

function patch(type: string, request: string, body: unknown): Step {
  return {
    request: `PATCH ${request}`,
    headers: { 'content-type': `application/${type}` },
    body,
  };
}

function queryOf(random: Random): string {
  const options = [
    ...(random.chance(0.6) ? [`fieldManager=${random.pick(managers)}`] : []),
    ...(random.chance(0.05) ? ['dryRun=All'] : []),
    ...(random.chance(0.1) ? ['fieldValidation=Strict'] : []),
  ];
  return options.length === 0 ? '' : `?${options.join('&')}`;
}

interface Metadata {
  readonly name?: string;
  readonly [field: string]: unknown;
}

function metadata(random: Random): Metadata {
  const labels = random.chance(0.5) ? { labels: texts(random) } : {};
  const annotations = random.chance(0.2) ? { annotations: texts(random) } : {};
  const finalizers = random.chance(0.15)
    ? { finalizers: [`example.com/${random.pick(['f', 'g'])}`] }
    : {};
  return { ...labels, ...annotations, ...finalizers };
}

function texts(random: Random): Readonly<Record<string, string>> {
  const entries = keys
    .filter(() => random.chance(0.5))
    .map((key) => [key, random.pick(['1', '2', ''])] as const);
  return Object.fromEntries(entries);
}

interface Manifest {
  readonly metadata: Metadata;
  readonly data?: unknown;
  readonly spec?: unknown;
  readonly [field: string]: unknown;
}

function configMap(name: string, more: Metadata, random?: Random): Manifest {
  const data = random?.chance(0.8) ? { data: texts(random) } : {};
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more }, ...data };
}

function policy(random: Random, name: string): Manifest {
  const rules = [
    {
      apiGroups: [''],
      apiVersions: ['v1'],
      resources: [random.pick(['secrets', 'pods'])],
      operations: [random.pick(['CREATE', 'UPDATE'])],
    },
  ];
  const some = (): boolean => random.chance(0.4);
  const condition = (): object => ({
    name: random.pick(keys),
    expression: random.pick(['true', '1 == 1']),
  });
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name, ...metadata(random) },
    spec: {
      ...(random.chance(0.9) ? { matchConstraints: { resourceRules: rules } } : {}),
      ...(random.chance(0.9)
        ? { validations: [{ expression: random.pick(['true', '2 > 1', '1']) }] }
        : {}),
      ...(some() ? { failurePolicy: random.pick(['Fail', 'Ignore', 'Maybe']) } : {}),
      ...(some() ? { matchConditions: [condition()] } : {}),
      ...(some() ? { variables: [{ name: random.pick(keys), expression: '1' }] } : {}),
    },
  };
}

function withVersion(random: Random, object: Manifest, before: readonly Step[]): Manifest {
  const isVersioned = object['kind'] !== 'ConfigMap' || random.chance(0.4);
  if (!isVersioned) return object;
  // The version of a recent answer, which may be about another object or a refusal.
  const place = Math.max(1, before.length - Math.floor(random.below(6)));
  return { ...object, metadata: { ...object.metadata, resourceVersion: `{{rv:${place}}}` } };
}

function jsonPatch(random: Random, isPolicy: boolean): readonly object[] {
  const key = random.pick(keys);
  return [
    random.pick([
      { op: 'add', path: `/metadata/labels/${key}`, value: '3' },
      { op: 'add', path: '/metadata/labels', value: { [key]: '4' } },
      { op: 'remove', path: `/metadata/labels/${key}` },
      { op: 'remove', path: '/metadata/finalizers' },
      { op: 'replace', path: '/metadata/managedFields', value: [{}] },
      isPolicy
        ? { op: 'replace', path: '/spec/failurePolicy', value: 'Ignore' }
        : { op: 'add', path: `/data/${key}`, value: '5' },
      isPolicy
        ? { op: 'remove', path: '/spec/matchConditions' }
        : { op: 'test', path: `/data/${key}`, value: '1' },
    ]),
  ];
}

function deletion(random: Random, item: string): Step {
  const policy = random.pick(['', '?propagationPolicy=Orphan', '?propagationPolicy=Foreground']);
  if (random.chance(0.3)) {
    return {
      request: `DELETE ${item}`,
      body: { preconditions: { uid: random.pick(['x', '']) || undefined } },
    };
  }
  return { request: `DELETE ${item}${random.chance(0.3) ? policy : ''}` };
}
