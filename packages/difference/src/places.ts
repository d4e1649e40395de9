import { getOrMake } from '@kubeadmit/base';
/** A place in objects: keys, and `[]` for the elements of a list. */
export type Place = readonly string[];

/** The step to the elements of a list. */
export const elements = '[]';

// These fields follow from the request.
const fixed: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'metadata',
  'metadata.name',
  'metadata.namespace',
]);

/** A place, and the values that may matter there. */
export interface NotedPlace {
  readonly place: Place;
  readonly values: readonly unknown[];
}

/** The places that policies look at, with values that may matter there. */
export class Places {
  readonly #byText: Map<string, { readonly place: Place; readonly values: Set<unknown> }> =
    new Map();

  readonly #requests: Map<string, Set<unknown>> = new Map();

  /** Adds values of a member of the request that is not its object: `username`, `groups`, `namespace`, `name`. */
  addOfRequest(name: string, values: readonly unknown[]): void {
    const known = this.#requests.get(name) ?? new Set();
    const texts = values.filter((value) => typeof value === 'string');
    for (const value of texts)
      for (const each of [value, `${value}x`, `x${value}`]) known.add(each);
    if (known.size > 0) this.#requests.set(name, known);
  }

  /** Adds values as they are, such as the names of objects that are there. */
  addNames(name: string, values: readonly string[]): void {
    if (values.length === 0) return;
    const known = this.#requests.get(name) ?? new Set();
    this.#requests.set(name, new Set([...values, ...known]));
  }

  /** The members of requests with their values. */
  ofRequest(): ReadonlyMap<string, readonly unknown[]> {
    return new Map(
      [...this.#requests].map(([name, values]) => {
        const texts = [...values].slice(0, 12).map(String);
        const joined = texts.flatMap((one) => texts.map((other) => one + other));
        return [name, [...texts, ...joined]];
      }),
    );
  }

  /** Adds a place, and values next to which a decision may change. */
  add(place: Place, values: readonly unknown[] = []): void {
    if (place.length === 0 || fixed.has(place.join('.'))) return;
    const text = JSON.stringify(place);
    const known = getOrMake(this.#byText, text, () => ({ place, values: new Set() }));
    for (const value of values) for (const each of neighbours(value)) known.values.add(each);
  }

  /** Every place with its values. */
  list(): readonly NotedPlace[] {
    return [...this.#byText.values()].map(({ place, values }) => ({ place, values: [...values] }));
  }
}

function neighbours(value: unknown): readonly unknown[] {
  if (typeof value === 'bigint') return neighbours(Number(value));
  if (typeof value === 'number') return [value, value + 1, value - 1];
  if (typeof value === 'boolean') return [value, !value];
  if (typeof value === 'string') return [value, `${value}x`, `x${value}`, ''];
  return Array.isArray(value) ? value.flatMap(neighbours) : [];
}
