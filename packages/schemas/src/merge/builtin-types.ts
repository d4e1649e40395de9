import type { Shape } from '../types/shape.ts';
import type { Field, TypeStore } from '../types/type-store.ts';
import { Doubts } from './doubts.ts';
import { deduced, freeForm, untypedAtomic } from './free-types.ts';
import type { MergeDefault, MergeField, MergeMap, MergeType } from './merge-type.ts';

/** The merge types of the built-in structs of one version; each is created on first use. */
export class BuiltinMergeTypes {
  readonly #types: TypeStore;
  readonly #structs = new Map<string, MergeType>();
  readonly #doubts: Doubts;

  constructor(types: TypeStore) {
    this.#types = types;
    this.#doubts = new Doubts(types);
  }

  /** The type of a struct; free-form when it is not known. */
  struct(name: string): MergeType {
    const known = this.#structs.get(name);
    if (known) return known;
    const type = this.#types.get(name);
    const atomic = type?.map === 'atomic';
    const made = type && type.fields.length > 0 ? { map: this.#map(name, atomic) } : freeForm;
    this.#structs.set(name, made);
    return made;
  }

  #map(name: string, atomic: boolean): MergeMap {
    const fields = new Map<string, MergeField>();
    const doubts = this.#doubts;
    return {
      atomic,
      get doubtful() {
        return doubts.of(name);
      },
      names: () => [...(this.#types.get(name)?.byName.keys() ?? [])],
      field: (key) => {
        const known = fields.get(key);
        if (known) return known;
        const declared = this.#types.get(name)?.byName.get(key);
        if (!declared) return undefined;
        const made = this.#field(declared);
        fields.set(key, made);
        return made;
      },
    };
  }

  #field(field: Field): MergeField {
    const type = this.#fieldType(field);
    return field.key === undefined ? { type } : { type, default: field.key as MergeDefault };
  }

  #fieldType({ shape, list, keys, map }: Field): MergeType {
    if (shape.kind === 'list') {
      const element = this.#shape(shape.element as Shape);
      return { list: { element, atomic: list !== 'set' && list !== 'map', keys: keys ?? [] } };
    }
    const type = this.#shape(shape);
    return map && type.map ? { ...type, map: { ...type.map, atomic: map === 'atomic' } } : type;
  }

  #shape(shape: Shape): MergeType {
    switch (shape.kind) {
      case 'struct':
        return this.struct(shape.struct as string);
      case 'list':
        return { list: { element: this.#shape(shape.element as Shape), atomic: true, keys: [] } };
      case 'map':
        return {
          map: {
            atomic: false,
            field: () => undefined,
            element: this.#shape(shape.element as Shape),
          },
        };
      case 'any':
        return anyTypes[shape.free ?? ''] ?? anything;
      case 'own':
      case 'intorstring':
        return anything;
      default:
        return { scalar: scalars[shape.kind] };
    }
  }
}

const scalars = {
  string: 'string',
  bytes: 'string',
  bool: 'boolean',
  int32: 'numeric',
  int64: 'numeric',
  float64: 'numeric',
  time: 'untyped',
  microtime: 'untyped',
  quantity: 'untyped',
} as const;

/** A schema without a type: all scalars, lists replaced, maps merged. */
const anything: MergeType = deduced;

const anyTypes: Readonly<Record<string, MergeType>> = { raw: untypedAtomic, fields: freeForm };
