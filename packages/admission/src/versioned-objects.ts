import { type GroupVersionKind, type KubernetesObject, sameKind } from '@kubeadmit/apimachinery';
import type { RequestAttributes } from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';
import { convertObject } from './convert-object.ts';

/** The objects of a request in the version that a policy matched. */
export interface VersionedObjects {
  readonly kind: GroupVersionKind;
  object: KubernetesObject | null;
  readonly oldObject: KubernetesObject | null;
  /** A mutation has set the object, perhaps to an equal one. */
  dirty: boolean;
  readonly typing: Typing;
}

/**
 * Whether expressions see the objects as Go structs, which have their own comparison and which mutations cannot
 * write.
 *
 * That is the case if match conditions or validations read the objects first, and lasts until the object changes
 * (apiserver admission/conversion.go, `LazyObject`).
 */
export class Typing {
  #wanted: boolean = false;
  #object: boolean | undefined;
  #oldObject: boolean | undefined;

  /** Records an evaluation; `conditions` for match conditions and validations. */
  read(what: 'conditions' | 'mutation'): void {
    if (what === 'conditions') this.#wanted = true;
    this.#object ??= this.#wanted;
    this.#oldObject ??= this.#wanted;
  }

  /** Notes that the object has changed. */
  forgetObject(): void {
    this.#object = undefined;
  }

  get isObjectTyped(): boolean {
    return this.#object ?? false;
  }

  get isOldObjectTyped(): boolean {
    return this.#oldObject ?? false;
  }
}

/** The objects of one request in all versions that policies matched; each is converted once. */
export class VersionedRequest {
  readonly #request: RequestAttributes;
  readonly #schemas: Schemas;
  // Few, and most requests have one.
  readonly #versions: [kind: GroupVersionKind, objects: VersionedObjects | string][] = [];
  #last: VersionedObjects | undefined;

  constructor(request: RequestAttributes, schemas: Schemas) {
    this.#request = request;
    this.#schemas = schemas;
  }

  /** The objects in the version of a kind; an error's text when they cannot be converted. */
  in(kind: GroupVersionKind): VersionedObjects | string {
    // Most policies want to see the same version.
    const last = this.#last;
    if (last !== undefined && (last.kind === kind || sameKind(last.kind, kind))) return last;
    const known = this.#versions.find(([each]) => sameKind(each, kind));
    const versioned = known?.[1] ?? this.#make(kind);
    if (known === undefined) this.#versions.push([kind, versioned]);
    if (typeof versioned !== 'string') this.#last = versioned;
    return versioned;
  }

  #make(kind: GroupVersionKind): VersionedObjects | string {
    const { object, oldObject } = this.#request;
    const versioned: (KubernetesObject | null)[] = [];
    for (const each of [object, oldObject]) {
      const converted = each === null ? null : convertObject(this.#schemas, each, kind);
      if (typeof converted === 'string') return converted;
      versioned.push(converted);
    }
    return {
      kind,
      object: versioned[0] ?? null,
      oldObject: versioned[1] ?? null,
      dirty: false,
      typing: new Typing(),
    };
  }
}
