import type { Random } from '@kubeadmit/random';
import { findResourceOfKind, type Resource } from '@kubeadmit/schemas';
import { kinds, requestOf, schemas } from './dense.ts';
import type { JsonObject } from './json-object.ts';
import { applyMutation, changing, mutatingPolicy, patchMutation } from './parts.ts';
import { celPath, placesOf } from './places.ts';

/**
 * A mutation whose value is built from lists, maps and structs of the object by operators, macros and functions, with
 * or without match conditions that read the object first: the server cannot write every Go struct.
 */
export function heldListsCase(random: Random): JsonObject {
  const resource = findResourceOfKind(schemas, random.pick(kinds)) as Resource;
  const request = requestOf(random, resource, random.pick(['CREATE', 'UPDATE']));
  const places = placesOf(request['object']);
  const lists = places.filter(({ value }) => Array.isArray(value));
  const part = (): string => {
    const some = random.chance(0.85) && lists.length > 0 ? lists : places;
    return celPath('object', random.pick(some).path);
  };
  const value = made(random, part);
  const annotations = random.pick([value, `dyn(${value})`, `{'a': ${value}}`, `dyn([${value}])`]);
  const mutation = random.chance(0.5)
    ? patchMutation(`[JSONPatch{op: 'add', path: '/metadata/annotations', value: ${annotations}}]`)
    : applyMutation(`Object{metadata: Object.metadata{annotations: ${annotations}}}`);
  const readFirst = [{ name: 'c', expression: random.pick(['object != null', 'true']) }];
  return {
    resources: mutatingPolicy('m', {
      ...(random.chance(0.6) ? { matchConditions: readFirst } : {}),
      matchConstraints: changing,
      mutations: [mutation],
      reinvocationPolicy: 'Never',
    }),
    request,
  };
}

function made(random: Random, part: () => string, depth: number = 0): string {
  const inner = (): string =>
    depth < 2 && random.chance(0.4) ? `(${made(random, part, depth + 1)})` : part();
  const list = inner();
  return random.pick<() => string>([
    () => list,
    () => `${list}.filter(x, ${random.pick(['true', 'false', `x == ${list}[0]`])})`,
    () => `${list}.map(x, ${random.pick(['x', '[x]', "{'k': x}"])})`,
    () =>
      `${list}.${random.pick(['reverse()', 'distinct()', 'flatten()', 'slice(0, 1)', 'sort()'])}`,
    () => `${list} + ${inner()}`,
    () => `${list} + []`,
    () => `[] + ${list}`,
    () => `[dyn(1)] + ${list}`,
    () => `${list} + [${list}[0]]`,
    () => `[${list}[0]] + ${list}`,
    () => `${list}[0]`,
    () => `[${list}, ${inner()}]`,
    () => `{'k': dyn(${list})}`,
    () => `{'k': dyn(${list})}.k`,
    () => `[?optional.of(${list})]`,
    () => `[?optional.none()] + ${list}`,
    () => `${list}.transformList(i, v, ${random.pick(['v', 'i > 0, v', '[v]'])})`,
    () => `{'a': 1}.transformMap(k, v, ${list})`,
    () => `true ? ${list} : ${inner()}`,
    () => `optional.of(${list}).value()`,
    () => `string(${list} + [] == ${list}) + string(${list}[0] in ${list})`,
    () => `string([] + ${list} == ${list}.map(x, x)) + string(${list} == ${inner()})`,
  ])();
}
