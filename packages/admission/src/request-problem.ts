import { formatGroupVersionKind, type KubernetesObject, sameKind } from '@kubeadmit/apimachinery';
import { describeValue, hasMembers, isPlainObject } from '@kubeadmit/base';
import { findKind, findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { kindOf } from './convert-object.ts';
import { type RequestNames, resourceProblem } from './resource-problem.ts';

type Members = Readonly<Record<string, unknown>>;

/** Members by name, each with its check. */
type Checks = readonly (readonly [name: string, check: Check])[];

/** Returns the problem of a member; `undefined` for a valid one. */
type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const truth: Check = (value) => (typeof value === 'boolean' ? undefined : 'must be a boolean');
const object: Check = (value) => (hasMembers(value) ? undefined : 'must be an object');
// A Map or a Date would be an object without members.
const kubernetesObject: Check = (value) => {
  if (!hasMembers(value)) return 'must be an object';
  return isPlainObject(value) ? undefined : `is ${describeValue(value)}`;
};
const texts: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? undefined
    : 'must be a list of strings';

// Every request is checked, so the checks are created once.
const ofKind: Checks = namedChecks('kind');
const ofResource: Checks = namedChecks('resource');
const ofUser: Checks = Object.entries({ username: text, uid: text, groups: texts, extra });

const optional: Checks = Object.entries<Check>({
  uid: text,
  subResource: text,
  requestKind: (value) => namedProblem(value, 'kind', ofKind),
  requestResource: (value) => namedProblem(value, 'resource', ofResource),
  requestSubResource: text,
  name: text,
  namespace: text,
  object: kubernetesObject,
  oldObject: kubernetesObject,
  dryRun: truth,
  options: object,
  userInfo: (value) => membersProblem(value, ofUser),
});

const required: Checks = Object.entries<Check>({
  operation: (value) =>
    operations.includes(value as string) ? undefined : `must be one of ${operations.join(', ')}`,
  kind: (value) => namedProblem(value, 'kind', ofKind),
  resource: (value) => namedProblem(value, 'resource', ofResource),
});

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const names: ReadonlySet<string> = new Set([...required, ...optional].map(([name]) => name));
const namesInLowerCase: ReadonlyMap<string, string> = new Map(
  [...names].map((name) => [name.toLowerCase(), name]),
);

/**
 * Returns why a value is not an AdmissionRequest as kube-apiserver creates it (admission.k8s.io/v1), or `undefined`
 * if it is valid.
 *
 * The message addresses the author of the value. Go's decoder is more lenient: it treats missing fields as empty,
 * and a request without an operation matches nothing, so that every policy would allow it.
 */
export function requestProblem(schemas: Schemas, value: unknown): string | undefined {
  const problem = hasMembers(value)
    ? (mistakenIdentity(value) ?? memberProblem(value) ?? contentProblem(schemas, value))
    : `it is ${describeValue(value)}`;
  return problem === undefined ? undefined : `not an AdmissionRequest: ${problem}`;
}

// Other things that are given for a request.
function mistakenIdentity(value: Members): string | undefined {
  const { kind, apiVersion } = value;
  if (kind === 'AdmissionReview' || (hasMembers(value['request']) && kind === undefined)) {
    return 'it is an AdmissionReview: give its `request`, or the whole of it to `admitReview`';
  }
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  return `it is an object of kind \`${kind}\`: a request has it as \`object\`, beside \`operation\`, \`kind\` and \`resource\``;
}

function memberProblem(value: Members): string | undefined {
  for (const name of Object.keys(value)) {
    const meant = names.has(name) ? undefined : namesInLowerCase.get(name.toLowerCase());
    if (meant !== undefined) return `\`${name}\` is spelt \`${meant}\``;
  }
  for (const [name, check] of required) {
    if (!has(value, name)) return `it has no \`${name}\``;
    const problem = check(value[name]);
    if (problem !== undefined) return `\`${name}\` ${problem}`;
  }
  return membersProblem(value, optional);
}

function membersProblem(value: unknown, checks: Checks): string | undefined {
  if (!hasMembers(value)) return 'must be an object';
  for (const [name, check] of checks) {
    const problem = has(value, name) ? check(value[name]) : undefined;
    if (problem !== undefined) return `\`${name}\` ${problem}`;
  }
  return undefined;
}

// A group, a version and a name; the core group is empty and may be left out.
function namedChecks(name: string): Checks {
  return Object.entries({ group: text, version: text, [name]: text });
}

function namedProblem(value: unknown, name: string, checks: Checks): string | undefined {
  if (!hasMembers(value)) {
    return `must be an object of \`group\`, \`version\` and \`${name}\`, got ${describeValue(value)}`;
  }
  const missing = ['version', name].find((part) => !has(value, part) || value[part] === '');
  if (missing !== undefined) return `has no \`${missing}\``;
  const problem = membersProblem(value, checks);
  return problem === undefined ? undefined : `is wrong: ${problem}`;
}

function extra(value: unknown): string | undefined {
  if (!hasMembers(value)) return 'must be an object';
  const wrong = Object.keys(value).find((key) => texts(value[key]) !== undefined);
  return wrong === undefined ? undefined : `has no list of strings at \`${wrong}\``;
}

// Checks the consistency of the members with each other.
function contentProblem(schemas: Schemas, value: Members): string | undefined {
  const { operation, namespace } = value;
  if ((operation === 'CREATE' || operation === 'UPDATE') && !has(value, 'object')) {
    return `it has no \`object\`, which every ${operation} has`;
  }
  const mismatch =
    resourceProblem(schemas, value as unknown as RequestNames) ?? objectProblem(value);
  if (mismatch !== undefined) return mismatch;
  const {
    group = '',
    version,
    resource,
  } = (value['requestResource'] ?? value['resource']) as Resource;
  const kind = findKind(schemas, { group, version, resource });
  const isNamespaced = kind !== undefined && findResourceOfKind(schemas, kind)?.namespaced === true;
  if (!isNamespaced || (has(value, 'namespace') && namespace !== '')) return undefined;
  return `it has no \`namespace\`, and \`${resource}\` are in namespaces`;
}

// An object of another kind would be evaluated as the wrong kind.
function objectProblem(value: Members): string | undefined {
  const said = ['kind', 'requestKind'].flatMap((name) => {
    if (!has(value, name)) return [];
    const { group, version, kind } = value[name] as Kind;
    return [{ group: group ?? '', version, kind }];
  });
  for (const name of ['object', 'oldObject']) {
    const object = has(value, name) ? (value[name] as Members) : {};
    if (typeof object['apiVersion'] !== 'string' || typeof object['kind'] !== 'string') continue;
    const found = kindOf(object as KubernetesObject);
    if (said.some((kind) => sameKind(kind, found))) continue;
    const [first = found] = said;
    return `\`${name}\` is ${formatGroupVersionKind(found)}, while \`kind\` is ${formatGroupVersionKind(first)}`;
  }
  return undefined;
}

interface Kind {
  readonly group?: string;
  readonly version: string;
  readonly kind: string;
}

interface Resource {
  readonly group?: string;
  readonly version: string;
  readonly resource: string;
}

// Null counts as absent, as in Go.
function has(value: Members, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== null && value[name] !== undefined;
}
