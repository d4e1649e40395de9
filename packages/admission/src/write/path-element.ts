import {
  compareText,
  formatFloat64,
  formatJson,
  quote,
  quoteJson,
  sortedKeys,
} from '@kubeadmit/go';

// Elements of paths, in the form in which FieldsV1 writes them (structured-merge-diff `PathElement`): a field `f:spec`, the
// keys of an element `k:{"name":"a"}`, its value `v:"x"`, its index `i:0`.

/** A malformed path element in FieldsV1, which makes the complete entry unreadable. */
export class PathElementError extends Error {}

/** The keys of an element, in their order. */
export function keysElement(keys: readonly (readonly [name: string, value: unknown])[]): string {
  return `k:{${keys.map(([name, value]) => `${JSON.stringify(name)}:${valueText(value)}`).join(',')}}`;
}

/** The value of an element. */
export function valueElement(value: unknown): string {
  return `v:${valueText(value)}`;
}

function valueText(value: unknown): string {
  // Nearly all are names; each write quotes many.
  return typeof value === 'string' ? quoteJson(value) : formatJson(value, { isSorted: true });
}

/**
 * Parses a path element and returns its canonical form.
 *
 * Returns `undefined` for an unknown kind of element, which is ignored (`DeserializePathElement`).
 *
 * @throws {@link PathElementError} if the element is malformed
 */
export function readElement(text: string): string | undefined {
  if (text[1] !== ':') throw new PathElementError('there is no colon');
  const content = text.slice(2);
  switch (text[0]) {
    case 'f':
      return text;
    case 'k': {
      const keys = parse(content) ?? {};
      if (typeof keys !== 'object' || Array.isArray(keys)) throw new PathElementError('no object');
      const own = keys as Readonly<Record<string, unknown>>;
      return keysElement(sortedKeys(own).map((name) => [name, own[name]]));
    }
    case 'v':
      return valueElement(parse(content));
    case 'i':
      if (!/^[+-]?\d{1,15}$/.test(content)) throw new PathElementError('no number');
      return `i:${Number(content)}`;
    default:
      return undefined;
  }
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new PathElementError('no JSON');
  }
}

/**
 * Compares two elements (`PathElement.Compare`): fields come first, then keys, values and indexes.
 *
 * Keys and values are compared by their parsed value, so that port 80 precedes port 443.
 */
export function compareElements(a: string, b: string): number {
  const kind = a[0] ?? '';
  if (kind !== b[0]) return kinds.indexOf(kind) - kinds.indexOf(b[0] ?? '');
  if (kind === 'f' || a === b) return compareText(a, b);
  const own: unknown = JSON.parse(a.slice(2));
  const other: unknown = JSON.parse(b.slice(2));
  return compareValues(own, other);
}

const kinds = 'fkvi';

/** Compares values: numbers come first, then texts, truth values, lists, objects and null (`value.Compare`). */
function compareValues(a: unknown, b: unknown): number {
  const order = rank(a) - rank(b);
  if (order !== 0 || a === null || b === null) return order;
  if (typeof a === 'string') return compareText(a, b as string);
  if (typeof a === 'object') return compareAll(Object.entries(a), Object.entries(b as object));
  return Number(a) - Number(b);
}

function compareAll(
  a: readonly (readonly [string, unknown])[],
  b: readonly (readonly [string, unknown])[],
): number {
  for (const [at, [name, value]] of a.entries()) {
    const other = b[at];
    if (other === undefined) return 1;
    const order = compareText(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const ranks: readonly string[] = ['number', 'string', 'boolean'];

function rank(value: unknown): number {
  if (value === null) return 5;
  if (typeof value === 'object') return Array.isArray(value) ? 3 : 4;
  return ranks.indexOf(typeof value);
}

/** An element as texts show it: `.spec`, `[name="v1"]`, `[="x"]`, `[0]` (`PathElement.String`). */
export function elementText(element: string): string {
  const content = element.slice(2);
  if (element.startsWith('f:')) return `.${content}`;
  if (element.startsWith('i:')) return `[${content}]`;
  const value: unknown = JSON.parse(content);
  if (element.startsWith('v:')) return `[=${shownValue(value)}]`;
  return `[${shownMembers(value as object).join(',')}]`;
}

function shownMembers(object: object): readonly string[] {
  return Object.entries(object).map(([name, value]) => `${name}=${shownValue(value)}`);
}

function shownValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return formatFloat64(value);
  if (Array.isArray(value)) return `[${value.map(shownValue).join(',')}]`;
  return typeof value === 'object' && value !== null ? shownMembers(value).join('') : String(value);
}
