import type { Random } from '@kubeadmit/random';
import { mutating } from './data.ts';
import type { JsonObject } from './json-object.ts';
import {
  celLiteral,
  celPath,
  isField,
  type Place,
  placesOf,
  pointer,
  valueLike,
} from './places.ts';

/** An apply configuration of several fields, with parts of the object, loops, choices and optional fields. */
export function composedConfiguration(random: Random, object: JsonObject): string {
  const { apiVersion: _, kind: __, ...fields } = object;
  const whole = composedObject(random, { type: 'Object', path: [], value: fields, root: 'object' });
  return random.chance(0.9) ? whole : `${condition(random, object)} ? ${whole} : ${other(random)}`;
}

function other(random: Random): string {
  return random.pick(['Object{}', 'Object{metadata: Object.metadata{}}', 'dyn(null)']);
}

/** A part of the object: the type that names it, and how expressions reach it. */
interface Part {
  readonly type: string;
  readonly path: Place['path'];
  readonly value: unknown;
  /** The variable that `path` begins at. */
  readonly root: string;
}

function composed(random: Random, part: Part): string {
  const { path, value, root } = part;
  if (random.chance(0.08)) return celPath(root, path);
  if (random.chance(0.06)) {
    const inside = random.pick(placesOf(value, path));
    return celPath(root, inside.path);
  }
  if (random.chance(0.05))
    return `${random.pick(['true', 'false'])} ? ${leaf(random, part)} : ${leaf(random, part)}`;
  if (Array.isArray(value)) return composedList(random, part);
  if (typeof value === 'object' && value !== null) return composedObject(random, part);
  return leaf(random, part);
}

function leaf(random: Random, { path, value, root }: Part): string {
  return random.chance(0.25) ? celPath(root, path) : valueLike(random, value);
}

function composedObject(random: Random, { type, path, value, root }: Part): string {
  const entries = Object.entries(value as JsonObject);
  if (entries.length === 0 || random.chance(0.04)) return random.pick([`${type}{}`, '{}']);
  const isMap = entries.some(([key]) => !isField(key)) || random.chance(0.06);
  const chosen = new Set(random.list(1, 3, () => random.pick(entries)));
  for (const entry of entries) {
    if (/^(name|port|containerPort|key|type|uid|protocol)$/.test(entry[0]) && random.chance(0.9)) {
      chosen.add(entry);
    }
  }
  const fields = [...chosen].map(([key, inner]) => {
    const part = { type: `${type}.${key}`, path: [...path, key], value: inner, root };
    const isOptional = random.chance(0.08);
    const name = `${isOptional ? '?' : ''}${isMap ? celLiteral(key) : key}`;
    if (isOptional) return `${name}: ${optional(random, part)}`;
    const text = composed(random, part);
    return `${name}: ${isMap ? `dyn(${text})` : text}`;
  });
  if (random.chance(0.04)) fields.push(`${isMap ? "'odd'" : 'odd'}: ${valueLike(random, 'x')}`);
  return `${isMap ? '' : type}{${fields.join(', ')}}`;
}

function optional(random: Random, part: Part): string {
  const { path, root } = part;
  const selected = celPath(root, path.slice(0, -1));
  const last = celLiteral(String(path.at(-1)));
  return random.pick([
    () => `optional.of(${composed(random, part)})`,
    () => `${selected}[?${last}]`,
    () => `${selected}[?'absent']`,
    () => 'optional.none()',
    () => `optional.ofNonZeroValue(${leaf(random, part)})`,
  ])();
}

function composedList(random: Random, part: Part): string {
  const { type, path, value, root } = part;
  const items = value as unknown[];
  const here = celPath(root, path);
  const first = items[0];
  const item = (index: number): string =>
    composed(random, { type, path: [...path, index], value: items[index], root });
  const listed = (): string =>
    `[${items
      .slice(0, 3)
      .map((_, index) => item(index))
      .join(', ')}]`;
  const mapped = (): string => {
    const inner = composed(random, { type, path: [], value: first, root: 'e' });
    const filter = random.chance(0.2)
      ? `.filter(e, ${random.pick(['true', 'false', "e != 'a'"])})`
      : '';
    return `${here}${filter}.map(e, ${inner})`;
  };
  if (items.length === 0) return random.pick(['[]', here, "['a']"]);
  return random.pick([
    listed,
    listed,
    mapped,
    () => `${here} + ${listed()}`,
    () => `${listed()} + ${here}`,
    () => `${here}.filter(e, ${random.pick(['true', 'false', 'has(e.name)'])})`,
    () => `${random.pick(['true', 'false'])} ? ${listed()} : []`,
    () => '[]',
  ])();
}

/** A list of operations with parts of the object, loops, choices and computed paths. */
export function composedOperations(random: Random, object: JsonObject): string {
  const places = placesOf(object);
  const one = (): string => {
    const place = random.pick(places);
    const { path, value } = place;
    const op = random.pick(['add', 'add', 'replace', 'replace', 'test', 'remove', 'copy', 'move']);
    const fields = [`op: ${celLiteral(op)}`, `path: ${computedPointer(random, path)}`];
    if (op === 'copy' || op === 'move') {
      fields.push(`from: ${computedPointer(random, random.pick(places).path)}`);
    }
    if (op === 'add' || op === 'replace' || op === 'test') {
      const type = ['Object', ...path.filter((step) => typeof step === 'string')];
      const part = { type: type.join('.'), path, value, root: 'object' };
      const text = type.every(isField) ? composed(random, part) : leaf(random, part);
      fields.push(random.chance(0.05) ? `?value: optional.of(${text})` : `value: ${text}`);
    }
    return `JSONPatch{${fields.join(', ')}}`;
  };
  const listed = (): string => `[${random.list(1, 4, one).join(', ')}]`;
  return random.pick([
    listed,
    listed,
    () => looped(random, places) ?? listed(),
    () => looped(random, places) ?? listed(),
    () => `${listed()} + ${looped(random, places) ?? listed()}`,
    () => `${condition(random, object)} ? ${listed()} : ${random.pick(['[]', listed()])}`,
  ])();
}

function computedPointer(random: Random, path: Place['path']): string {
  const last = path.at(-1);
  if (last === undefined || random.chance(0.6)) return celLiteral(pointer(path));
  const before = celLiteral(`${pointer(path.slice(0, -1))}/`);
  if (typeof last === 'number') return `${before} + ${random.pick([`string(${last})`, "'-'"])}`;
  const key = random.chance(0.2) ? random.pick(['a/b', 'x~y', '~1', 'new']) : last;
  return `${before} + jsonpatch.escapeKey(${celLiteral(key)})`;
}

// An operation for each element of a list or map.
function looped(random: Random, places: readonly Place[]): string | undefined {
  const around = places.filter(
    ({ value }) => typeof value === 'object' && value !== null && Object.keys(value).length > 0,
  );
  if (around.length === 0) return undefined;
  const { path, value } = random.pick(around);
  const here = celPath('object', path);
  const op = random.pick(['add', 'replace', 'test', 'remove']);
  const before = celLiteral(`${pointer(path)}/`);
  const given =
    op === 'remove'
      ? ''
      : `, value: ${random.pick([`${here}[e]`, "'x'", '1', `string(e)`, random.pick(mutating.values)])}`;
  if (Array.isArray(value)) {
    const range = random.pick(['lists.range(size(<L>))', '<L>.map(e, 0)', '[1, 0]']);
    return `${range.replace('<L>', () => here)}.map(e, JSONPatch{op: '${op}', path: ${before} + string(e)${given}})`;
  }
  return `${here}.map(e, JSONPatch{op: '${op}', path: ${before} + jsonpatch.escapeKey(e)${given}})`;
}

function condition(random: Random, object: JsonObject): string {
  const { path } = random.pick(placesOf(object));
  return random.pick([
    'true',
    'has(object.metadata.labels)',
    "object.metadata.?labels['app'].orValue('') == 'web'",
    `${celPath('object', path)} != null`,
    "request.operation == 'CREATE'",
    'variables.name.size() > 2',
  ]);
}
