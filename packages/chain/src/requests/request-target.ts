import {
  formatGroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  sameKind,
} from '@kubeadmit/apimachinery';
import {
  findKind,
  findResourceOfKind,
  listResources,
  type Resource,
  type Schemas,
  type Subresource,
} from '@kubeadmit/schemas';
import { guessPlural } from './request-parts.ts';

/** An operation that policies see. */
export type RequestOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** The resource and operation of a request. */
export interface RequestTarget {
  readonly resource: GroupVersionResource;
  /** Empty for the resource itself. */
  readonly subresource: string;
  /** The kind of the object in the request. */
  readonly kind: GroupVersionKind;
  /** Undefined where nothing is known about the kind. */
  readonly namespaced: boolean | undefined;
  readonly operation: RequestOperation;
}

/** The requested operation and subresource, such as `scale` or `statefulsets/scale`; empty for none. */
interface Asked {
  readonly operation: RequestOperation;
  readonly subresource: string;
  readonly schemas: Schemas;
}

/**
 * Finds the resource or subresource that a manifest of a kind is a request for, or returns why there is none.
 *
 * A kind that only subresources take, such as Eviction, Scale or PodExecOptions, is a request for the subresource with
 * the one operation that it has. Of several resources with the subresource, `deployments` is taken unless the asked
 * subresource names another one.
 */
export function targetOf(
  kind: GroupVersionKind,
  asked: Asked,
): RequestTarget | { readonly problem: string } {
  const { schemas, operation } = asked;
  const known = findResourceOfKind(schemas, kind);
  const { owner, name } = parts(asked.subresource);
  const isOfOwn = known !== undefined && (owner === '' || owner === known.resource);
  if (isOfOwn && (name === '' || known.subresources.some((each) => each.name === name))) {
    return ofResource(kind, known, { ...asked, subresource: name });
  }
  const found = ownersOf(schemas, kind).filter(
    ({ resource, subresource }) =>
      (owner === '' || resource.resource === owner) && (name === '' || subresource.name === name),
  );
  const target =
    found.find(
      ({ resource }) => resource.resource === 'deployments' && resource.group === 'apps',
    ) ?? found[0];
  if (target !== undefined) return ofSubresource(target);
  if (known === undefined && asked.subresource === '') {
    const { group, version } = kind;
    const resource = { group, version, resource: guessPlural(kind.kind) };
    return { resource, subresource: '', kind, namespaced: undefined, operation };
  }
  return { problem: noSubresource(kind, known, asked) };
}

/** Whether a kind is taken by a subresource, and not by a resource: `Scale` is, and `Pod` is not. */
export function isSubresourceKind(schemas: Schemas, kind: GroupVersionKind): boolean {
  return findResourceOfKind(schemas, kind) === undefined && ownersOf(schemas, kind).length > 0;
}

interface Owned {
  readonly resource: Resource;
  readonly subresource: Subresource;
}

function ownersOf(schemas: Schemas, kind: GroupVersionKind): readonly Owned[] {
  return listResources(schemas).flatMap((resource) =>
    resource.subresources
      .filter((subresource) => sameKind(subresource, kind))
      .map((subresource) => ({ resource, subresource })),
  );
}

function parts(subresource: string): { readonly owner: string; readonly name: string } {
  const [first = '', second] = subresource.split('/');
  return second === undefined ? { owner: '', name: first } : { owner: first, name: second };
}

function ofResource(
  kind: GroupVersionKind,
  known: Resource,
  { operation, subresource, schemas }: Asked,
): RequestTarget | { readonly problem: string } {
  const { group, version, resource: plural, namespaced } = known;
  const resource = { group, version, resource: plural };
  const taken = findKind(schemas, resource, subresource) ?? kind;
  if (operation === 'CONNECT') {
    return isConnected(taken)
      ? { resource, subresource, kind: taken, namespaced, operation }
      : { problem: notConnected(known) };
  }
  if (taken.kind !== kind.kind) {
    return {
      problem: `${plural}/${subresource} requires a ${taken.kind}; pass a manifest of kind ${taken.kind} in ${formatGroupVersion(taken)}`,
    };
  }
  const part = known.subresources.find(({ name }) => name === subresource);
  if (part !== undefined && !part.verbs.some((verb) => verbsOf[operation].includes(verb))) {
    const accepted = operationOf(part);
    const hint = accepted === 'UPDATE' ? ', which needs the object before the update' : '';
    return {
      problem: `${plural}/${subresource} does not accept ${operation}, only ${accepted}${hint}`,
    };
  }
  return { resource, subresource, kind: taken, namespaced, operation };
}

/** The verbs of the API that become an operation of admission. */
const verbsOf: Readonly<Record<Exclude<RequestOperation, 'CONNECT'>, readonly string[]>> = {
  CREATE: ['create'],
  UPDATE: ['update', 'patch'],
  DELETE: ['delete'],
};

function ofSubresource({ resource: owner, subresource }: Owned): RequestTarget {
  const { group, version, resource, namespaced } = owner;
  return {
    resource: { group, version, resource },
    subresource: subresource.name,
    kind: { group: subresource.group, version: subresource.version, kind: subresource.kind },
    namespaced,
    operation: operationOf(subresource),
  };
}

function operationOf({ connect, verbs }: Subresource): RequestOperation {
  if (connect) return 'CONNECT';
  return verbs.includes('create') ? 'CREATE' : 'UPDATE';
}

/** Whether a kind is the options type of a CONNECT request, such as `PodExecOptions`. */
function isConnected({ kind }: { readonly kind: string }): boolean {
  return /(?:Exec|Attach|PortForward|Proxy)Options$/.test(kind);
}

function notConnected({ resource, subresources }: Resource): string {
  const names = subresources.filter(isConnected).map(({ name }) => `\`${name}\``);
  return names.length === 0
    ? `${resource} have no subresource that accepts CONNECT`
    : `only subresources of ${resource} accept CONNECT: ${names.join(', ')}`;
}

function noSubresource(
  of: GroupVersionKind,
  known: Resource | undefined,
  { subresource, schemas }: Asked,
): string {
  const { owner, name } = parts(subresource);
  const owners = known === undefined && owner === '' ? ownersOf(schemas, of) : [];
  if (owners.length > 0) {
    const places = owners.map((each) => `${each.resource.resource}/${each.subresource.name}`);
    return `${of.kind} is for ${places.join(', ')}, not for the subresource \`${name}\``;
  }
  const named =
    owner === '' ? known : listResources(schemas).find((each) => each.resource === owner);
  const subject = named?.resource ?? (owner || `the kind ${of.kind}`);
  const names = named?.subresources.map((each) => `\`${each.name}\``).join(', ') ?? '';
  const served = names === '' ? 'it has none' : `expected one of ${names}`;
  return `${subject} has no subresource \`${name}\` for a ${of.kind}; ${served}`;
}
