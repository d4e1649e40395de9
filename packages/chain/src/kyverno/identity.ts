import {
  type GroupVersionKind,
  type JsonObject,
  member,
  memberText,
  parseGroupVersion,
} from '@kubeadmit/apimachinery';
import { findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { guessPlural } from '../requests/request-parts.ts';

/** The identity of an object. */
export interface ObjectIdentity {
  /** The group and the version. */
  readonly apiVersion: string;
  /** The kind. */
  readonly kind: string;
  /** Empty for objects of the cluster. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
}

/** The identity of an object; parts that are missing are empty. */
export function identityOf(object: JsonObject): ObjectIdentity {
  const metadata = member(object, 'metadata');
  return {
    apiVersion: memberText(object, 'apiVersion'),
    kind: memberText(object, 'kind'),
    namespace: memberText(metadata, 'namespace'),
    name: memberText(metadata, 'name'),
  };
}

/** Whether two objects are the same one. */
export function sameIdentity(left: ObjectIdentity, right: ObjectIdentity): boolean {
  return identityText(left) === identityText(right);
}

/** An identity as tests print it: `apps/v1/Deployment/shop/web`, or the name of a JSON object. */
export function identityText({ apiVersion, kind, namespace, name }: ObjectIdentity): string {
  return kind === '' ? name : [apiVersion, kind, namespace, name].join('/');
}

/** The kind of an object with its group and version apart. */
export function kindOf({ apiVersion, kind }: ObjectIdentity): GroupVersionKind {
  const { group, version } = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  return { group, version, kind };
}

/** The name of the resource that an object belongs to; guessed for kinds that no schema has. */
export function pluralOf(identity: ObjectIdentity, schemas: Schemas): string {
  const known = findResourceOfKind(schemas, kindOf(identity));
  return known?.resource ?? guessPlural(identity.kind);
}

/** Whether objects of a kind are in namespaces; true for kinds that no schema has. */
export function isNamespaced(apiVersion: string, kind: string, schemas: Schemas): boolean {
  const named = kindOf({ apiVersion, kind, namespace: '', name: '' });
  return findResourceOfKind(schemas, named)?.namespaced ?? true;
}
