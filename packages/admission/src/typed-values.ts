import { type GroupVersionKind, groupVersionKindOf } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import type { GoForm } from '@kubeadmit/cel/unstable-internal';
import type { ParamKind } from '@kubeadmit/engine';
import { compareText } from '@kubeadmit/go';
import type { Schemas } from '@kubeadmit/schemas';
import {
  isSameStruct,
  type Shape,
  structNamed,
  structOf,
  structShape,
} from '@kubeadmit/schemas/types';
import { structSyntax, structText } from '@kubeadmit/schemas/unstable-internal';

type Container = object;

/** A value that kube-apiserver holds as a Go struct, with its kind; or the request itself. */
export interface TypedRoot {
  readonly value: unknown;
  readonly kind: GroupVersionKind | 'request';
}

/** The root of a parameter; none where a policy names no kind of parameters. */
export function parameterRoots(value: unknown, paramKind: ParamKind | undefined): TypedRoot[] {
  if (paramKind === undefined) return [];
  const { apiVersion = '', kind = '' } = paramKind;
  return [{ value, kind: groupVersionKindOf(apiVersion, kind) }];
}

const requestTypes: Readonly<Record<string, string>> = {
  kind: 'v1.GroupVersionKind',
  requestKind: 'v1.GroupVersionKind',
  resource: 'v1.GroupVersionResource',
  requestResource: 'v1.GroupVersionResource',
  userInfo: 'v1.UserInfo',
};

interface Typed extends GoForm {
  /** Its Go type, such as `v1.Container` or `[]string`. */
  readonly goType: string;
  /** The shape in the schemas, if the value belongs to a kind. */
  readonly shape?: Shape | undefined;
}

/** A struct of one type; two of different types are never the same. */
class TypedStruct implements Typed {
  readonly kind: 'struct' = 'struct';
  readonly goType: string;
  readonly shape: Shape | undefined;
  readonly #schemas: Schemas;
  readonly #name: string;

  /** @param name the name of a struct of the schemas; empty for the parts of a request */
  constructor(schemas: Schemas, name: string, goType: string = goName(name)) {
    this.goType = goType;
    if (name !== '') this.shape = structShape(name, goType);
    this.#schemas = schemas;
    this.#name = name;
  }

  isSame(struct: object, other: object, otherForm: GoForm): boolean {
    const isOfType =
      otherForm instanceof TypedStruct &&
      otherForm.#name === this.#name &&
      otherForm.goType === this.goType;
    return isOfType && isSameStruct(this.#schemas, this.#name, struct, other);
  }
}

/**
 * Finds the values in expressions that kube-apiserver holds as Go structs, lists and maps: it compares
 * them in its own way, and cannot write them as values of JSON patches (apiserver
 * cel/common/valuesschemalesstyped.go).
 */
export class TypedValues {
  readonly #schemas: Schemas;
  readonly #roots: readonly TypedRoot[];
  readonly #structs: Map<string, Typed> = new Map();
  #found: Map<Container, Typed> | undefined;

  constructor(schemas: Schemas, roots: readonly TypedRoot[]) {
    this.#schemas = schemas;
    this.#roots = roots;
  }

  /** The Go form of a list or map; `undefined` if it is plain JSON. */
  form(container: Container): GoForm | undefined {
    return this.#typed(container);
  }

  /** The Go type of a list or map, such as `map[string]string`; `undefined` when it is JSON. */
  goType(container: Container): string | undefined {
    return this.#typed(container)?.goType;
  }

  /** A list or map as Go's `%v` prints it; `undefined` when it is JSON, or part of the request itself. */
  plain(container: Container): string | undefined {
    const shape = this.#typed(container)?.shape;
    return shape && structText(this.#schemas.types, shape, container);
  }

  /** A list or map as Go's `%#v` prints it; `undefined` as for {@link plain}. */
  syntax(container: Container): string | undefined {
    const shape = this.#typed(container)?.shape;
    return shape && structSyntax(this.#schemas.types, shape, container);
  }

  /** Why a list or map cannot be written; `undefined` when it can. */
  problem(container: Container): string | undefined {
    const typed = this.#typed(container);
    switch (typed?.kind) {
      case 'struct':
        return `type conversion error from struct type ${typed.goType} to *structpb.Value`;
      case 'list':
        return "type conversion error from 'list(dyn)' to '*structpb.Value'";
      case 'map':
        return "type conversion error from 'map(dyn, dyn)' to '*structpb.Value'";
      case undefined:
        return undefined;
    }
  }

  /** The same data with the members of its maps sorted, as Go writes them; structs and JSON keep their order. */
  withSortedMaps(value: unknown): unknown {
    const typed = isContainer(value) ? this.#typed(value) : undefined;
    if (!isContainer(value) || typed === undefined) return value;
    if (Array.isArray(value)) {
      return value.length === 0 ? value : value.map((item) => this.withSortedMaps(item));
    }
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    const members = Object.entries(value).map(([key, member]): [string, unknown] => [
      key,
      this.withSortedMaps(member),
    ]);
    if (typed.kind === 'map') members.sort(([a], [b]) => compareText(a, b));
    return Object.fromEntries(members);
  }

  #typed(container: Container): Typed | undefined {
    this.#found ??= this.#findAll();
    return this.#found.get(container);
  }

  #findAll(): Map<Container, Typed> {
    const found = new Map<Container, Typed>();
    for (const { value, kind } of this.#roots) {
      if (kind === 'request') {
        addRequest(this.#schemas, value, found);
        continue;
      }
      const name = structOf(this.#schemas, kind)?.name;
      if (name !== undefined) this.#addStruct(value, name, found);
    }
    return found;
  }

  #addStruct(value: unknown, name: string | undefined, found: Map<Container, Typed>): void {
    if (!isContainer(value) || Array.isArray(value)) return;
    const struct = name === undefined ? undefined : structNamed(this.#schemas, name);
    found.set(value, this.#form(name ?? ''));
    for (const [key, member] of Object.entries(value)) {
      this.#add(member, struct?.byName.get(key)?.shape, found);
    }
  }

  #form(name: string): Typed {
    return getOrMake(this.#structs, name, () => new TypedStruct(this.#schemas, name));
  }

  #add(value: unknown, shape: Shape | undefined, found: Map<Container, Typed>): void {
    if (!isContainer(value) || shape?.kind === 'any') return;
    if (Array.isArray(value)) {
      found.set(value, { kind: 'list', goType: shape?.go ?? '[]string', shape });
      for (const element of value) this.#add(element, shape?.element, found);
    } else if (shape?.kind === 'struct') {
      this.#addStruct(value, shape.struct, found);
    } else {
      found.set(value, { kind: 'map', goType: shape?.go ?? 'map[string]string', shape });
      for (const member of Object.values(value)) this.#add(member, shape?.element, found);
    }
  }
}

// `core.v1.PodSpec` is `v1.PodSpec` to Go.
function goName(name: string): string {
  return name.split('.').slice(-2).join('.');
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null;
}

function addRequest(schemas: Schemas, request: unknown, found: Map<Container, Typed>): void {
  const struct = (goType: string): Typed => new TypedStruct(schemas, '', goType);
  if (!isContainer(request)) return;
  found.set(request, struct('v1.AdmissionRequest'));
  for (const [key, member] of Object.entries(request)) {
    const type = requestTypes[key];
    if (!isContainer(member)) continue;
    if (type !== undefined) found.set(member, struct(type));
    if (key === 'userInfo') addUser(member, found);
  }
}

function addUser(user: Container, found: Map<Container, Typed>): void {
  for (const value of Object.values(user)) {
    if (Array.isArray(value)) found.set(value, { kind: 'list', goType: '[]string' });
    else if (isContainer(value)) {
      found.set(value, { kind: 'map', goType: 'map[string]v1.ExtraValue' });
      for (const extra of Object.values(value)) {
        if (isContainer(extra)) found.set(extra, { kind: 'list', goType: 'v1.ExtraValue' });
      }
    }
  }
}
