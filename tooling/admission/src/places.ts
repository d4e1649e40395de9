import type { Random } from '@kubeadmit/random';

/** A path in an object, with its value. */
export interface Place {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
}

/** Every place in a value, the value itself first. */
export function placesOf(value: unknown, path: readonly (string | number)[] = []): Place[] {
  const places: Place[] = [{ path, value }];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) places.push(...placesOf(item, [...path, index]));
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) places.push(...placesOf(item, [...path, key]));
  }
  return places;
}

const identifier = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const reserved = new Set(['in', 'namespace', 'as', 'for', 'if', 'function', 'package', 'var']);

/** Whether CEL can select a field of this name. */
export function isField(key: string): boolean {
  return identifier.test(key) && !reserved.has(key);
}

/** The CEL expression of a place below a root such as `object`. */
export function celPath(root: string, path: Place['path']): string {
  const steps = path.map((step) =>
    typeof step === 'number' ? `[${step}]` : isField(step) ? `.${step}` : `[${celLiteral(step)}]`,
  );
  return root + steps.join('');
}

/** The JSON pointer of a place. */
export function pointer(path: Place['path']): string {
  return path
    .map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

// Members of different types are allowed in one list or map if they are dyn.
function member(value: unknown): string {
  return `dyn(${celLiteral(value)})`;
}

/** A JSON value as a CEL literal. */
export function celLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(member).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([key, item]) => `${celLiteral(key)}: ${member(item)}`,
    );
    return `{${members.join(', ')}}`;
  }
  if (typeof value !== 'string') return String(value);
  const text = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${text}'`;
}

const strangers = [
  ...['null', '1', '-1', '1.5', '2.0', "'s'", "''", 'true', '[]', '{}', "['a']", '[1]', '3u'],
  ...["{'k': 'v'}", 'optional.none()', "optional.of('o')", "b'ab'", 'variables.name'],
  ...["quantity('1Gi')", "duration('1h')", "timestamp('2024-01-01T00:00:00Z')", '2147483648'],
  ...['request.name', 'object.metadata', "string(object.metadata.name) + '-x'", 'oldObject'],
];

/** A CEL expression of a value that is like another, mostly of its type. */
export function valueLike(random: Random, value: unknown): string {
  if (random.chance(0.25)) return random.pick(strangers);
  if (random.chance(0.25)) return celLiteral(value);
  if (typeof value === 'string') return random.pick([`${celLiteral(`${value}x`)}`, "'new'", "'2'"]);
  if (typeof value === 'number') return random.pick(['7', '0', String(value + 1), String(value)]);
  if (typeof value === 'boolean') return String(!value);
  if (Array.isArray(value)) {
    const items = value.map(celLiteral);
    return `[${random.pick([items.slice(1), items.reverse(), [...items, ...items], []]).join(', ')}]`;
  }
  return celLiteral(value);
}
