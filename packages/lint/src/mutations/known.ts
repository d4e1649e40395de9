import type { Type, Value } from '@kubeadmit/cel';
import type { MergeType } from '@kubeadmit/schemas/merge';

/**
 * Known facts about the value of an expression, without an object to evaluate it on.
 *
 * `position` is the offset of the expression that produces it, in UTF-16 units.
 */
export type Known =
  | KnownScalar
  | KnownText
  | KnownStruct
  | KnownList
  | KnownMap
  | KnownData
  | KnownChoice
  | KnownOptional
  | KnownResult;

interface Placed {
  readonly position: number;
}

/** A constant: a literal. */
export interface KnownScalar extends Placed {
  readonly kind: 'scalar';
  readonly value: Value;
}

/** A text of which parts are known. */
export interface KnownText extends Placed {
  readonly kind: 'text';
  readonly pieces: readonly TextPiece[];
}

/** A known part of a text, or one of which at most is known that no `/` is in it. */
export type TextPiece = string | { readonly hasSlash: boolean };

/** `Object.spec{…}` or `JSONPatch{…}`. */
export interface KnownStruct extends Placed {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly KnownField[];
}

/** A field of a struct. */
export interface KnownField {
  readonly name: string;
  readonly position: number;
  readonly value: Known;
  /** Written with `?`: set only when its value is there. */
  readonly isOptional: boolean;
}

/** A list that an expression builds. */
export interface KnownList extends Placed {
  readonly kind: 'list';
  readonly elements: readonly KnownElement[];
  /** There are no other elements than these. */
  readonly isComplete: boolean;
  /** It may be the sum of two lists, whose elements the server takes otherwise than those of other lists. */
  readonly isSum?: boolean;
}

/** An element of a list. */
export interface KnownElement {
  readonly value: Known;
  /** It is there whatever the object is, exactly once. */
  readonly isSure: boolean;
}

/** A map that an expression builds. */
export interface KnownMap extends Placed {
  readonly kind: 'map';
  readonly entries: readonly KnownEntry[];
}

/** An entry of a map. */
export interface KnownEntry {
  readonly key: Known;
  readonly value: Known;
  readonly isSure: boolean;
}

/** A value out of an object whose schema is known; it may be null or missing. */
export interface KnownData extends Placed {
  readonly kind: 'data';
  readonly type: MergeType;
  /** How it is reached: `object.spec.replicas`. */
  readonly path: string;
}

/** One of several. */
export interface KnownChoice extends Placed {
  readonly kind: 'choice';
  readonly options: readonly Known[];
}

/** An optional value; `undefined` for `optional.none()`. */
export interface KnownOptional extends Placed {
  readonly kind: 'optional';
  readonly value: Known | undefined;
  /** Whether there is a value each time; otherwise it may be `optional.none()` as well. */
  readonly isSure: boolean;
}

/** Any value of a type. */
export interface KnownResult extends Placed {
  readonly kind: 'result';
  readonly type: Type;
}

/** The same knowledge about a value that is used elsewhere. */
export function placed(known: Known, position: number): Known {
  switch (known.kind) {
    case 'scalar':
    case 'text':
    case 'data':
    case 'result':
      return { ...known, position };
    case 'struct': {
      const fields = known.fields.map((field) => ({
        ...field,
        position,
        value: placed(field.value, position),
      }));
      return { ...known, position, fields };
    }
    case 'list': {
      const elements = known.elements.map((element) => ({
        ...element,
        value: placed(element.value, position),
      }));
      return { ...known, position, elements };
    }
    case 'map': {
      const entries = known.entries.map(({ key, value, isSure }) => ({
        key: placed(key, position),
        value: placed(value, position),
        isSure,
      }));
      return { ...known, position, entries };
    }
    case 'choice':
      return { ...known, position, options: known.options.map((each) => placed(each, position)) };
    case 'optional':
      return { ...known, position, value: known.value && placed(known.value, position) };
    default:
      return known satisfies never;
  }
}
