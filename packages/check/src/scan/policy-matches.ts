import { type JsonObject, member } from '@kubeadmit/apimachinery';
import { memberList } from '@kubeadmit/apimachinery/internal';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import { boundPolicies } from '../chain/bound-policies.ts';
import type { Chain } from '../chain/chain.ts';
import { kindsOf } from './concerned-kinds.ts';

/** A rule of a webhook configuration (`RuleWithOperations`). */
export interface WebhookRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string;
}

/** The match criteria of a policy, in the form of a webhook configuration. */
export interface PolicyMatch {
  /** As in `ValidatingAdmissionPolicy/name`. */
  readonly name: string;
  readonly step: 'mutate' | 'validate';
  readonly failurePolicy: 'Fail' | 'Ignore';
  readonly matchPolicy: 'Equivalent' | 'Exact';
  readonly rules: readonly WebhookRule[];
  readonly namespaceSelector: JsonObject | undefined;
  readonly objectSelector: JsonObject | undefined;
  readonly matchConditions: readonly JsonObject[];
}

/** Returns the match criteria of all active policies: native policies with a binding, and Kyverno policies. */
export async function policyMatches(chain: Chain): Promise<readonly PolicyMatch[]> {
  const { cluster, kyverno } = chain;
  const native = boundPolicies(chain).map(({ kind, metadata, spec }) =>
    matchOf(`${kind}/${metadata?.name}`, kind === 'MutatingAdmissionPolicy', spec),
  );
  if (kyverno === undefined) return native;
  return [...native, ...(await kyvernoMatches(kyverno.policies, cluster.schemas))];
}

function matchOf(name: string, isMutating: boolean, spec: unknown): PolicyMatch {
  const constraints = member(spec, 'matchConstraints');
  return {
    name,
    step: isMutating ? 'mutate' : 'validate',
    failurePolicy: failurePolicyOf(spec),
    matchPolicy: member(constraints, 'matchPolicy') === 'Exact' ? 'Exact' : 'Equivalent',
    rules: memberList(constraints, 'resourceRules').map(ruleOf),
    namespaceSelector: selectorOf(constraints, 'namespaceSelector'),
    objectSelector: selectorOf(constraints, 'objectSelector'),
    matchConditions: memberList(spec, 'matchConditions') as readonly JsonObject[],
  };
}

function failurePolicyOf(spec: unknown): 'Fail' | 'Ignore' {
  return member(spec, 'failurePolicy') === 'Ignore' ? 'Ignore' : 'Fail';
}

function ruleOf(rule: unknown): WebhookRule {
  const texts = (field: string): readonly string[] => memberList(rule, field).map(String);
  return {
    apiGroups: texts('apiGroups'),
    apiVersions: texts('apiVersions'),
    operations: texts('operations'),
    resources: texts('resources'),
    scope: String(member(rule, 'scope') ?? '*'),
  };
}

function selectorOf(constraints: unknown, field: string): JsonObject | undefined {
  const selector = member(constraints, field) as JsonObject | null | undefined;
  const isEmpty =
    selector == null ||
    (memberList(selector, 'matchExpressions').length === 0 &&
      Object.keys((member(selector, 'matchLabels') ?? {}) as object).length === 0);
  return isEmpty ? undefined : selector;
}

type KyvernoPolicies = NonNullable<Chain['kyverno']>['policies'];

async function kyvernoMatches(
  { classic, cel }: KyvernoPolicies,
  schemas: Schemas,
): Promise<readonly PolicyMatch[]> {
  const { computeRules, generateMutating, generateValidating } = await import(
    '@kubeadmit/kyverno/internal'
  );
  const found: PolicyMatch[] = [];
  for (const { policy, object } of cel) {
    // No webhook asks policies that generate or delete: they act in the background.
    if (policy.type !== 'Validation' && policy.type !== 'Mutation') continue;
    const isMutating = policy.type === 'Mutation';
    const spec = member(object, 'spec') as JsonObject;
    const own = matchOf(nameOf(object), isMutating, spec);
    const generated = isMutating ? generateMutating(spec) : generateValidating(spec);
    const more = generated.flatMap((made) => matchOf('', false, made.spec).rules);
    // Conditions of generated policies are others.
    const isPlain = more.length === 0;
    found.push({
      ...own,
      rules: [...own.rules, ...more],
      matchConditions: isPlain ? own.matchConditions : [],
      objectSelector: isPlain ? own.objectSelector : undefined,
    });
  }
  for (const { object } of classic) {
    const rules = computeRules(object as JsonObject, '');
    for (const step of ['validate', 'mutate'] as const) {
      const ofStep = rules.filter((rule) => isOfStep(rule, step));
      const kinds = [...new Set(ofStep.flatMap((rule) => kindsOf(member(rule, 'match'))))];
      if (kinds.length === 0) continue;
      found.push({
        name: nameOf(object),
        step,
        failurePolicy: failurePolicyOf(member(object, 'spec')),
        matchPolicy: 'Equivalent',
        rules: await kyvernoRules(kinds, step, schemas),
        namespaceSelector: undefined,
        objectSelector: undefined,
        matchConditions: [],
      });
    }
  }
  return found;
}

function isOfStep(rule: unknown, step: 'mutate' | 'validate'): boolean {
  return member(rule, step) !== undefined;
}

async function kyvernoRules(
  kinds: readonly string[],
  step: 'mutate' | 'validate',
  schemas: Schemas,
): Promise<readonly WebhookRule[]> {
  const { parseKindSelector, selectsKind } = await import('@kubeadmit/kyverno/internal');
  const operations = step === 'mutate' ? ['CREATE', 'UPDATE'] : ['*'];
  const made: WebhookRule[] = [];
  for (const text of kinds) {
    const selector = parseKindSelector(text);
    const served = listResources(schemas).filter((each) =>
      selectsKind({ ...selector, subresource: '*' }, each, ''),
    );
    // A kind that is defined later, or any kind.
    const isOpen = served.length === 0 || selector.kind.includes('*');
    const resources = isOpen ? [{ group: '*', version: '*', resource: '*' }] : served;
    for (const { group, version, resource } of resources) {
      const isPod = group === '' && resource === 'pods' && selector.subresource === '';
      made.push({
        apiGroups: [group],
        apiVersions: [version],
        operations,
        resources: [
          selector.subresource === '' ? resource : `${resource}/${selector.subresource}`,
          ...(isPod ? ['pods/ephemeralcontainers'] : []),
        ],
        scope: '*',
      });
    }
  }
  return made;
}

function nameOf(object: unknown): string {
  return `${String(member(object, 'kind'))}/${String(member(member(object, 'metadata'), 'name'))}`;
}
