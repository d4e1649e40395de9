import type { WebhookSplit } from '@kubeadmit/admission/unstable-internal';
import type { JsonObject } from '@kubeadmit/apimachinery';
import type { Chain } from '@kubeadmit/chain';
import { type PolicyMatch, policyMatches } from '@kubeadmit/chain/scan';
import type { WantedStatus } from '../status/wanted-status.ts';
import { divideByNamespace, namespaceLabel } from './divide-by-namespace.ts';
import { exemptLifelines, type Lifeline, lifelineName } from './lifelines.ts';
import { mayReach } from './merge-rules.ts';
import { registrableMatch } from './registrable-match.ts';

/** Options for the computation of webhooks. */
export interface RegistrationOptions {
  /** Names of lifelines that policies may match; see `--include-control-plane`. */
  readonly included: readonly string[];
  /** Namespaces for which kube-apiserver does not call the webhook. */
  readonly excludedNamespaces: readonly string[];
  readonly timeoutSeconds: number;
  /** Whether policies of `policies.kubeadmit.dev` are checked when they are created. */
  readonly checksOwnPolicies: boolean;
  /** Whether policies of Kyverno are checked when they are created. */
  readonly checksKyvernoPolicies: boolean;
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
  /** The status of the Kyverno policies in the cluster once these webhooks are registered. */
  readonly statuses: readonly WantedStatus[];
}

/** A policy that does not apply to some of the resources that it matches. */
export interface AffectedPolicy {
  readonly policy: string;
  /** The lifelines, as options name them. */
  readonly exempt: readonly string[];
}

/**
 * Computes the webhooks of both configurations from policies: requests that no policy can match are never sent, and
 * policies with `Fail` and `Ignore` have separate webhooks, as have the namespaces with policies.
 */
export async function computeRegistration(
  chain: Chain,
  options: RegistrationOptions,
): Promise<Omit<Registration, 'statuses'>> {
  const matches = (await policyMatches(chain, options.split)).map(registrableMatch);
  const exempt = exemptLifelines(options.included);
  const of = (step: PolicyMatch['step']): readonly ComputedWebhook[] =>
    (['Fail', 'Ignore'] as const).flatMap((failurePolicy) => {
      const own = matches.filter(
        (match) => match.step === step && match.failurePolicy === failurePolicy,
      );
      return webhooksOf(own, step, failurePolicy, exempt, options);
    });
  return {
    mutate: of('mutate'),
    validate: [
      ...of('validate'),
      ...(options.checksOwnPolicies ? [ownPolicies(options)] : []),
      ...(options.checksKyvernoPolicies ? [kyvernoPolicies(options)] : []),
    ],
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

function webhooksOf(
  matches: readonly PolicyMatch[],
  step: PolicyMatch['step'],
  failurePolicy: PolicyMatch['failurePolicy'],
  exempt: readonly Lifeline[],
  options: RegistrationOptions,
): readonly ComputedWebhook[] {
  const kind = failurePolicy.toLowerCase();
  return divideByNamespace(matches, exempt).map((calls, at) => {
    const { matchPolicy, namespaceSelector, objectSelector, ...rest } = calls;
    return {
      name: `${step}-${kind}${at === 0 ? '' : `-${at + 1}`}.kubeadmit.dev`,
      path: `/${step}/${kind}`,
      ...common(options),
      failurePolicy,
      matchPolicy,
      ...(step === 'mutate' ? { reinvocationPolicy: 'Never' } : {}),
      namespaceSelector: withoutNamespaces(namespaceSelector, options.excludedNamespaces),
      objectSelector,
      ...rest,
    } as unknown as ComputedWebhook;
  });
}

// A policy or binding of our group is denied if kube-apiserver would reject the native one. All others stay
// writable, even if the webhook is down.
function ownPolicies(options: RegistrationOptions): ComputedWebhook {
  return policyWebhook('own-policies', 'Ignore', options, [
    { group: 'policies.kubeadmit.dev', resources: ['*'] },
  ]);
}

// As in Kyverno, an invalid policy is not stored, even if the webhook is down.
function kyvernoPolicies(options: RegistrationOptions): ComputedWebhook {
  return policyWebhook('kyverno-policies', 'Fail', options, [
    {
      group: 'kyverno.io',
      resources: [
        ...['clusterpolicies', 'policies', 'policyexceptions', 'globalcontextentries'],
        ...['cleanuppolicies', 'clustercleanuppolicies'],
      ],
    },
    { group: 'policies.kyverno.io', resources: ['*'] },
  ]);
}

interface PolicyResources {
  readonly group: string;
  readonly resources: readonly string[];
}

function policyWebhook(
  name: string,
  failurePolicy: PolicyMatch['failurePolicy'],
  options: RegistrationOptions,
  kinds: readonly PolicyResources[],
): ComputedWebhook {
  return {
    name: `${name}.kubeadmit.dev`,
    path: `/validate/${failurePolicy.toLowerCase()}`,
    ...common(options),
    failurePolicy,
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    rules: kinds.map(({ group, resources }) => ({
      apiGroups: [group],
      apiVersions: ['*'],
      operations: ['CREATE', 'UPDATE'],
      resources,
      scope: '*',
    })),
  } as unknown as ComputedWebhook;
}

function common({ timeoutSeconds }: RegistrationOptions): JsonObject {
  return { admissionReviewVersions: ['v1'], sideEffects: 'None', timeoutSeconds };
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
