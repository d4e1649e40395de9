import type { Random } from '@kubeadmit/random';
import { validating } from './data.ts';
import type { JsonObject } from './json-object.ts';
import { celLiteral, celPath, placesOf, valueLike } from './places.ts';

const requestFields = [
  ...['request.operation', 'request.name', 'request.namespace', 'request.subResource'],
  ...['request.requestSubResource', 'request.kind.kind', 'request.kind.version'],
  ...['request.kind.group', 'request.resource.resource', 'request.resource.version'],
  ...['request.requestKind.version', 'request.requestResource.version', 'request.uid'],
  ...['request.userInfo.username', 'request.userInfo.uid', 'request.dryRun', 'request.options'],
  ...['request.options.kind', 'request.options.fieldManager', 'request.options.dryRun'],
  ...['request.options.gracePeriodSeconds', 'request.userInfo.groups', 'request.userInfo.extra'],
  ...['request.object', 'request.requestKind', 'request', 'namespaceObject.metadata'],
  ...['namespaceObject.spec', 'namespaceObject', 'variables.images', 'variables.name'],
  ...['variables.bad', 'variables.later', 'oldObject', 'object'],
];
const parameterFields = [
  ...['params', 'params.metadata.name', 'params.data', 'params.spec', 'params.kind'],
];

// <L> is a place, <R> a value like the one there.
const comparisons = [
  ...['<L> == <R>', '<L> != <R>', '<L> == <R>', 'has(<L>)', '!has(<L>)', 'size(<L>) == 1'],
  ...['<L>.size() > 1', 'type(<L>) == type(<R>)', '<L> in [<R>]', '<R> in <L>', '<L> < <R>'],
  ...['<L>.all(x, x == <R>)', '<L>.exists(x, true)', "string(<L>) == 'a'", 'dyn(<L>) == null'],
  ...['<L>.?a.hasValue()', '<L>.?a.orValue(<R>) == <R>', 'true || <L> == <R>', 'bool(<L>)'],
  ...['false && <L> == <R>', '<L> == <R> ? true : false', '[<L>, <L>] == [<R>, <R>]'],
];

/** The data that expressions can refer to. */
export interface Subject {
  readonly object: JsonObject;
  /** Whether the policy has a kind of parameters. */
  readonly hasParams: boolean;
}

/** A place in the object of a request, the old one, or something else that a policy can read. */
function operand(
  random: Random,
  { object, hasParams }: Subject,
): { readonly path: string; readonly value: string } {
  if (random.chance(0.25)) {
    return {
      path: random.pick(hasParams ? [...requestFields, ...parameterFields] : requestFields),
      value: random.pick(["'CREATE'", "'web'", '{}', 'null']),
    };
  }
  const place = random.pick(placesOf(object));
  const root = random.chance(0.8) ? 'object' : 'oldObject';
  const path = random.chance(0.9) ? place.path : [...place.path, 'nope'];
  return { path: celPath(root, path), value: valueLike(random, place.value) };
}

/** An expression that is a comparison of something in the object. */
export function randomCondition(random: Random, subject: Subject): string {
  const one = (): string => {
    const { path, value } = operand(random, subject);
    const form = random.pick(comparisons);
    if (form.includes('has(<L>)') && !/\.\w+$/.test(path)) return `${path} == dyn(${value})`;
    return form.replaceAll('<L>', () => path).replaceAll('<R>', () => `dyn(${value})`);
  };
  const known = random.pick(validating.validations);
  const isKnown = random.chance(0.4) && (subject.hasParams || !known.includes('params'));
  const first = isKnown ? known : one();
  if (random.chance(0.8)) return first;
  return `(${first}) ${random.pick(['||', '&&'])} ${random.chance(0.5) ? one() : random.pick(['true', 'false'])}`;
}

/** An expression of a text. */
export function randomText(random: Random, subject: Subject): string {
  const { path } = operand(random, subject);
  return random.pick([
    () =>
      random.pick(
        validating.messages.filter((text) => subject.hasParams || !text.includes('params')),
      ),
    () => `string(dyn(${path}))`,
    () => `'is ' + string(dyn(${path})) + '.'`,
    () => `string(type(dyn(${path})) == string)`,
    () =>
      celLiteral(
        random.pick(['', ' ', '\n', 'a\nb', 'x'.repeat(5121), 'é', '"q" <&>', '\r', 'a\tb']),
      ),
    () => `variables.name + ${celLiteral(random.pick(['!', '\n']))}`,
  ])();
}
