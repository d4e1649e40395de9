import { formatGroupVersion, isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { stringifyJson } from '@kubeadmit/go';
import { listResources, type Resource, type Schemas } from '@kubeadmit/schemas';
import { selectorsIn } from './assumed-kinds.ts';
import { coverKinds, textsOf } from './covered-kinds.ts';

/** The operation of a request. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** A resource or subresource that policies are about. */
export interface Target {
  readonly resource: Resource;
  /** The kind of the objects that are sent. */
  readonly kind: Resource;
  readonly subresource?: string;
  /** The first operation is tested most often. */
  readonly operations: readonly [Operation, ...Operation[]];
}

interface ResourceRule {
  readonly groups: readonly string[];
  readonly versions: readonly string[];
  readonly resources: readonly string[];
}

/** The resources and subresources that any of the policies is about. */
export function targetsOf(policies: readonly JsonObject[], schemas: Schemas): readonly Target[] {
  const rules = policies.flatMap((policy) => rulesOf(policy, schemas));
  // Kyverno asks rules that name no operation about deletions too.
  const deletes =
    policies.some(({ spec }) => objectOf(spec)['rules'] !== undefined) ||
    /\bDELETE\b|"operations":\["\*"\]/.test(stringifyJson(policies));
  return listResources(schemas).flatMap((resource): readonly Target[] => {
    const own = rules.filter(
      ({ groups, versions }) => has(groups, resource.group) && has(versions, resource.version),
    );
    const names = own.flatMap(({ resources }) => resources);
    const [first, ...others] = operationsOn(resource).filter(
      (operation) => deletes || operation !== 'DELETE',
    );
    const isNamed = first !== undefined && has(names, resource.resource);
    const whole: readonly Target[] = isNamed
      ? [{ resource, kind: resource, operations: [first, ...others] }]
      : [];
    return [...whole, ...subresourcesOf(resource, names)];
  });
}

function subresourcesOf(resource: Resource, names: readonly string[]): readonly Target[] {
  return resource.subresources.flatMap((each): readonly Target[] => {
    const { name, group, version, kind, connect } = each;
    const isNamed = [`${resource.resource}/${name}`, `*/${name}`, `${resource.resource}/*`].some(
      (text) => names.includes(text),
    );
    if (!isNamed) return [];
    const operation = connect ? 'CONNECT' : creations.has(name) ? 'CREATE' : 'UPDATE';
    return [
      {
        resource,
        kind: { ...resource, group, version, kind },
        subresource: name,
        operations: [operation],
      },
    ];
  });
}

// Reviews are only created.
function operationsOn({ verbs }: Resource): readonly Operation[] {
  return (['CREATE', 'UPDATE', 'DELETE'] as const).filter((operation) =>
    verbs.includes(operation.toLowerCase()),
  );
}

const creations: ReadonlySet<string> = new Set(['binding', 'eviction', 'token']);

function has(list: readonly string[], value: string): boolean {
  return list.some((each) => each === '*' || each === value);
}

function rulesOf(policy: JsonObject, schemas: Schemas): readonly ResourceRule[] {
  const spec = objectOf(policy['spec']);
  const constraints = objectOf(spec['matchConstraints']);
  // A CleanupPolicy has the filters of a rule in its spec.
  const filters = spec['rules'] ?? spec['match'];
  const given: unknown =
    filters === undefined
      ? constraints['resourceRules']
      : coverKinds(selectorsIn(filters), schemas).rules;
  return (Array.isArray(given) ? given.filter(isObject) : []).map((rule) => ({
    groups: textsOf(rule['apiGroups']),
    versions: textsOf(rule['apiVersions']),
    resources: textsOf(rule['resources']),
  }));
}

/** Whether an object is a policy, of whatever kind. */
export function isPolicy({ kind }: JsonObject): boolean {
  return /Policy$/.test(String(kind));
}

/** Whether a request is one for a target. */
export function isFor({ resource, subresource }: Target, request: AdmissionRequest): boolean {
  return (
    request.resource?.group === resource.group &&
    request.resource.version === resource.version &&
    request.resource.resource === resource.resource &&
    (request.subResource ?? '') === (subresource ?? '')
  );
}

/** The resource of an object; undefined where no server has its kind. */
export function targetOf({ apiVersion, kind }: JsonObject, schemas: Schemas): Target | undefined {
  const resource = listResources(schemas).find(
    (each) => formatGroupVersion(each) === apiVersion && each.kind === kind,
  );
  return resource && { resource, kind: resource, operations: ['CREATE', 'UPDATE'] };
}
