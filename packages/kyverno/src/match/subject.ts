import { objectField, textField } from '../policy/fields.ts';
import { isObject, type JsonObject, member } from '../values/value.ts';
import { type GroupVersionKind, kindOf } from './kind.ts';
import { type Labels, labelsOf } from './selector.ts';

/** Who makes a request. */
export interface User {
  readonly username: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
  /** Whether nothing at all is known, as in a background scan. */
  readonly isUnknown: boolean;
}

/** Nobody, as in a background scan. */
export const unknownUser: User = {
  username: '',
  groups: [],
  roles: [],
  clusterRoles: [],
  isUnknown: true,
};

/** What filters look at. */
export interface MatchSubject {
  readonly kind: GroupVersionKind;
  readonly subresource: string;
  readonly operation: string;
  /** The kind that the object itself says. */
  readonly objectKind: string;
  /** The object's name, or the beginning of the one to be generated. */
  readonly name: string;
  readonly namespace: string;
  /** The namespace to compare with; a Namespace is compared by its own name. */
  readonly matchedNamespace: string;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly namespaceLabels: Labels;
  readonly user: User;
}

/** The parts of a request that concern every object in it. */
export interface RequestFacts {
  readonly subresource: string;
  readonly operation: string;
  readonly namespaceLabels: Labels;
  readonly user: User;
  /** The kind of the request; the object's own where it is missing. */
  readonly kind?: GroupVersionKind;
}

/** The kind that an object says it has. */
export function objectKindOf(object: JsonObject): GroupVersionKind {
  return kindOf(textMember(object, 'apiVersion'), textMember(object, 'kind'));
}

function textMember(object: JsonObject, name: string): string {
  const value = member(object, name);
  return typeof value === 'string' ? value : '';
}

/** The metadata of an object; the empty map where it has none. */
export function metadataOf(object: JsonObject): JsonObject {
  const metadata = member(object, 'metadata');
  return isObject(metadata) ? metadata : {};
}

/** What filters look at in an object of a request. */
export function matchSubjectOf(object: JsonObject, facts: RequestFacts): MatchSubject {
  const metadata = metadataOf(object);
  const objectKind = textMember(object, 'kind');
  const name = textMember(metadata, 'name');
  const namespace = textMember(metadata, 'namespace');
  return {
    kind: facts.kind ?? objectKindOf(object),
    subresource: facts.subresource,
    operation: facts.operation,
    objectKind,
    name: name === '' ? textField(metadata, 'generateName') : name,
    namespace,
    matchedNamespace: objectKind === 'Namespace' ? name : namespace,
    labels: labelsOf(objectField(metadata, 'labels')),
    annotations: labelsOf(objectField(metadata, 'annotations')),
    namespaceLabels: facts.namespaceLabels,
    user: facts.user,
  };
}
