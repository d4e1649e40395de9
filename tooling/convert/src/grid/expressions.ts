import type { JsonObject } from '@kubeadmit/apimachinery';
import type { Random } from '@kubeadmit/random';
import { fields, operators, values } from './conditions.ts';
import { matchPods } from './validate-rules.ts';

// Rules whose conditions combine operators of JMESPath and variables of the context.

const places: readonly string[] = [
  ...['request.object.metadata.labels.team', 'request.object.spec.hostNetwork', 'v'],
  ...['request.object.spec.priority', 'request.object.metadata.labels', 'w'],
  ...['request.object.spec.volumes', 'request.object.spec.containers[1].image'],
];
const constants = ["''", "'a'", '`0`', '`5`', '`true`', '`[]`', '`null`', '`{}`'] as const;

/** An expression of JMESPath with operators within operators. */
function expression(random: Random, depth = 2): string {
  if (depth === 0 || random.chance(0.2)) {
    return random.chance(0.75) ? random.pick(places) : random.pick(constants);
  }
  const inner = (): string => expression(random, depth - 1);
  const containers = 'request.object.spec.containers';
  return random.pick([
    () => `(${inner()} || ${inner()})`,
    () => `(${inner()} && ${inner()})`,
    () => `!(${inner()})`,
    () => `(${inner()} ${random.pick(['==', '!='])} ${inner()})`,
    () => `to_string(${inner()})`,
    () => `length(${inner()})`,
    () => `length(${containers}[?${elementTest(random)}])`,
    () => `${containers}[?${elementTest(random)}].name`,
  ])();
}

function elementTest(random: Random): string {
  const own = (): string =>
    random.pick([
      ...["image == 'a'", "name != 'c'", 'securityContext.privileged', '!imagePullPolicy'],
      ...["starts_with(image, 'a')", 'ports', 'securityContext', "contains(name, 'd')"],
      ...['!(securityContext.privileged)', 'securityContext.privileged == `true`', 'resources'],
    ]);
  return random.chance(0.4) ? `${own()} ${random.pick(['&&', '||'])} ${own()}` : own();
}

/** An entry of the context, with or without a default. */
function entry(random: Random, name: string): JsonObject {
  const source = random.chance(0.25)
    ? { value: random.pick(['a', '{{ request.object.metadata.name }}', 5, true]) }
    : {
        jmesPath: `request.object.${random.pick(fields)}`,
        ...(random.chance(0.4) ? { default: random.pick(['', 'a', 0, false, [], {}]) } : {}),
      };
  return { name, variable: source };
}

/** A rule whose conditions read variables of the context by expressions. */
export function expressionRule(random: Random): JsonObject {
  const condition = (): JsonObject => ({
    key: `{{ ${expression(random)} }}`,
    operator: random.pick(operators),
    value: random.pick(values),
  });
  const block = (): JsonObject => ({
    [random.pick(['any', 'all'])]: random.chance(0.3) ? [condition(), condition()] : [condition()],
  });
  return {
    name: 'expressions',
    match: matchPods,
    context: [entry(random, 'v'), entry(random, 'w')],
    ...random.some({ preconditions: [0.25, block] }),
    validate: { message: 'm', deny: { conditions: block() } },
  };
}
