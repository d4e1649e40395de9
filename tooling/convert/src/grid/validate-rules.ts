import type { JsonObject } from '@kubeadmit/apimachinery';
import { type Random, words } from '@kubeadmit/random';
import { condition, elementFields, fields } from './conditions.ts';

/** Matches pods that are written. */
export const matchPods = {
  any: [{ resources: { kinds: ['Pod'], operations: ['CREATE', 'UPDATE'] } }],
};
const matchAllPods = { any: [{ resources: { kinds: ['Pod'] } }] };

export function denyRule(random: Random): JsonObject {
  const own = condition(random, 'request.object', fields);
  const conditions = random.chance(0.2)
    ? [own, condition(random, 'request.object', fields)]
    : [own];
  const preconditions = random.some({
    preconditions: [0.1, () => ({ all: [condition(random, 'request.object', fields)] })],
  });
  return {
    name: 'deny',
    match: random.chance(0.15) ? matchAllPods : matchPods,
    ...preconditions,
    validate: { message: 'm', deny: { conditions: { [random.pick(['any', 'all'])]: conditions } } },
  };
}

export function loopRule(random: Random): JsonObject {
  const lists = ['containers', 'initContainers', '[containers, initContainers][]'];
  const list = `request.object.spec.${random.pick(lists)}`;
  const element = (): JsonObject => condition(random, 'element', elementFields);
  const own = element();
  const preconditions = random.some({
    preconditions: [0.2, () => ({ [random.pick(['any', 'all'])]: [element()] })],
  });
  const test = random.chance(0.7)
    ? { deny: { conditions: { [random.pick(['any', 'all'])]: [own] } } }
    : { pattern: elementPattern(random) };
  return {
    name: 'loop',
    match: matchPods,
    validate: { message: 'm', foreach: [{ list, ...preconditions, ...test }] },
  };
}

const scalars: readonly unknown[] = [
  ...[true, false, 'true', 'false', 0, 5, '5', '>3', '<=5', '*', '?*', 'a', '!a', 'a|b', '!a & !b'],
  ...['', null, '500m', '<2', '1-10', '10!-20', '*:latest', '!*:latest', 'registry.example/*', '0'],
];

function anchored(random: Random, key: string, weight = 0.4): string {
  if (!random.chance(weight)) return key;
  return random.pick([`(${key})`, `=(${key})`, `X(${key})`, `<(${key})`, `^(${key})`]);
}

/** Makes the value below a key of a pattern. */
type MakeBelow = (random: Random) => unknown;

/** Sets some of the keys, each with its value or a scalar. */
function somePatterns(
  random: Random,
  most: number,
  keys: readonly string[],
  below: Readonly<Record<string, MakeBelow>>,
): JsonObject {
  const made: Record<string, unknown> = {};
  const count = 1 + random.below(most);
  for (let at = 0; at < count; at++) {
    const key = random.pick(keys);
    made[anchored(random, key)] = below[key]?.(random) ?? random.pick(scalars);
  }
  return made;
}

/** A scalar below one of the names, which may have an anchor. */
function scalarBelow(...names: readonly string[]): MakeBelow {
  return (random) => ({ [anchored(random, oneOf(random, names))]: random.pick(scalars) });
}

// One name takes no random number.
function oneOf(random: Random, names: readonly string[]): string {
  return names.length === 1 ? (names[0] as string) : random.pick(names);
}

const elementKeys = words('name image securityContext resources ports imagePullPolicy');

function elementPattern(random: Random): JsonObject {
  return somePatterns(random, 3, elementKeys, {
    securityContext: scalarBelow('privileged'),
    resources: () => ({ [anchored(random, 'limits')]: scalarBelow('cpu')(random) }),
    ports: () => [scalarBelow('hostPort', 'containerPort')(random)],
  });
}

const podKeys = words(
  'hostNetwork priority securityContext containers containers volumes',
  'nodeSelector initContainers tolerations serviceAccountName',
);

function podPattern(random: Random): JsonObject {
  const spec = somePatterns(random, 2, podKeys, {
    securityContext: scalarBelow('runAsUser', 'runAsNonRoot'),
    containers: () => [elementPattern(random)],
    initContainers: () => [elementPattern(random)],
    volumes: () => [
      { [anchored(random, random.pick(['name', 'hostPath']))]: random.pick(['a', '*', 'x*']) },
    ],
    tolerations: () => [scalarBelow('key')(random)],
    nodeSelector: scalarBelow('disk'),
  });
  const metadata = random.some({
    metadata: [
      0.3,
      () => ({
        [anchored(random, random.pick(['labels', 'annotations']))]: scalarBelow(
          ...['team', 'k', 'n', 'x'],
        )(random),
      }),
    ],
  });
  return { ...metadata, [anchored(random, 'spec', 0.1)]: spec };
}

export function patternRule(random: Random): JsonObject {
  const validate = random.chance(0.8)
    ? { pattern: podPattern(random) }
    : { anyPattern: [podPattern(random), podPattern(random)] };
  return { name: 'pattern', match: matchPods, validate: { message: 'm', ...validate } };
}
