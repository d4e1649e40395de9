import { type JsonObject, parseGroupVersion } from '@kubeadmit/apimachinery';
import { quote } from '@kubeadmit/go';
import { metadataText } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { compileSelector, isSelected } from '../match/selector.ts';
import { labelsOf, objectKindOf } from '../match/subject.ts';

/** The identity of an object that a rule generates or clones (Kyverno's `ResourceSpec`). */
export interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Says that an object to be updated does not exist. */
export class NotFound extends Failure {}

/** The objects of a cluster while the rules of a policy generate others. */
export interface ObjectStore {
  /** The object of an identity, or the reason why it is not found. */
  get(reference: ObjectReference): JsonObject | NotFound;
  /** The objects of a kind in a namespace, or in all; a kind is written as in `cloneList.kinds`. */
  list(
    kind: string,
    namespace: string,
    selector: JsonObject | undefined,
  ): readonly JsonObject[] | Failure;
  /** Creates an object unless there is one of its identity. */
  create(reference: ObjectReference, object: JsonObject): Failure | undefined;
  /** Replaces an object. */
  update(reference: ObjectReference, object: JsonObject): NotFound | undefined;
  /** Whether objects of a kind are in namespaces, as far as known. */
  isNamespaced(reference: ObjectReference): boolean;
}

/** The identity of an object. */
export function referenceOf(object: JsonObject): ObjectReference {
  const { group, version, kind } = objectKindOf(object);
  const apiVersion = group === '' ? version : `${group}/${version}`;
  return {
    apiVersion,
    kind,
    namespace: metadataText(object, 'namespace'),
    name: metadataText(object, 'name'),
  };
}

/** The objects of a cluster, by kind, namespace and name. */
export class ClusterStore implements ObjectStore {
  readonly #objects = new Map<string, JsonObject>();
  readonly #isNamespaced: (reference: ObjectReference) => boolean;

  constructor(
    objects: readonly JsonObject[],
    isNamespaced: (reference: ObjectReference) => boolean = () => true,
  ) {
    for (const object of objects) this.#objects.set(keyOf(referenceOf(object)), object);
    this.#isNamespaced = isNamespaced;
  }

  get(reference: ObjectReference): JsonObject | NotFound {
    const { apiVersion, kind } = reference;
    const resource = `${parseGroupVersion(apiVersion)?.group ?? ''}//${pluralOf(kind)}`;
    return this.#objects.get(keyOf(reference)) ?? notFound(groupResource(resource), reference);
  }

  list(kind: string, namespace: string, selector: JsonObject | undefined): readonly JsonObject[] {
    const wanted = splitKind(kind);
    return selected([...this.#objects.values()], namespace, selector).filter((object) => {
      const { apiVersion, kind: found } = referenceOf(object);
      return (
        found === wanted.kind && (wanted.apiVersion === '' || wanted.apiVersion === apiVersion)
      );
    });
  }

  create(reference: ObjectReference, object: JsonObject): undefined {
    const key = keyOf(reference);
    if (!this.#objects.has(key)) this.#objects.set(key, object);
  }

  update(reference: ObjectReference, object: JsonObject): undefined {
    this.#objects.set(keyOf(reference), object);
  }

  isNamespaced(reference: ObjectReference): boolean {
    return this.#isNamespaced(reference);
  }
}

/**
 * The objects that the Kyverno CLI generates from: the trigger and the sources of clones, in client-go's fake client.
 *
 * The CLI finds an object by the plural `KIND` + `s` of its kind, and client-go files it under the proper plural, so that
 * kinds such as NetworkPolicy are not found. Kinds that no known object has share one place.
 */
export class CliStore implements ObjectStore {
  readonly #objects = new Map<string, JsonObject>();
  /** Resources as `GROUP/VERSION/PLURAL`, by the plural. */
  readonly #resources = new Map<string, string>();
  readonly #listed: ReadonlySet<string>;

  /** @param listedKinds the kinds that rules name in `cloneList.kinds` */
  constructor(objects: readonly JsonObject[], listedKinds: readonly string[]) {
    for (const object of objects) {
      const kind = objectKindOf(object);
      const plural = `${kind.kind.toLowerCase()}s`;
      const resource = `${kind.group}/${kind.version}`;
      if (!this.#resources.has(plural)) this.#resources.set(plural, `${resource}/${plural}`);
      const { namespace, name } = referenceOf(object);
      this.#objects.set(`${resource}/${pluralOf(kind.kind)} ${namespace}/${name}`, object);
    }
    const listed = objects
      .map(objectKindOf)
      .map(({ group, version, kind }) => `${group}/${version}/${pluralOf(kind)}`);
    for (const resource of knownResources) {
      const plural = lastPart(resource);
      if (!this.#resources.has(plural)) this.#resources.set(plural, resource);
    }
    this.#listed = new Set([...listed, ...listedKinds.flatMap(listedResource)]);
  }

  get(reference: ObjectReference): JsonObject | NotFound {
    const resource = this.#resourceOf(reference);
    return (
      this.#objects.get(placeOf(resource, reference)) ??
      notFound(groupResource(resource), reference)
    );
  }

  list(
    kind: string,
    namespace: string,
    selector: JsonObject | undefined,
  ): readonly JsonObject[] | Failure {
    const resource = this.#resourceOf(splitKind(kind));
    if (!this.#listed.has(resource)) return new Failure(`the kind ${kind} cannot be listed`);
    const objects = [...this.#objects].flatMap(([place, object]) =>
      place.startsWith(`${resource} `) ? [object] : [],
    );
    return selected(objects, namespace, selector);
  }

  create(reference: ObjectReference, object: JsonObject): Failure | undefined {
    const place = placeOf(this.#resourceOf(reference), reference);
    if (!this.#objects.has(place)) this.#objects.set(place, object);
    return undefined;
  }

  update(reference: ObjectReference, object: JsonObject): NotFound | undefined {
    const resource = this.#resourceOf(reference);
    const place = placeOf(resource, reference);
    if (!this.#objects.has(place)) return notFound(groupResource(resource), reference);
    this.#objects.set(place, object);
    return undefined;
  }

  isNamespaced({ kind }: ObjectReference): boolean {
    return !this.#resources.has(`${kind.toLowerCase()}s`);
  }

  /** The resource of a kind; empty for a kind that the fake client does not know. */
  #resourceOf(reference: Pick<ObjectReference, 'apiVersion' | 'kind'>): string {
    const { apiVersion, kind } =
      reference.apiVersion === '' ? splitKind(reference.kind) : reference;
    if (parseGroupVersion(apiVersion) === undefined) return '';
    return this.#resources.get(`${kind.toLowerCase()}s`) ?? '';
  }
}

/** The resources of Kyverno's fake discovery client. */
const knownResources: readonly string[] = [
  ...['configmaps', 'endpoints', 'namespaces', 'resourcequotas', 'secrets', 'serviceaccounts'].map(
    (plural) => `/v1/${plural}`,
  ),
  ...['daemonsets', 'deployments', 'statefulsets'].map((plural) => `apps/v1/${plural}`),
];

/** The API version and kind in an entry such as `Secret`, `v1/Secret` or `apps/v1/Deployment` (`GetKindFromGVK`). */
function splitKind(text: string): { readonly apiVersion: string; readonly kind: string } {
  const parts = text.split('/');
  const [first = '', second = '', third = '', fourth = ''] = parts;
  const isVersion = /^(?:v\d(?:(?:alpha|beta)\d)?|\*)$/.test(first);
  if (parts.length === 1) return { apiVersion: '', kind: withSubresource(text) };
  if (parts.length === 2) {
    return isVersion && text !== '*/*'
      ? { apiVersion: first, kind: withSubresource(second) }
      : { apiVersion: '', kind: text };
  }
  if (parts.length === 3) {
    return isVersion
      ? { apiVersion: first, kind: `${second}/${third}` }
      : { apiVersion: `${first}/${second}`, kind: withSubresource(third) };
  }
  return parts.length === 4
    ? { apiVersion: `${first}/${second}`, kind: `${third}/${fourth}` }
    : { apiVersion: '', kind: '' };
}

function withSubresource(kind: string): string {
  return kind.replace('.', '/');
}

/** The resource under which the CLI lists a kind; none for a kind without a version. */
function listedResource(text: string): readonly string[] {
  const { apiVersion, kind } = splitKind(text);
  const parsed = parseGroupVersion(apiVersion);
  if (apiVersion === '' || kind === '' || parsed === undefined) return [];
  return [`${parsed.group}/${parsed.version}/${kind.toLowerCase()}s`];
}

function selected(
  objects: readonly JsonObject[],
  namespace: string,
  selector: JsonObject | undefined,
): readonly JsonObject[] {
  const compiled = selector && compileSelector(selector);
  return objects.filter(
    (object) =>
      (namespace === '' || metadataText(object, 'namespace') === namespace) &&
      (compiled === undefined || isSelected(compiled, labelsOf(object))),
  );
}

/** The plural of a kind as apimachinery guesses it (`UnsafeGuessKindToResource`). */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular === 'endpoints') return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

function keyOf({ apiVersion, kind, namespace, name }: ObjectReference): string {
  return [apiVersion, kind, namespace, name].join(' ');
}

function placeOf(resource: string, { namespace, name }: ObjectReference): string {
  return `${resource} ${namespace}/${name}`;
}

function notFound(resource: string, { name }: ObjectReference): NotFound {
  return new NotFound(`${resource} ${quote(name)} not found`);
}

/** The name of a resource `GROUP/VERSION/PLURAL` in errors: `deployments.apps`. */
function groupResource(resource: string): string {
  const [group = '', , plural = ''] = resource.split('/');
  return group === '' ? plural : `${plural}.${group}`;
}

function lastPart(resource: string): string {
  return resource.slice(resource.lastIndexOf('/') + 1);
}
