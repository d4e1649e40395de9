import type { Shape } from '../types/shape.ts';
import type { StructType, TypeStore } from '../types/type-store.ts';
import {
  boolDeclared,
  bytesDeclared,
  type DeclaredField,
  type DeclaredType,
  doubleDeclared,
  emptyDeclared,
  intDeclared,
  intOrStringDeclared,
  listDeclared,
  mapDeclared,
  textDeclared,
  timestampDeclared,
} from './declared-type.ts';
import { escapeProperty } from './escape.ts';

/** The declared types of the built-in structs of one version; each is created on first use. */
export class BuiltinDeclaredTypes {
  readonly #types: TypeStore;
  readonly #structs = new Map<string, DeclaredType>();

  constructor(types: TypeStore) {
    this.#types = types;
  }

  /** The type of the objects that a struct holds. */
  root(name: string): DeclaredType {
    const declared = this.struct(name);
    const metadata = declared.fields?.get('metadata')?.type;
    const isComplete =
      declared.fields?.has('kind') &&
      metadata?.fields?.has('name') &&
      metadata.fields.has('generateName');
    return isComplete ? declared : this.withMetadata(declared);
  }

  /** The type with the fields of every object: `apiVersion`, `kind`, and the names in `metadata`. */
  withMetadata(declared: DeclaredType): DeclaredType {
    const text = (name: string): DeclaredField => ({ name, type: textDeclared(), required: false });
    const names = new Map(['name', 'generateName'].map((name) => [name, text(name)]));
    const metadata: DeclaredType = { kind: 'object', fields: names, minSize: 2 };
    const fields = new Map(declared.fields);
    fields.set('apiVersion', text('apiVersion'));
    fields.set('kind', text('kind'));
    fields.set('metadata', { name: 'metadata', type: metadata, required: false });
    return { ...declared, fields };
  }

  /** The type of a struct; inside itself it is an object without fields. */
  struct(name: string, open: ReadonlySet<string> = new Set()): DeclaredType {
    const known = this.#structs.get(name);
    if (known) return known;
    const type = this.#types.get(name);
    if (!type || open.has(name)) return emptyDeclared;
    const declared = this.#declare(type, new Set([...open, name]));
    if (open.size === 0 || !this.#isCyclic(name)) this.#structs.set(name, declared);
    return declared;
  }

  #declare(type: StructType, open: ReadonlySet<string>): DeclaredType {
    const fields = new Map<string, DeclaredField>();
    for (const { name, shape } of type.fields) {
      const escaped = escapeProperty(name);
      const declared = this.#shape(shape, open);
      if (escaped !== undefined && declared) {
        fields.set(escaped, { name, type: declared, required: false });
      }
    }
    return { kind: 'object', fields, minSize: 2 };
  }

  #shape(shape: Shape, open: ReadonlySet<string>): DeclaredType | undefined {
    switch (shape.kind) {
      case 'struct':
        return this.struct(shape.struct as string, open);
      case 'list':
      case 'map': {
        const element = this.#shape(shape.element as Shape, open);
        if (!element) return undefined;
        return shape.kind === 'list' ? listDeclared(element) : mapDeclared(element);
      }
      case 'any':
        return shape.free === 'raw' || shape.free === 'fields' ? emptyDeclared : undefined;
      case 'quantity':
        return undefined;
      default:
        return leafDeclared(shape.kind);
    }
  }

  /** Whether a struct contains itself. */
  #isCyclic(name: string): boolean {
    const seen = new Set<string>();
    const queue = [name];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      for (const { shape } of this.#types.get(next)?.fields ?? []) {
        let inner: Shape | undefined = shape;
        while (inner?.element) inner = inner.element;
        const struct = inner?.struct;
        if (struct === name) return true;
        if (struct !== undefined && !seen.has(struct)) {
          seen.add(struct);
          queue.push(struct);
        }
      }
    }
    return false;
  }
}

/** The type of a field that holds no others; undefined for those that CEL cannot see, such as quantities. */
export function leafDeclared(kind: Shape['kind']): DeclaredType | undefined {
  return leaves[kind];
}

const leaves: Readonly<Partial<Record<Shape['kind'], DeclaredType>>> = {
  string: textDeclared(),
  bool: boolDeclared,
  int32: intDeclared,
  int64: intDeclared,
  float64: doubleDeclared,
  bytes: bytesDeclared(),
  time: timestampDeclared('date-time'),
  microtime: timestampDeclared('date-time'),
  intorstring: intOrStringDeclared(),
};
