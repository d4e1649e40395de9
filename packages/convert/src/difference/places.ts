/** A place in objects: keys, and `[]` for the elements of a list. */
export type Place = readonly string[];

/** The step to the elements of a list. */
export const elements = '[]';

// What a request says of its object besides the object.
const fixed: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'metadata.name',
  'metadata.namespace',
]);

/** The places that policies look at, with values that may matter there. */
export class Places {
  private readonly byText: Map<string, { readonly place: Place; readonly values: Set<unknown> }> =
    new Map();

  /** Adds a place, and values next to which a decision may change. */
  add(place: Place, values: readonly unknown[] = []): void {
    if (place.length === 0 || fixed.has(place.join('.'))) return;
    const text = JSON.stringify(place);
    const known = this.byText.get(text) ?? { place, values: new Set() };
    for (const value of values) for (const each of neighbours(value)) known.values.add(each);
    this.byText.set(text, known);
  }

  /** Every place with its values. */
  list(): readonly { readonly place: Place; readonly values: readonly unknown[] }[] {
    return [...this.byText.values()].map(({ place, values }) => ({ place, values: [...values] }));
  }
}

function neighbours(value: unknown): readonly unknown[] {
  if (typeof value === 'bigint') return neighbours(Number(value));
  if (typeof value === 'number') return [value, value + 1, value - 1];
  if (typeof value === 'boolean') return [value, !value];
  if (typeof value === 'string') return [value, `${value}x`, `x${value}`, ''];
  return Array.isArray(value) ? value.flatMap(neighbours) : [];
}
