import { findKind, findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { describeValue, isObject } from './describe-value.ts';

type Members = Readonly<Record<string, unknown>>;

/** Says what is wrong with a member; `undefined` when nothing is. */
type Check = (value: unknown) => string | undefined;

const text: Check = (value) => (typeof value === 'string' ? undefined : 'is no string');
const truth: Check = (value) => (typeof value === 'boolean' ? undefined : 'is no boolean');
const object: Check = (value) => (isObject(value) ? undefined : 'is no object');
const texts: Check = (value) =>
  Array.isArray(value) && value.every((each) => typeof each === 'string')
    ? undefined
    : 'is no list of strings';

const optional: Readonly<Record<string, Check>> = {
  uid: text,
  subResource: text,
  requestKind: (value) => kindProblem(value),
  requestResource: (value) => resourceProblem(value),
  requestSubResource: text,
  name: text,
  namespace: text,
  object,
  oldObject: object,
  dryRun: truth,
  options: object,
  userInfo: (value) => membersProblem(value, { username: text, uid: text, groups: texts, extra }),
};

const required: Readonly<Record<string, Check>> = {
  operation: (value) =>
    operations.includes(value as string) ? undefined : `is none of ${operations.join(', ')}`,
  kind: (value) => kindProblem(value),
  resource: (value) => resourceProblem(value),
};

const operations = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];
const names = [...Object.keys(required), ...Object.keys(optional)];

/**
 * What keeps a value from being an AdmissionRequest as kube-apiserver makes them (admission.k8s.io/v1), in words for
 * whoever made it; `undefined` when nothing does.
 *
 * Go's decoder takes much more: what is missing is empty there, and a request without operation is about nothing, so
 * that every policy lets it pass.
 */
export function requestProblem(schemas: Schemas, value: unknown): string | undefined {
  const problem = isObject(value)
    ? (mistakenIdentity(value) ?? memberProblem(value) ?? contentProblem(schemas, value))
    : `it is ${describeValue(value)}`;
  return problem === undefined ? undefined : `not an AdmissionRequest: ${problem}`;
}

// Other things that are given for a request.
function mistakenIdentity(value: Members): string | undefined {
  const { kind, apiVersion } = value;
  if (kind === 'AdmissionReview' || (isObject(value['request']) && kind === undefined)) {
    return 'it is an AdmissionReview: give its `request`, or the whole of it to `admitReview`';
  }
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return undefined;
  return `it is an object of kind \`${kind}\`: a request has it as \`object\`, beside \`operation\`, \`kind\` and \`resource\``;
}

function memberProblem(value: Members): string | undefined {
  for (const name of Object.keys(value)) {
    const meant = names.find((known) => known.toLowerCase() === name.toLowerCase());
    if (meant !== undefined && meant !== name) return `\`${name}\` is spelt \`${meant}\``;
  }
  for (const [name, check] of Object.entries(required)) {
    if (!has(value, name)) return `it has no \`${name}\``;
    const problem = check(value[name]);
    if (problem !== undefined) return `\`${name}\` ${problem}`;
  }
  return membersProblem(value, optional);
}

function membersProblem(
  value: unknown,
  checks: Readonly<Record<string, Check>>,
): string | undefined {
  if (!isObject(value)) return 'is no object';
  for (const [name, check] of Object.entries(checks)) {
    const problem = has(value, name) ? check(value[name]) : undefined;
    if (problem !== undefined) return `\`${name}\` ${problem}`;
  }
  return undefined;
}

function kindProblem(value: unknown): string | undefined {
  return namedProblem(value, 'kind');
}

function resourceProblem(value: unknown): string | undefined {
  return namedProblem(value, 'resource');
}

// A group, a version and a name; the core group is empty and may be left out.
function namedProblem(value: unknown, name: string): string | undefined {
  if (!isObject(value)) {
    return `is ${describeValue(value)}, not an object of \`group\`, \`version\` and \`${name}\``;
  }
  for (const part of ['version', name]) {
    if (!has(value, part) || value[part] === '') return `has no \`${part}\``;
  }
  const problem = membersProblem(value, { group: text, version: text, [name]: text });
  return problem === undefined ? undefined : `is wrong: ${problem}`;
}

function extra(value: unknown): string | undefined {
  if (!isObject(value)) return 'is no object';
  const wrong = Object.keys(value).find((key) => texts(value[key]) !== undefined);
  return wrong === undefined ? undefined : `has no list of strings at \`${wrong}\``;
}

// What the members have to say together.
function contentProblem(schemas: Schemas, value: Members): string | undefined {
  const { operation, namespace } = value;
  if ((operation === 'CREATE' || operation === 'UPDATE') && !has(value, 'object')) {
    return `it has no \`object\`, which every ${operation} has`;
  }
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

interface Resource {
  readonly group?: string;
  readonly version: string;
  readonly resource: string;
}

// Null counts as absent, as in Go.
function has(value: Members, name: string): boolean {
  return Object.hasOwn(value, name) && value[name] !== null && value[name] !== undefined;
}
