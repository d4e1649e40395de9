import { LineTable } from '../types/line-table.ts';
import type { Field, StructType } from '../types/type-store.ts';

/** How a struct lies in its message, by ascending number. */
export interface Layout {
  readonly slots: readonly Slot[];
  readonly byNumber: ReadonlyMap<number, Slot>;
}

/** A number of a message: a field, or a message in between whose fields are the struct's own in JSON. */
export type Slot =
  | { readonly number: number; readonly field: Field; readonly inner?: undefined }
  | {
      readonly number: number;
      readonly inner: Layout;
      /** Whether an empty message is omitted: true for a list that has its own message. */
      readonly omitEmpty: boolean;
      readonly field?: undefined;
    };

/** A number, or those of the messages in between and the field's own. */
type FieldNumber = number | readonly number[];

/** The layouts of the structs of one version; each is created on first use. */
export class Layouts {
  readonly #numbers: LineTable;
  readonly #layouts = new WeakMap<StructType, Layout>();

  /** @param text a line for each struct: its name and the numbers of its fields as JSON */
  constructor(text: string) {
    this.#numbers = new LineTable(text);
  }

  /** The layout of a struct; undefined where the server has no message for it. */
  of(type: StructType): Layout | undefined {
    const known = this.#layouts.get(type);
    if (known) return known;
    const numbers = this.#numbers.get(type.name) as
      | Readonly<Record<string, FieldNumber>>
      | undefined;
    // A struct without fields has a message without numbers.
    if (!numbers && type.fields.length > 0) return undefined;
    const fields = type.fields.flatMap((field): [readonly number[], Field][] => {
      const number = numbers?.[field.name];
      return number === undefined ? [] : [[typeof number === 'number' ? [number] : number, field]];
    });
    const layout = layoutOf(fields);
    this.#layouts.set(type, layout);
    return layout;
  }
}

/** The layout of fields by the rest of their paths. */
function layoutOf(fields: readonly (readonly [readonly number[], Field])[]): Layout {
  const byNumber = new Map<number, Slot>();
  const nested = new Map<number, [readonly number[], Field][]>();
  for (const [[number = 0, ...rest], field] of fields) {
    if (rest.length === 0) byNumber.set(number, { number, field });
    else nested.set(number, [...(nested.get(number) ?? []), [rest, field]]);
  }
  for (const [number, inner] of nested) {
    const omitEmpty = inner.every(
      ([, { shape }]) => shape.kind === 'list' && !shape.go.startsWith('['),
    );
    byNumber.set(number, { number, inner: layoutOf(inner), omitEmpty });
  }
  const slots = [...byNumber.values()].sort((a, b) => a.number - b.number);
  return { slots, byNumber };
}
