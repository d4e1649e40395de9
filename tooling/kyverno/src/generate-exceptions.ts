import type { Random } from '@kubeadmit/random';
import { generateCelRules, generateLoops } from './generate-loops.ts';
import { generateMutation } from './generate-mutation.ts';
import { exclusion, generatePodSecurity } from './generate-pod-security.ts';
import type { Made } from './generate-resource.ts';
import { generateValidation } from './generate-rules.ts';
import { filters, generateSelection } from './generate-selection.ts';

/** The names that exceptions refer to, and the kind of the object. */
interface Subject {
  readonly policies: readonly string[];
  readonly rules: readonly string[];
  readonly kind: string;
}

const keys = [
  '{{ request.operation }}',
  '{{ request.object.metadata.name }}',
  '{{ request.object.metadata.namespace }}',
  "{{ request.object.metadata.labels.app || '' }}",
  '{{ request.object.metadata.labels.app }}',
  '{{ request.oldObject.metadata.name }}',
  '{{ request.userInfo.username }}',
  '{{ request.object.spec.replicas }}',
  '{{ request.object.spec.containers[].image }}',
  '{{ serviceAccountName }}',
  '{{ images.containers.c0.tag }}',
  '{{ element.name }}',
  '{{ v }}',
  '{{ w.data.k }}',
  '{{ target.metadata.name }}',
  '{{ nope( }}',
  'CREATE',
  5,
];
const operators = [
  ...['Equals', 'NotEquals', 'In', 'AnyIn', 'AllIn', 'AnyNotIn', 'AllNotIn', 'GreaterThan'],
  ...['LessThanOrEquals', 'DurationLessThan', 'equals', 'Nope'],
];
const values = [
  ...['CREATE', 'web', 'w*', 'default', 'alice', '', 3, 'latest', '1-5', '>1', true, null],
  ['CREATE', 'UPDATE'],
  ['web', 'db*', 'prod'],
  ['nginx', 'busybox'],
  '{{ request.object.metadata.name }}',
];

function condition(random: Random): Made {
  return {
    key: random.pick<unknown>(keys),
    ...random.some({
      operator: [0.97, () => random.pick(operators)],
      value: [0.95, () => random.pick<unknown>(values)],
      message: [0.1, () => 'because {{ request.operation }}'],
    }),
  };
}

/** Conditions that mostly hold: those that never do hide everything else. */
function conditions(random: Random): Made {
  const holds = { key: '{{ request.operation }}', operator: 'NotEquals', value: 'X' };
  const some = (): readonly Made[] =>
    random.chance(0.5) ? [holds] : random.list(0, 2, () => condition(random));
  return random.some({ any: [0.6, some], all: [0.6, some] });
}

/** A name, the name with wildcards, or another one. */
function pattern(random: Random, names: readonly string[]): string {
  const name = names.length === 0 ? 'r' : random.pick(names);
  return random.pick([
    name,
    name,
    name,
    '*',
    `${name.slice(0, 1)}*`,
    `*${name.slice(1)}`,
    name.replace(/.$/, '?'),
    `autogen-${name}`,
    'autogen-*',
    `${name}x`,
    '',
    '?*',
  ]);
}

function match(random: Random, kind: string): Made {
  if (random.chance(0.3)) return filters(random);
  const kinds = random.pick([['*'], [kind], ['Pod', kind], ['Pod', 'Deployment'], [`*/${kind}`]]);
  const resources = {
    kinds,
    ...random.some({
      names: [0.1, () => [random.pick(['w*', 'web', 'c*'])]],
      namespaces: [0.1, () => [random.pick(['default', 'prod', '*'])]],
      operations: [
        0.15,
        () => random.list(1, 2, () => random.pick(['CREATE', 'UPDATE', 'DELETE'])),
      ],
    }),
  };
  return { [random.pick(['any', 'any', 'all'])]: [{ resources }] };
}

/** A PolicyException for some rules of the policies. */
export function exception(random: Random, { policies, rules, kind }: Subject): Made {
  return {
    apiVersion: 'kyverno.io/v2',
    kind: 'PolicyException',
    metadata: { name: random.pick(['e', 'f', 'g']), namespace: random.pick(['d', 'default']) },
    spec: {
      exceptions: random.list(1, 2, () => ({
        policyName: random.chance(0.9) ? random.pick(policies) : pattern(random, policies),
        ruleNames: random.list(random.chance(0.1) ? 0 : 1, 2, () => pattern(random, rules)),
      })),
      match: match(random, kind),
      ...random.some({
        conditions: [0.4, () => conditions(random)],
        background: [0.1, () => random.chance(0.5)],
        podSecurity: [0.15, () => random.list(0, 3, () => exclusion(random))],
      }),
    },
  };
}

/** A case of rules with exceptions for its policies. */
export function withExceptions(random: Random, made: Made): Made {
  const policies = made['policies'] as readonly Made[];
  const kind = (made['resource'] as Made)['kind'] as string;
  const subject = {
    policies: policies.map(keyOf),
    rules: policies.flatMap(rulesOf),
    kind,
  };
  const { exceptions: _, ...rest } = made;
  return { ...rest, exceptions: random.list(1, 3, () => exception(random, subject)) };
}

function keyOf({ metadata }: Made): string {
  const { namespace, name } = metadata as { readonly namespace?: string; readonly name: string };
  return namespace === undefined ? name : `${namespace}/${name}`;
}

function rulesOf({ spec }: Made): readonly string[] {
  const { rules = [] } = spec as { readonly rules?: readonly Made[] };
  return rules.map(({ name }) => String(name));
}

const generators = [
  generateValidation,
  generateMutation,
  generatePodSecurity,
  generatePodSecurity,
  generateLoops,
  generateCelRules,
  generateSelection,
];

/** A case for `rules` with rules of any kind and exceptions that name them. */
export function generateExceptions(random: Random): object {
  return withExceptions(random, random.pick(generators)(random) as Made);
}
