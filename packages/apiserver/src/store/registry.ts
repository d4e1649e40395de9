import { toVersion } from '@kubeadmit/admission/writes';
import {
  formatGroupVersion,
  type GroupVersionKind,
  type KubernetesObject,
} from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import { formatJson } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import { withCurrentSchema, withoutUnknownFields } from '@kubeadmit/schemas/unstable-internal';
import type { Codec } from '../encoding/codec.ts';
import { notFound, plainFailure } from '../errors/failures.ts';
import { type Endpoint, keyOf, storedEndpoint } from '../kinds/endpoint.ts';
import { metadataOf, withMetadata, withRevision } from '../objects/metadata.ts';
import { ObjectCache } from './object-cache.ts';
import { type ClaimOptions, ServiceClaims } from './service-claims.ts';
import type { Store, StoredEntry } from './store.ts';
import { isStorable } from './write-limit.ts';

/** An object that is stored, in the version of its endpoint. */
export interface StoredObject {
  readonly object: KubernetesObject;
  readonly revision: number;
}

/** The outcome of a write that depends on the stored object. */
export type Written =
  | { readonly done: true; readonly object: KubernetesObject }
  | { readonly done: false; readonly current: StoredObject | undefined };

/** An object that is to be written. */
export interface ObjectWrite {
  readonly object: KubernetesObject;
  /** The revision of the stored object; 0 if there is none. */
  readonly expected: number;
  /** By `create`, and not by an update or a patch that may create. */
  readonly isCreate?: boolean | undefined;
  /** Whether it may be stored without its managed fields where it is too large with them; default it is refused. */
  readonly mayDropManagers?: boolean | undefined;
}

/** An object with the forms that it takes on its way into the store. */
interface StoredForm {
  readonly object: KubernetesObject;
  readonly inVersion: KubernetesObject;
  /** The stored object, without its resource version. */
  readonly kept: KubernetesObject;
  /** Its JSON. */
  readonly text: string;
}

/** The parts of a host that a registry needs, and the encodings of objects other than JSON. */
interface RegistryOptions extends Pick<ClaimOptions, 'now' | 'randomId'> {
  readonly codecs: readonly Codec[];
}

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
  readonly #codecs: readonly Codec[];
  /** The revision of the last write that went through here. */
  lastWrite = 0;

  /** @param schemas the kinds that are served now */
  constructor(store: Store, schemas: () => Schemas, { codecs, ...claims }: RegistryOptions) {
    this.store = store;
    this.serviceClaims = new ServiceClaims({ store, ...claims });
    this.#schemas = schemas;
    this.#codecs = codecs;
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
    const read = isCustom ? withCurrentSchema(schemas, kind, object) : object;
    const inVersion = isSame ? read : this.#toVersion(read, kind);
    const made = isCustom && !isSame ? withoutUnknownFields(schemas, kind, inVersion) : inVersion;
    versions.set(apiVersion, { object: made, definition });
    return made;
  }

  /** Writes an object if `expected` is the revision of the stored object; 0 if there is none. */
  async put(endpoint: Endpoint, key: string, write: ObjectWrite): Promise<Written> {
    const { expected } = write;
    const { object, inVersion, kept, text } = this.#fitting(endpoint, key, write);
    const forget = this.cache.expect(key, text, kept);
    try {
      const result = await this.store.put(key, text, { expected });
      if (!result.done) return this.#refused(result.current, endpoint);
      this.lastWrite = Math.max(this.lastWrite, result.revision);
      const { revision } = result;
      const stored = this.cache.objectOf({ key, value: text, revision });
      return { done: true, object: this.#readBack(endpoint, { object, inVersion, stored }) };
    } finally {
      forget();
    }
  }

  /** Returns the written object as the store reads it, where the stored version of a custom resource has defaults. */
  #readBack(
    { isCustom, kind }: Endpoint,
    {
      object,
      inVersion,
      stored,
    }: Pick<StoredForm, 'object' | 'inVersion'> & { readonly stored: KubernetesObject },
  ): KubernetesObject {
    if (inVersion === object) return stored;
    if (isCustom) return this.convert(stored, kind);
    return withMetadata(object, { resourceVersion: metadataOf(stored).resourceVersion });
  }

  /**
   * The form that is stored. Without the managed fields where it would be too large with them and may be: the handlers
   * of kube-apiserver try once more so.
   */
  #fitting(endpoint: Endpoint, key: string, write: ObjectWrite): StoredForm {
    const { object, expected, isCreate = false, mayDropManagers = false } = write;
    const fits = ({ kept, text }: StoredForm): boolean =>
      isStorable({ key, text, expected, isCreate, encode: () => this.#encode(endpoint, kept) });
    const form = this.#storedForm(endpoint, object);
    if (fits(form)) return form;
    if (mayDropManagers) {
      const smaller = this.#storedForm(
        endpoint,
        withMetadata(object, { managedFields: undefined }),
      );
      if (fits(smaller)) return smaller;
    }
    throw plainFailure('etcdserver: request is too large');
  }

  #storedForm({ stored }: Endpoint, object: KubernetesObject): StoredForm {
    const inVersion = this.#toVersion(object, stored);
    const kept = withMetadata(inVersion, { resourceVersion: undefined });
    return { object, inVersion, kept, text: formatJson(kept) };
  }

  // Custom resources are stored as JSON.
  #encode({ isCustom }: Endpoint, object: KubernetesObject): Uint8Array | undefined {
    if (isCustom) return undefined;
    const schemas = this.#schemas();
    const codec = this.#codecs.find((known) => known.encodes(schemas, object));
    return codec?.encode(schemas, object);
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
    const converted = toVersion(this.#schemas(), object, kind);
    if ('error' in converted) throw plainFailure(converted.error);
    return converted.object;
  }
}
