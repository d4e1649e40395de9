import {
  formatGroupVersion,
  formatGroupVersionKind,
  type GroupVersionKind,
  type GroupVersionResource,
  sameKind,
  sameResource,
} from '@kubeadmit/apimachinery';
import {
  equivalentResources,
  findKind,
  findResourceOfKind,
  type Schemas,
} from '@kubeadmit/schemas';

/** The members of an AdmissionRequest that name its kind and resource; their types are checked. */
export interface RequestNames {
  readonly kind: Named<GroupVersionKind>;
  readonly resource: Named<GroupVersionResource>;
  readonly subResource?: string | null;
  readonly requestKind?: Named<GroupVersionKind> | null;
  readonly requestResource?: Named<GroupVersionResource> | null;
  readonly requestSubResource?: string | null;
}

/** A name whose group may be left out: the core group. */
type Named<Name extends { readonly group: string }> = Omit<Name, 'group'> & {
  readonly group?: string;
};

/**
 * Returns why the kind and the resource of a request do not belong together; `undefined` when they do.
 *
 * kube-apiserver derives one from the other. Policies match by the resource and read the object by its kind, so a
 * request whose members disagree would bypass the policies of its kind.
 */
export function resourceProblem(schemas: Schemas, names: RequestNames): string | undefined {
  const subresource = names.subResource ?? '';
  const asked = names.requestSubResource ?? subresource;
  if (asked !== subresource) {
    return `\`requestSubResource\` is \`${asked}\`, while \`subResource\` is \`${subresource}\``;
  }
  const kind = withGroup(names.kind);
  const resource = withGroup(names.resource);
  const requestKind = names.requestKind ? withGroup(names.requestKind) : kind;
  const requestResource = names.requestResource ? withGroup(names.requestResource) : resource;
  return (
    pairProblem(schemas, { kind, resource, subresource }, ['kind', 'resource']) ??
    pairProblem(schemas, { kind: requestKind, resource: requestResource, subresource }, [
      names.requestKind ? 'requestKind' : 'kind',
      names.requestResource ? 'requestResource' : 'resource',
    ]) ??
    equivalenceProblem(schemas, { resource, requestResource, subresource })
  );
}

function withGroup<Name extends { readonly group?: string }>(name: Name): Name & { group: string } {
  return { ...name, group: name.group ?? '' };
}

interface Pair {
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
}

function pairProblem(
  schemas: Schemas,
  { kind, resource, subresource }: Pair,
  [kindMember, resourceMember]: readonly [kind: string, resource: string],
): string | undefined {
  const taken = findKind(schemas, resource, subresource);
  if (taken !== undefined) {
    // Evictions are accepted in a version that is not served any more.
    const expected = subresource === '' ? taken : { ...taken, version: kind.version };
    if (sameKind(expected, kind)) return undefined;
  }
  if (subresource === '') {
    const served = findResourceOfKind(schemas, kind)?.resource;
    if (served !== undefined && served !== resource.resource) {
      return `\`${resourceMember}\` is \`${resource.resource}\`, while the server has the kind ${kind.kind} as \`${served}\``;
    }
  }
  const hasOwnKind = subresource !== '' && subresource !== 'status';
  const isSameVersion = kind.group === resource.group && kind.version === resource.version;
  if (taken === undefined && (hasOwnKind || isSameVersion)) return undefined;
  return `\`${resourceMember}\` is \`${resourceText(resource, subresource)}\`, while \`${kindMember}\` is \`${formatGroupVersionKind(kind)}\``;
}

// `matchPolicy: Equivalent` converts a request to another version of the same resource only.
function equivalenceProblem(
  schemas: Schemas,
  {
    resource,
    requestResource,
    subresource,
  }: {
    readonly resource: GroupVersionResource;
    readonly requestResource: GroupVersionResource;
    readonly subresource: string;
  },
): string | undefined {
  if (sameResource(requestResource, resource)) return undefined;
  const known = equivalentResources(schemas, requestResource, subresource);
  const isEquivalent =
    known.length === 0
      ? requestResource.resource === resource.resource
      : known.some((other) => sameResource(other, resource));
  if (isEquivalent) return undefined;
  return `\`requestResource\` is \`${resourceText(requestResource, subresource)}\`, which is never sent as \`${resourceText(resource, subresource)}\``;
}

function resourceText(resource: GroupVersionResource, subresource: string): string {
  const name = subresource === '' ? resource.resource : `${resource.resource}/${subresource}`;
  return `${formatGroupVersion(resource)} ${name}`;
}
