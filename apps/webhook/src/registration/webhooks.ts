import type { WebhookSplit } from '@kubeadmit/admission/internal';
import type { JsonObject } from '@kubeadmit/apimachinery';
import type { Chain } from '@kubeadmit/check/chain';
import { type PolicyMatch, policyMatches, type WebhookRule } from '@kubeadmit/check/internal';
import { deepEqual } from '@kubeadmit/go/internal';
import type { Json } from '@kubeadmit/mutator';
import { exemptLifelines, type Lifeline, lifelineExpression, lifelineName } from './lifelines.ts';
import { mayReach, mergeRules } from './merge-rules.ts';
import { lifelineCondition, registrableMatch } from './registrable-match.ts';

/** Options for the computation of webhooks. */
export interface RegistrationOptions {
  /** Names of lifelines that policies may match; see `--include-control-plane`. */
  readonly included: readonly string[];
  /** Namespaces for which kube-apiserver does not call the webhook. */
  readonly excludedNamespaces: readonly string[];
  readonly timeoutSeconds: number;
  /** Whether policies of `policies.kubeadmit.dev` are checked when they are created. */
  readonly checksOwnPolicies: boolean;
  /** How policies are divided into webhooks with `Fail` and with `Ignore`. */
  readonly split: WebhookSplit;
}

/** A webhook of a configuration, without the way to it. */
export interface ComputedWebhook extends JsonObject {
  readonly name: string;
  /** The path that kube-apiserver calls. */
  readonly path: string;
}

/** The webhooks that policies need, and the policies that an exemption affects. */
export interface Registration {
  readonly mutate: readonly ComputedWebhook[];
  readonly validate: readonly ComputedWebhook[];
  readonly affected: readonly AffectedPolicy[];
}

/** A policy that does not apply to some of the resources that it matches. */
export interface AffectedPolicy {
  readonly policy: string;
  /** The lifelines, as options name them. */
  readonly exempt: readonly string[];
}

/**
 * Computes the webhooks of both configurations from policies: what no policy can match is never sent, and policies with
 * `Fail` and `Ignore` have separate webhooks.
 */
export async function computeRegistration(
  chain: Chain,
  options: RegistrationOptions,
): Promise<Registration> {
  const matches = (await policyMatches(chain, options.split)).map(registrableMatch);
  const exempt = exemptLifelines(options.included);
  const of = (step: PolicyMatch['step']): readonly ComputedWebhook[] =>
    (['Fail', 'Ignore'] as const).flatMap((failurePolicy) => {
      const own = matches.filter(
        (match) => match.step === step && match.failurePolicy === failurePolicy,
      );
      return webhookOf(own, step, failurePolicy, exempt, options);
    });
  return {
    mutate: of('mutate'),
    validate: [...of('validate'), ...(options.checksOwnPolicies ? [ownPolicies(options)] : [])],
    affected: affectedBy(matches, exempt),
  };
}

/** Describes the effect of an exemption on a policy. */
export function exemptionText({ policy, exempt }: AffectedPolicy): string {
  return `${policy} does not apply to ${exempt.join(', ')}; --include-control-plane includes them`;
}

/** The policies that match something that is exempt. */
function affectedBy(
  matches: readonly Pick<PolicyMatch, 'name' | 'rules'>[],
  exempt: readonly Lifeline[],
): readonly AffectedPolicy[] {
  return matches.flatMap(({ name, rules }) => {
    const names = exempt.filter((lifeline) => mayReach(rules, lifeline)).map(lifelineName);
    return names.length === 0 ? [] : [{ policy: name, exempt: names }];
  });
}

function webhookOf(
  matches: readonly PolicyMatch[],
  step: PolicyMatch['step'],
  failurePolicy: PolicyMatch['failurePolicy'],
  exempt: readonly Lifeline[],
  options: RegistrationOptions,
): readonly ComputedWebhook[] {
  const rules = mergeRules(
    matches.flatMap((match) => match.rules),
    exempt,
  );
  if (rules.length === 0) return [];
  const kind = failurePolicy.toLowerCase();
  const objectSelector = shared(matches.map((match) => match.objectSelector));
  return [
    {
      name: `${step}-${kind}.kubeadmit.dev`,
      path: `/${step}/${kind}`,
      ...common(options),
      failurePolicy,
      matchPolicy: matches.every(({ matchPolicy }) => matchPolicy === 'Exact')
        ? 'Exact'
        : 'Equivalent',
      ...(step === 'mutate' ? { reinvocationPolicy: 'Never' } : {}),
      namespaceSelector: withoutNamespaces(
        ownNamespaces(matches) ?? shared(matches.map((match) => match.namespaceSelector)),
        options.excludedNamespaces,
      ),
      objectSelector: objectSelector ?? {},
      ...conditionsOf(matches, rules, exempt),
      rules: rules as unknown as JsonObject[],
    },
  ] as unknown as readonly ComputedWebhook[];
}

// A policy or binding of our group is denied if kube-apiserver would reject the native one. All others stay
// writable, even if the webhook is down.
function ownPolicies(options: RegistrationOptions): ComputedWebhook {
  return {
    name: 'own-policies.kubeadmit.dev',
    path: '/validate/ignore',
    ...common(options),
    failurePolicy: 'Ignore',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    rules: [
      {
        apiGroups: ['policies.kubeadmit.dev'],
        apiVersions: ['*'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['*'],
        scope: '*',
      },
    ],
  } as unknown as ComputedWebhook;
}

function common({ timeoutSeconds }: RegistrationOptions): JsonObject {
  return { admissionReviewVersions: ['v1'], sideEffects: 'None', timeoutSeconds };
}

/** Selects the namespaces of the policies if all are namespaced. */
function ownNamespaces(matches: readonly PolicyMatch[]): JsonObject | undefined {
  const namespaces = new Set(matches.map(({ namespace }) => namespace));
  if (namespaces.has(undefined)) return undefined;
  const values = [...namespaces].map(String).sort();
  return { matchExpressions: [{ key: namespaceLabel, operator: 'In', values }] };
}

const namespaceLabel = 'kubernetes.io/metadata.name';

// The value that all policies have in common.
function shared<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  const [first, ...rest] = values;
  const isShared = rest.every((each) =>
    deepEqual(each as unknown as Json, first as unknown as Json),
  );
  return isShared ? first : undefined;
}

function withoutNamespaces(
  selector: JsonObject | undefined,
  excluded: readonly string[],
): JsonObject {
  const expressions = (selector?.['matchExpressions'] ?? []) as readonly JsonObject[];
  const names = [...new Set(excluded)];
  if (names.length === 0) return selector ?? {};
  const others = { key: namespaceLabel, operator: 'NotIn', values: names };
  return { ...selector, matchExpressions: [...expressions, others] } as unknown as JsonObject;
}

// Conditions of webhooks know the request and its objects alone.
const policyVariables = /\b(?:params|namespaceObject|variables)\b/;

function conditionsOf(
  matches: readonly PolicyMatch[],
  rules: readonly WebhookRule[],
  exempt: readonly Lifeline[],
): JsonObject {
  const reached = exempt.filter((lifeline) => mayReach(rules, lifeline));
  const conditions = shared(matches.map((match) => match.matchConditions)) ?? [];
  const usable = conditions.every(
    ({ expression }) => !policyVariables.test(String(expression ?? '')),
  );
  const all = [
    ...(reached.length === 0
      ? []
      : [{ name: lifelineCondition, expression: lifelineExpression(reached) }]),
    ...(usable ? conditions : []),
  ];
  return (all.length === 0 ? {} : { matchConditions: all }) as unknown as JsonObject;
}
