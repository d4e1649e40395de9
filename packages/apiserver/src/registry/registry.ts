import { convertEvent, isEvent } from '@kubeadmit/admission/internal';
import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
} from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/go/internal';
import { convertVersion, type Schemas } from '@kubeadmit/schemas';
import { findDefinition, withCurrentSchema } from '@kubeadmit/schemas/internal';
import { memoizeText } from '../encoding/encode-response.ts';
import { formatUnversioned, versionedText } from '../encoding/unversioned-text.ts';
import { notFound, plainFailure } from '../errors/failures.ts';
import { type Endpoint, keyOf, storedEndpoint } from '../kinds/endpoint.ts';
import { plainObject } from '../objects/internal-form.ts';
import { withMetadata, withRevision } from '../objects/metadata.ts';
import type { Store, StoredEntry } from '../store/store.ts';
import { ObjectCache } from './object-cache.ts';
import { type ClaimOptions, ServiceClaims } from './service-claims.ts';
import { isCompleted } from './stored-defaults.ts';

/** An object that is stored, in the version of its endpoint. */
export interface StoredObject {
  readonly object: KubernetesObject;
  readonly revision: number;
}

/** The outcome of a write that depends on what is there. */
export type Written =
  | { readonly done: true; readonly object: KubernetesObject }
  | { readonly done: false; readonly current: StoredObject | undefined };

/** An object in another version, or with defaults. */
interface Conversion {
  readonly object: KubernetesObject;
  /** The definition of a custom resource then. */
  readonly definition: unknown;
}

/** Objects in a store: in the version in which they are kept there, and in those in which they are served. */
export class Registry {
  readonly store: Store;
  readonly cache: ObjectCache = new ObjectCache();
  readonly serviceClaims: ServiceClaims;
  readonly #converted: WeakMap<KubernetesObject, Map<string, Conversion>> = new WeakMap();
  readonly #schemas: () => Schemas;
  /** The revision of the last write that went through here. */
  lastWrite = 0;

  /** @param schemas the kinds that are served now */
  constructor(
    store: Store,
    schemas: () => Schemas,
    claims: Pick<ClaimOptions, 'now' | 'randomId'>,
  ) {
    this.store = store;
    this.serviceClaims = new ServiceClaims({ store, ...claims });
    this.#schemas = schemas;
  }

  /** The object of a name, or undefined when it is not there. */
  async get(
    endpoint: Endpoint,
    namespace: string,
    name: string,
  ): Promise<StoredObject | undefined> {
    const entry = await this.store.get(keyOf(endpoint, namespace, name));
    return entry && this.read(entry, endpoint.kind);
  }

  /** The object of a name; throws the 404 of one that is not there. */
  async require(endpoint: Endpoint, namespace: string, name: string): Promise<KubernetesObject> {
    const stored = await this.get(endpoint, namespace, name);
    if (stored === undefined) throw notFound(endpoint.name, name);
    return stored.object;
  }

  /** The object of an entry in a version of its kind. */
  read(entry: StoredEntry, kind: GroupVersionKind): StoredObject {
    return { object: this.convert(this.cache.objectOf(entry), kind), revision: entry.revision };
  }

  /** A stored object in a version of its kind; custom resources are as their definition has them now. */
  convert(object: KubernetesObject, kind: GroupVersionKind): KubernetesObject {
    const apiVersion = formatGroupVersion(kind);
    const isSame = object['apiVersion'] === apiVersion && object['kind'] === kind.kind;
    const schemas = this.#schemas();
    const definition = findDefinition(schemas, kind)?.definition;
    const isCustom = definition !== undefined;
    if (isSame && !isCustom) return object;
    const versions = getOrMake(this.#converted, object, () => new Map<string, Conversion>());
    const known = versions.get(apiVersion);
    if (known !== undefined && known.definition === definition) return known.object;
    const inVersion = isSame ? object : this.#toVersion(object, kind);
    const made = isCustom ? withCurrentSchema(schemas, kind, inVersion) : inVersion;
    versions.set(apiVersion, { object: made, definition });
    return made;
  }

  /** Writes an object where `expected` is the revision of what is there, 0 for nothing. */
  async put(
    endpoint: Endpoint,
    key: string,
    { object, expected }: { readonly object: KubernetesObject; readonly expected: number },
  ): Promise<Written> {
    const inVersion = this.#toVersion(object, endpoint.stored);
    const kept = withMetadata(inVersion, { resourceVersion: undefined });
    const written = formatUnversioned(kept);
    const { text } = written;
    const forget = this.cache.expect(key, text, kept);
    try {
      const result = await this.store.put(key, text, { expected });
      if (!result.done) return this.#refused(result.current, endpoint);
      this.lastWrite = Math.max(this.lastWrite, result.revision);
      const { revision } = result;
      const stored = this.cache.objectOf({ key, value: text, revision });
      const ofStored = versionedText(written, revision);
      if (ofStored !== undefined && !isCompleted(stored)) memoizeText(stored, ofStored);
      return { done: true, object: inVersion === object ? stored : withRevision(object, revision) };
    } finally {
      forget();
    }
  }

  /** Deletes an entry where `expected` is its revision; the object is that with the revision of the deletion. */
  async delete(
    endpoint: Endpoint,
    key: string,
    { object, expected }: { readonly object: KubernetesObject; readonly expected: number },
  ): Promise<Written> {
    const result = await this.store.delete(key, { expected });
    if (!result.done) return this.#refused(result.current, endpoint);
    this.lastWrite = Math.max(this.lastWrite, result.revision);
    return { done: true, object: withRevision(object, result.revision) };
  }

  #refused(current: StoredEntry | undefined, { kind }: Endpoint): Written {
    return { done: false, current: current && this.read(current, kind) };
  }

  /** An object of a request in the version of {@link storedEndpoint}. */
  asStored(object: KubernetesObject, endpoint: Endpoint): KubernetesObject {
    const stored = storedEndpoint(endpoint);
    return stored === endpoint ? object : this.#toVersion(object, stored.kind);
  }

  /** An object in the version of {@link storedEndpoint} in that of the request. */
  asServed(object: KubernetesObject, endpoint: Endpoint): KubernetesObject {
    return storedEndpoint(endpoint) === endpoint ? object : this.#toVersion(object, endpoint.kind);
  }

  #toVersion(object: KubernetesObject, kind: GroupVersionKind): KubernetesObject {
    if (object['apiVersion'] === formatGroupVersion(kind)) return object;
    const named = isEvent(kind) ? convertEvent(object, kind) : object;
    const { object: converted, error } = convertVersion(this.#schemas(), named, kind);
    if (converted === undefined) throw plainFailure(error ?? '');
    return plainObject(converted);
  }
}
