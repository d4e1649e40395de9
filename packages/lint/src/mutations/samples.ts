import { Duration, Optional, Timestamp, type Type, Uint, type Value } from '@kubeadmit/cel';
import { markSum } from '@kubeadmit/cel/unstable-internal';
import { CelMap, OpaqueValue } from '@kubeadmit/cel/values';
import { ObjectValue } from '@kubeadmit/engine/environment';
import type { MergeType } from '@kubeadmit/schemas/merge';
import { memberType } from '../expressions/type-below.ts';
import type { Known, KnownElement, KnownField } from './known.ts';

/** How texts begin that stand for unknown ones. */
export const sampleText = 'some text ';

/** A part of the known facts that samples omit unless it is chosen. */
export type Part = Known | KnownField | KnownElement;

/** A possible value of an expression, with the known properties of each part. */
export interface Sample {
  readonly value: Value;
  readonly known: Known;
  /** The field or element that holds it; leaving it out leaves the value out. */
  readonly holder: Part;
  readonly members: ReadonlyMap<string, Sample>;
  readonly elements: readonly Sample[];
}

/** Which sample is wanted. */
export interface SampleOptions {
  /** The unsure parts that are there. */
  readonly chosen: ReadonlySet<Part>;
  /** The parts that are left out, though they are there. */
  readonly excluded: ReadonlySet<Part>;
}

/**
 * Creates samples of known values: constants are themselves, values of a known type have any value of it, and unknown
 * parts are left out.
 *
 * If the server refuses a sample, it refuses every value that the expression can have while the chosen parts are
 * present.
 */
export class Sampler {
  /** The unsure parts that were met and are not chosen. */
  readonly open: Set<Part> = new Set();
  readonly #options: SampleOptions;
  #count = 0;

  constructor(options: SampleOptions) {
    this.#options = options;
  }

  /**
   * A sample for a place of a type; `undefined` where too little is known.
   *
   * @param isKey the value identifies a list's element, so that it cannot be left out.
   */
  sample(
    known: Known,
    type: MergeType | undefined,
    holder: Part = known,
    isKey = false,
  ): Sample | undefined {
    if (this.#options.excluded.has(holder)) return undefined;
    switch (known.kind) {
      case 'struct':
        return this.#struct(known, type, holder);
      case 'list':
        return this.#list(known, type, holder);
      case 'map':
        return this.#map(known, type, holder);
      case 'choice': {
        const option = known.options.find((each) => this.#options.chosen.has(each));
        if (option !== undefined) return this.sample(option, type, holder, isKey);
        for (const each of known.options) this.open.add(each);
        break;
      }
      case 'optional': {
        const inner = this.#optional(known, type, holder);
        if (inner !== undefined) return inner;
        break;
      }
      default: {
        const value = this.#leaf(known, type);
        if (value !== undefined) return leafSample(value, known, holder);
      }
    }
    if (!isKey) return undefined;
    const stand = type?.scalar === 'numeric' ? this.#number() : this.#text();
    return leafSample(type?.scalar === 'boolean' ? true : stand, known, holder);
  }

  #struct(
    known: Known & { readonly kind: 'struct' },
    type: MergeType | undefined,
    holder: Part,
  ): Sample {
    const members = new Map<string, Sample>();
    for (const field of known.fields) {
      const fieldType = memberType(type, field.name);
      const value = field.isOptional ? this.#present(field) : field.value;
      if (value === undefined) continue;
      const sample = this.sample(value, fieldType, field, this.#isKey(field.name, type));
      if (sample !== undefined) members.set(field.name, sample);
    }
    const fields = new Map([...members].map(([name, { value }]) => [name, value]));
    const value = new ObjectValue(known.name, fields);
    return { value, known, holder, members, elements: [] };
  }

  #keys: readonly string[] = [];
  #keyed: MergeType | undefined;

  #isKey(name: string, type: MergeType | undefined): boolean {
    return type !== undefined && type === this.#keyed && this.#keys.includes(name);
  }

  /** The value of an optional field, when it is there. */
  #present(field: KnownField): Known | undefined {
    const { value } = field;
    const inner = value.kind === 'optional' ? value.value : value;
    if (inner === undefined) return undefined;
    if ((value.kind === 'optional' && value.isSure) || this.#options.chosen.has(field))
      return inner;
    this.open.add(field);
    return undefined;
  }

  #list(
    known: Known & { readonly kind: 'list' },
    type: MergeType | undefined,
    holder: Part,
  ): Sample {
    const elements: Sample[] = [];
    const list = type?.list;
    for (const element of known.elements) {
      if (!element.isSure && !this.#options.chosen.has(element)) {
        this.open.add(element);
        continue;
      }
      const outer = [this.#keyed, this.#keys] as const;
      [this.#keyed, this.#keys] = [list?.element, list?.keys ?? []];
      const sample = this.sample(element.value, list?.element, element);
      [this.#keyed, this.#keys] = outer;
      if (sample !== undefined) elements.push(sample);
    }
    const value = elements.map((each) => each.value);
    if (known.isSum) markSum(value);
    return { value, known, holder, members: new Map(), elements };
  }

  #map(known: Known & { readonly kind: 'map' }, type: MergeType | undefined, holder: Part): Sample {
    const value = new CelMap();
    const members = new Map<string, Sample>();
    for (const entry of known.entries) {
      if (!entry.isSure && !this.#options.chosen.has(entry.value)) {
        this.open.add(entry.value);
        continue;
      }
      const key = this.#leaf(entry.key, { scalar: 'string' });
      if (key === undefined) continue;
      const name = typeof key === 'string' ? key : undefined;
      const entryType = name === undefined ? undefined : memberType(type, name);
      const isKey = name !== undefined && this.#isKey(name, type);
      const sample = this.sample(entry.value, entryType, entry.value, isKey);
      if (sample === undefined && name !== undefined) continue;
      value.set(key, sample === undefined ? true : sample.value);
      if (name !== undefined && sample !== undefined) members.set(name, sample);
    }
    return { value, known, holder, members, elements: [] };
  }

  #optional(
    known: Known & { readonly kind: 'optional' },
    type: MergeType | undefined,
    holder: Part,
  ): Sample | undefined {
    const inner = known.value;
    if (inner === undefined) return leafSample(new Optional(undefined), known, holder);
    if (!known.isSure && !this.#options.chosen.has(inner)) {
      this.open.add(inner);
      return undefined;
    }
    const sample = this.sample(inner, type, holder);
    return sample && { ...sample, value: new Optional(sample.value) };
  }

  #leaf(known: Known, type: MergeType | undefined): Value | undefined {
    switch (known.kind) {
      case 'scalar':
        return known.value;
      case 'text':
        return this.#text();
      case 'data':
        return this.#data(known.type);
      case 'result':
        return this.#typed(known.type, type);
      default:
        return undefined;
    }
  }

  // Data that may have several forms is anything.
  #data({ scalar, list, map }: MergeType): Value | undefined {
    if ([scalar, list, map].filter((each) => each !== undefined).length !== 1) return undefined;
    if (list !== undefined) return [];
    if (map !== undefined) return {};
    if (scalar === 'numeric') return this.#number();
    if (scalar === 'boolean') return true;
    return scalar === 'string' ? this.#text() : undefined;
  }

  #typed(type: Type, wanted: MergeType | undefined): Value | undefined {
    if (type.nullable) return undefined;
    switch (type.kind) {
      case 'bool':
        return true;
      case 'int':
        return this.#number();
      case 'double':
        return 1.5;
      case 'uint':
        return new Uint(1n);
      case 'string':
        return this.#text();
      case 'bytes':
        return new Uint8Array();
      case 'timestamp':
        return new Timestamp(0, 0);
      case 'duration':
        return new Duration(0n);
      case 'null':
        return null;
      case 'list':
        return [];
      case 'map':
        return new CelMap();
      case 'opaque':
        return type.name === 'optional_type' || wanted === undefined
          ? undefined
          : new AnyOpaque(type);
      case 'struct':
        return opaqueStructs.has(type.name) ? new AnyOpaque(type) : undefined;
      default:
        return undefined;
    }
  }

  // No two are the same, as keys of elements must not be.
  #number(): number {
    this.#count++;
    return 10_000 + this.#count;
  }

  #text(): string {
    this.#count++;
    return `${sampleText}${this.#count}`;
  }
}

/** Types that are declared as structs and have values without fields. */
const opaqueStructs: ReadonlySet<string> = new Set([
  'kubernetes.NamedFormat',
  'kubernetes.Quantity',
  'kubernetes.Semver',
  'kubernetes.URL',
]);

/** Some value of an opaque type. */
class AnyOpaque extends OpaqueValue {
  readonly type: Type;
  readonly goType: string;

  constructor(type: Type) {
    super();
    this.type = type;
    this.goType = type.name;
  }

  equals(other: Value): boolean {
    return this === other;
  }
}

function leafSample(value: Value, known: Known, holder: Part): Sample {
  return { value, known, holder, members: new Map(), elements: [] };
}

/** A sample with some unsure parts chosen, made in turn for every such part. */
export interface Exploration {
  readonly chosen: ReadonlySet<Part>;
  /** No unsure part was chosen, so findings hold for every value. */
  readonly isSure: boolean;
}

const mostExplorations = 256;

/**
 * Calls `look` with nothing unsure chosen, then with each unsure part that `look` met, and so on; `look`
 * gives the parts that it met.
 */
export function explore(look: (exploration: Exploration) => Iterable<Part>): void {
  const seen = new Set<Part>();
  const waiting: Exploration[] = [{ chosen: new Set(), isSure: true }];
  for (let count = 0; count < mostExplorations; count++) {
    const next = waiting.shift();
    if (next === undefined) return;
    for (const part of look(next)) {
      if (seen.has(part)) continue;
      seen.add(part);
      waiting.push({ chosen: new Set([...next.chosen, part]), isSure: false });
    }
  }
}
