import {
  type GroupVersionKind,
  groupVersionKindOf,
  type JsonObject,
  type Labels,
  memberObject,
  memberText,
  stringMapOf,
} from '@kubeadmit/apimachinery';
import { objectField, stringField } from '../fields/fields.ts';

/** Who makes a request. */
export interface User {
  readonly username: string;
  readonly groups: readonly string[];
  readonly roles: readonly string[];
  readonly clusterRoles: readonly string[];
  /** Whether nothing at all is known, as in a background scan. */
  readonly isUnknown: boolean;
}

/** The unknown user, as in a background scan. */
export const unknownUser: User = {
  username: '',
  groups: [],
  roles: [],
  clusterRoles: [],
  isUnknown: true,
};

/** The parts of a request that concern every object in it. */
export interface RequestFacts {
  readonly subresource: string;
  readonly operation: string;
  readonly namespaceLabels: Labels;
  /** The Namespace of the request as expressions see it in a cluster; by its name alone where it is missing. */
  readonly namespace?: JsonObject | undefined;
  readonly user: User;
  /** The kind of the request; the object's own where it is missing. */
  readonly kind?: GroupVersionKind;
}

/** The kind that an object says it has. */
export function objectKindOf(object: JsonObject): GroupVersionKind {
  return groupVersionKindOf(memberText(object, 'apiVersion'), memberText(object, 'kind'));
}

/** The labels of an object. */
export function labelsOf(object: JsonObject): Labels {
  return stringMapOf(objectField(memberObject(object, 'metadata'), 'labels'));
}

/** The properties of a request's object that filters read. Labels and annotations are read on demand. */
export class MatchSubject {
  readonly kind: GroupVersionKind;
  readonly subresource: string;
  readonly operation: string;
  /** The kind that the object itself says. */
  readonly objectKind: string;
  /** The object's name, or the beginning of the one to be generated. */
  readonly name: string;
  readonly namespace: string;
  readonly namespaceLabels: Labels;
  readonly user: User;
  readonly #metadata: JsonObject;
  #labels: Labels | undefined;
  #annotations: Labels | undefined;

  constructor(object: JsonObject, facts: RequestFacts) {
    const metadata = memberObject(object, 'metadata');
    const name = memberText(metadata, 'name');
    this.kind = facts.kind ?? objectKindOf(object);
    this.subresource = facts.subresource;
    this.operation = facts.operation;
    this.objectKind = memberText(object, 'kind');
    this.name = name === '' ? stringField(metadata, 'generateName') : name;
    this.namespace = memberText(metadata, 'namespace');
    this.namespaceLabels = facts.namespaceLabels;
    this.user = facts.user;
    this.#metadata = metadata;
  }

  /** The namespace to compare with; a Namespace is compared by its own name. */
  get matchedNamespace(): string {
    return this.objectKind === 'Namespace' ? memberText(this.#metadata, 'name') : this.namespace;
  }

  get labels(): Labels {
    this.#labels ??= stringMapOf(objectField(this.#metadata, 'labels'));
    return this.#labels;
  }

  get annotations(): Labels {
    this.#annotations ??= stringMapOf(objectField(this.#metadata, 'annotations'));
    return this.#annotations;
  }
}
