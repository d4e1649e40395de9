import type { Random } from '@kubeadmit/random';
import { composedConfiguration, composedOperations } from './compositions.ts';
import { mutating } from './data.ts';
import type { JsonObject } from './json-object.ts';
import { applyMutation, patchMutation } from './parts.ts';
import { celLiteral, isField, type Place, placesOf, pointer, valueLike } from './places.ts';

/** A mutation of an object like a given one. */
export function randomMutation(random: Random, object: JsonObject): JsonObject {
  if (random.chance(0.5)) {
    const expression = random.pick([
      () => applyConfiguration(random, object),
      () => composedConfiguration(random, object),
      () => random.pick(mutating.applyConfigurations),
    ])();
    return applyMutation(expression);
  }
  if (random.chance(0.4)) {
    const expression = composedOperations(random, object);
    return patchMutation(expression);
  }
  const operations = `[${random.list(1, 3, () => operation(random, object)).join(', ')}]`;
  const expression = random.chance(0.1)
    ? `has(object.metadata.labels) ? ${operations} : []`
    : operations;
  return patchMutation(expression);
}

/** An apply configuration that sets a value at a place of the object, with its parents. */
function applyConfiguration(random: Random, object: JsonObject): string {
  const places = placesOf(object).filter(
    ({ path }) => path.length > 0 && path[0] !== 'apiVersion' && path[0] !== 'kind',
  );
  const { path, value } = random.pick(places);
  return apply(random, object, 'Object', path, value);
}

function apply(
  random: Random,
  around: unknown,
  type: string,
  [step, ...rest]: Place['path'],
  value: unknown,
): string {
  if (step === undefined)
    return random.chance(0.2) ? emptied(type, value) : valueLike(random, value);
  const inner = (around as Record<string | number, unknown>)[step];
  if (typeof step === 'number') {
    const item = apply(random, inner, type, rest, value);
    const before = random.chance(0.1) ? `${celLiteral((around as unknown[])[0])}, ` : '';
    return `[${before}${item}]`;
  }
  const name = random.chance(0.03) ? `${step}x` : step;
  if (!isField(name) || random.chance(0.05)) {
    return `{${celLiteral(name)}: ${apply(random, inner, `${type}.${step}`, rest, value)}}`;
  }
  const field = `${name}: ${apply(random, inner, `${type}.${name}`, rest, value)}`;
  return `${type}{${[...siblings(random, around, step), field].join(', ')}}`;
}

// Keeps the fields that identify a list element, and occasionally another field.
function siblings(random: Random, around: unknown, step: string): string[] {
  return Object.entries(around as JsonObject)
    .filter(([key, value]) => key !== step && isField(key) && typeof value !== 'object')
    .filter(([key]) => key !== 'apiVersion' && key !== 'kind')
    .filter(([key]) =>
      random.chance(/^(name|port|containerPort|key|type|uid)$/.test(key) ? 0.9 : 0.1),
    )
    .map(([key, value]) => `${key}: ${celLiteral(value)}`);
}

function emptied(type: string, value: unknown): string {
  if (Array.isArray(value)) return '[]';
  return typeof value === 'object' && value !== null ? `${type}{}` : 'optional.none()';
}

const operators = [
  ...['add', 'add', 'add', 'replace', 'replace', 'remove', 'test', 'test', 'copy', 'move', 'merge'],
];

function operation(random: Random, object: JsonObject): string {
  const op = random.pick(operators);
  const places = placesOf(object);
  const somewhere = (): Place => {
    if (random.chance(0.4)) return { path: [], value: undefined };
    const place = random.pick(places);
    if (random.chance(0.7)) return place;
    return { path: [...place.path, random.pick(['-', 0, 'new', '~', 'a/b'])], value: place.value };
  };
  const textOf = ({ path, value }: Place): string =>
    value === undefined ? random.pick(mutating.paths) : pointer(path);
  const target = somewhere();
  const fields = [`op: '${op}'`, `path: ${celLiteral(textOf(target))}`];
  const hasFrom = op === 'copy' || op === 'move';
  const hasValue = op === 'add' || op === 'replace' || op === 'test';
  if (hasFrom && random.chance(0.95)) fields.push(`from: ${celLiteral(textOf(somewhere()))}`);
  if (hasValue && random.chance(0.95)) {
    const value =
      target.value === undefined || random.chance(0.3)
        ? random.pick(mutating.values)
        : valueLike(random, target.value);
    fields.push(`value: ${value}`);
  }
  return `JSONPatch{${fields.join(', ')}}`;
}
