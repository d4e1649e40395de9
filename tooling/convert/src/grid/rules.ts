import type { JsonObject } from '@kubeadmit/apimachinery';
import { Random } from '@kubeadmit/random';
import { fields, operators, values } from './conditions.ts';
import { expressionRule } from './expressions.ts';
import {
  calledRule,
  conditionalRule,
  conditionalSpec,
  nestedPatch,
  nestedPattern,
  operationRule,
  rulesOfOne,
} from './more-rules.ts';
import { mutateRule } from './mutate-rules.ts';
import { controllerRequests, type GridRequest, mapRequests, podRequests } from './objects.ts';
import { additionRule, patchTextRule } from './patch-forms.ts';
import { denyRule, loopRule, matchPods, patternRule } from './validate-rules.ts';

/** A policy of the grid, its dependencies, and the requests for its comparison. */
export interface GridCase {
  readonly id: string;
  readonly policy: JsonObject;
  readonly related?: readonly JsonObject[];
  readonly requests: readonly GridRequest[];
}

const plain = { 'pod-policies.kyverno.io/autogen-controllers': 'none' };

function policyOf(rules: readonly JsonObject[], spec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'kyverno.io/v1',
    kind: 'ClusterPolicy',
    metadata: { name: 'grid', annotations: plain },
    spec: { validationFailureAction: 'Enforce', background: false, ...spec, rules },
  };
}

const matchMaps = { any: [{ resources: { kinds: ['ConfigMap'], operations: ['CREATE'] } }] };

function severalRules(random: Random): JsonObject {
  const label = (): string => random.pick(['team', 'a', 'x', 'new']);
  const rules = Array.from({ length: 2 + random.below(2) }, (_, at) => {
    const selector = random.chance(0.4)
      ? { selector: { matchLabels: { [label()]: random.pick(['a', '?*', 'b', 'y']) } } }
      : {};
    const match = { any: [{ resources: { ...matchMaps.any[0]?.resources, ...selector } }] };
    const name = `r${at}`;
    const key = random.chance(0.5) ? label() : `+(${label()})`;
    if (random.chance(0.55)) {
      const value = random.pick([
        'y',
        'b',
        '{{ request.object.metadata.labels.team }}',
        "{{ request.object.metadata.labels.a || 'none' }}",
      ]);
      const field = random.pick(['labels', 'labels', 'annotations']);
      return {
        name,
        match,
        mutate: { patchStrategicMerge: { metadata: { [field]: { [key]: value } } } },
      };
    }
    return {
      name,
      match,
      validate: {
        message: name,
        pattern: { metadata: { labels: { [label()]: random.pick(['?*', 'y', 'a|b']) } } },
      },
    };
  });
  return policyOf(rules, random.chance(0.4) ? { applyRules: 'One' } : {});
}

/** Returns the criteria of a resource filter other than kinds. */
function selection(random: Random): JsonObject {
  return random.some({
    namespaceSelector: [
      0.6,
      () =>
        random.pick([
          { matchLabels: { type: 'tenant' } },
          { matchExpressions: [{ key: 'type', operator: 'NotIn', values: ['tenant'] }] },
          { matchExpressions: [{ key: 'env', operator: 'DoesNotExist' }] },
          { matchLabels: { type: 't*' } },
        ]),
    ],
    selector: [
      0.4,
      () =>
        random.pick([
          { matchLabels: { task: 'one' } },
          { matchExpressions: [{ key: 'task', operator: 'Exists' }] },
          { matchLabels: { team: '*' } },
        ]),
    ],
    namespaces: [0.3, () => [random.pick(['shop', 'pro*'])]],
    names: [0.3, () => [random.pick(['full', 'b*'])]],
    operations: [
      0.35,
      () => random.pick([['CREATE'], ['UPDATE'], ['UPDATE', 'DELETE'], ['CREATE', 'UPDATE']]),
    ],
    annotations: [0.25, () => ({ k: random.pick(['v', '*', '10*']) })],
  });
}

/** One or two filters, any or all of which have to fit. */
function filters(random: Random, make: () => JsonObject): JsonObject {
  return { [random.pick(['any', 'all'])]: random.list(1, 2, make) };
}

function selectedRule(random: Random): { policy: JsonObject; related: readonly JsonObject[] } {
  const isMutation = random.chance(0.45);
  const operations = isMutation ? { operations: ['CREATE', 'UPDATE'] } : {};
  const match = filters(random, () => ({
    resources: { kinds: ['Pod'], ...operations, ...selection(random) },
    ...random.some({ subjects: [0.1, () => [{ kind: 'User', name: 'admin' }]] }),
  }));
  const exclude = random.some({
    exclude: [0.5, () => filters(random, () => ({ resources: selection(random) }))],
  });
  const action = isMutation
    ? { mutate: { patchStrategicMerge: { metadata: { annotations: { new: 'b' } } } } }
    : { validate: { message: 'm', deny: {} } };
  const related = random.chance(0.15) ? [exceptionFor(selection(random))] : [];
  return { policy: policyOf([{ name: 'selected', match, ...exclude, ...action }]), related };
}

function exceptionFor(selected: JsonObject): JsonObject {
  return {
    apiVersion: 'kyverno.io/v2',
    kind: 'PolicyException',
    metadata: { name: 'e', namespace: 'shop' },
    spec: {
      exceptions: [{ policyName: 'grid', ruleNames: ['selected'] }],
      match: { any: [{ resources: { kinds: ['Pod'], ...selected } }] },
    },
  };
}

function webhookPolicy(random: Random): JsonObject {
  const expressions = [
    "request.userInfo.username != 'admin'",
    "object.metadata.name != 'full'",
    'has(object.metadata.labels)',
  ];
  const webhookConfiguration = random.some({
    failurePolicy: [0.6, () => random.pick(['Fail', 'Ignore'])],
    matchConditions: [0.6, () => [{ name: 'c', expression: random.pick(expressions) }]],
  });
  return policyOf([random.chance(0.6) ? denyRule(random) : mutateRule(random)], {
    webhookConfiguration,
    ...random.some({
      emitWarning: [0.3, () => true],
      failurePolicy: [0.3, () => 'Ignore'],
      validationFailureAction: [0.3, () => 'Audit'],
    }),
  });
}

// Kyverno makes rules for the controllers of pods of these.
function controllerPolicy(random: Random): JsonObject {
  const rule = random.pick([denyRule, loopRule, patternRule, mutateRule])(random);
  return { ...policyOf([rule]), metadata: { name: 'grid' } };
}

function contextCase(random: Random): { policy: JsonObject; related: readonly JsonObject[] } {
  const isMap = random.chance(0.4);
  const field = random.pick(fields);
  const entry = isMap
    ? { name: 'v', configMap: { name: 'settings', namespace: 'shop' } }
    : {
        name: 'v',
        variable: {
          jmesPath: `request.object.${field}`,
          ...(random.chance(0.7)
            ? { default: random.pick(['', 'a', 0, 5, true, false, [], {}, ['a']]) }
            : {}),
        },
      };
  const shown = isMap
    ? 'v.data.teams'
    : random.pick(['v', 'v', "v || ''", 'length(v)', 'to_string(v)']);
  const own = {
    key: isMap ? "{{ request.object.metadata.labels.team || '' }}" : `{{ ${shown} }}`,
    operator: random.pick(operators),
    value: isMap ? `{{ ${shown} }}` : random.pick(values),
  };
  const rule = {
    name: 'context',
    match: matchPods,
    context: [entry],
    validate: { message: 'm', deny: { conditions: { any: [own] } } },
  };
  const related =
    isMap && random.chance(0.7)
      ? [
          {
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'settings', namespace: 'shop' },
            data: { teams: random.pick(['a', '["a","b"]', '*', '']) },
          },
        ]
      : [];
  return { policy: policyOf([rule]), related };
}

/** A rule that is alone in its policy. */
const alone =
  (rule: (random: Random) => JsonObject): MakeCase =>
  (random) => ({ policy: policyOf([rule(random)]) });

function conditionalCase(random: Random): { policy: JsonObject } {
  const rule = conditionalRule(random);
  return { policy: policyOf([rule], conditionalSpec(random)) };
}

function nestedRule(random: Random): JsonObject {
  return random.chance(0.7)
    ? {
        name: 'nested',
        match: matchPods,
        validate: { message: 'm', pattern: nestedPattern(random) },
      }
    : {
        name: 'nested',
        match: { any: [{ resources: { kinds: ['Pod'], operations: ['CREATE'] } }] },
        mutate: { patchStrategicMerge: nestedPatch(random) },
      };
}

type MakeCase = (random: Random) => Pick<GridCase, 'policy' | 'related'>;

const areas: readonly (readonly [
  name: string,
  weight: number,
  make: MakeCase,
  requests: readonly GridRequest[],
])[] = [
  ['defaults', 30, alone(denyRule), podRequests],
  ['loops', 12, alone(loopRule), podRequests],
  ['patterns', 16, alone(patternRule), podRequests],
  ['mutations', 16, alone(mutateRule), podRequests],
  ['several', 8, (random) => ({ policy: severalRules(random) }), mapRequests],
  ['selectors', 8, selectedRule, podRequests],
  ['webhooks', 4, (random) => ({ policy: webhookPolicy(random) }), podRequests],
  ['controllers', 10, (random) => ({ policy: controllerPolicy(random) }), controllerRequests],
  ['context', 6, contextCase, podRequests],
  ['functions', 10, alone(calledRule), podRequests],
  ['operations', 8, alone(operationRule), podRequests],
  ['conditions', 6, conditionalCase, podRequests],
  [
    'one',
    4,
    (random) => ({ policy: policyOf(rulesOfOne(random), { applyRules: 'One' }) }),
    podRequests,
  ],
  ['nested', 12, alone(nestedRule), podRequests],
  ['expressions', 16, alone(expressionRule), podRequests],
  ['texts', 8, alone(patchTextRule), podRequests],
  ['additions', 10, alone(additionRule), podRequests],
];

/** Generates the cases of the grid; the same seed generates the same cases. */
export function gridCases(count: number, seed: number, area?: string): readonly GridCase[] {
  const random = new Random(seed);
  const wanted = areas.filter(([name]) => area === undefined || name === area);
  const turns = wanted.flatMap((each) => Array.from({ length: each[1] }, () => each));
  return Array.from({ length: count }, (_, at) => {
    const [name, , make, requests] = random.pick(turns);
    return { id: `${name}-${seed}-${at}`, ...make(random), requests };
  });
}
