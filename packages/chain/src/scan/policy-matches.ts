import { type WebhookSplit, webhookFailurePolicy } from '@kubeadmit/admission/unstable-internal';
import { type JsonObject, member, memberList, metadataString } from '@kubeadmit/apimachinery';
import { listResources, type Schemas } from '@kubeadmit/schemas';
import { type BoundPolicy, boundPolicies } from '../chain/bound-policies.ts';
import type { Chain } from '../chain/chain.ts';
import { kyvernoWebhookFailurePolicy } from '../kyverno/webhook-failure-policy.ts';
import { kindsOf } from '../requests/served-kind.ts';

/** A rule of a webhook configuration (`RuleWithOperations`). */
export interface WebhookRule {
  /** The groups; `*` for all. */
  readonly apiGroups: readonly string[];
  /** The versions; `*` for all. */
  readonly apiVersions: readonly string[];
  /** The operations; `*` for all. */
  readonly operations: readonly string[];
  /** The resources and subresources; `*` for all. */
  readonly resources: readonly string[];
  /** `Cluster`, `Namespaced` or `*`. */
  readonly scope: string;
}

/** The match criteria of a policy, in the form of a webhook configuration. */
export interface PolicyMatch {
  /** As in `ValidatingAdmissionPolicy/name`. */
  readonly name: string;
  /** The namespace of a namespaced policy, which matches only its objects; undefined for other policies. */
  readonly namespace?: string | undefined;
  /** The step of admission that the policy belongs to. */
  readonly step: 'mutate' | 'validate';
  /** That of its webhook: `Ignore` also for a policy that denies nothing. */
  readonly failurePolicy: 'Fail' | 'Ignore';
  /** Whether other versions of a resource match too. */
  readonly matchPolicy: 'Equivalent' | 'Exact';
  /** The requests that match. */
  readonly rules: readonly WebhookRule[];
  /** Selects namespaces; undefined for all. */
  readonly namespaceSelector: JsonObject | undefined;
  /** Selects objects; undefined for all. */
  readonly objectSelector: JsonObject | undefined;
  /** Conditions in CEL that have to be true. */
  readonly matchConditions: readonly JsonObject[];
}

/** Returns the match criteria of all active policies: native policies with a binding, and Kyverno policies. */
export async function policyMatches(
  chain: Chain,
  split: WebhookSplit,
): Promise<readonly PolicyMatch[]> {
  const { cluster, kyverno } = chain;
  const native = boundPolicies(chain).map(({ policy, bindings }) => ({
    ...matchOf(policy, policy.kind === 'MutatingAdmissionPolicy' ? 'mutate' : 'validate'),
    failurePolicy: webhookFailurePolicy(policy, actionsOf(bindings), split),
  }));
  if (kyverno === undefined) return native;
  return [...native, ...(await kyvernoMatches(kyverno, cluster.schemas, split))];
}

/** The match criteria of a policy without its failure policy. */
type Match = Omit<PolicyMatch, 'failurePolicy'>;

function matchOf(object: unknown, step: PolicyMatch['step']): Match {
  const spec = member(object, 'spec');
  const constraints = member(spec, 'matchConstraints');
  return {
    name: nameOf(object),
    namespace: namespaceOf(object),
    step,
    matchPolicy: member(constraints, 'matchPolicy') === 'Exact' ? 'Exact' : 'Equivalent',
    rules: rulesOf(constraints),
    namespaceSelector: selectorOf(constraints, 'namespaceSelector'),
    objectSelector: selectorOf(constraints, 'objectSelector'),
    matchConditions: memberList(spec, 'matchConditions') as readonly JsonObject[],
  };
}

function rulesOf(constraints: unknown): readonly WebhookRule[] {
  return memberList(constraints, 'resourceRules').map(ruleOf);
}

function actionsOf(bindings: BoundPolicy['bindings']): readonly string[] {
  return bindings.flatMap((binding) =>
    memberList(member(binding, 'spec'), 'validationActions').map(String),
  );
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

/** The steps of policies in CEL; no webhook asks those that generate or delete, since they act in the background. */
const stepsOfTypes: ReadonlyMap<string, readonly PolicyMatch['step'][]> = new Map([
  ['Validation', ['validate']],
  ['Mutation', ['mutate']],
  // Digests are added to images before the images are validated.
  ['ImageVerify', ['mutate', 'validate']],
]);

async function kyvernoMatches(
  { policies: { classic, cel }, verifiesImages }: NonNullable<Chain['kyverno']>,
  schemas: Schemas,
  split: WebhookSplit,
): Promise<readonly PolicyMatch[]> {
  const { computeRules, generateMutating, generateValidating } = await import(
    '@kubeadmit/kyverno/unstable-internal'
  );
  const found: PolicyMatch[] = [];
  for (const { policy, object } of cel) {
    const steps = stepsOfTypes.get(policy.type);
    if (steps === undefined) continue;
    const spec = member(object, 'spec') as JsonObject;
    const isMutating = policy.type === 'Mutation';
    const generated = isMutating ? generateMutating(spec) : generateValidating(spec);
    const more = generated.flatMap((made) => rulesOf(member(made.spec, 'matchConstraints')));
    // Conditions of generated policies are others.
    const isPlain = more.length === 0;
    for (const step of steps) {
      const own = matchOf(object, step);
      found.push({
        ...own,
        failurePolicy: kyvernoWebhookFailurePolicy(step, split, { object, policy }),
        rules: [...own.rules, ...more],
        matchConditions: isPlain ? own.matchConditions : [],
        objectSelector: isPlain ? own.objectSelector : undefined,
      });
    }
  }
  for (const { object } of classic) {
    const rules = computeRules(object as JsonObject, '');
    for (const step of ['validate', 'mutate'] as const) {
      const ofStep = rules.filter((rule) => isOfStep(rule, step, verifiesImages));
      const kinds = [...new Set(ofStep.flatMap((rule) => kindsOf(member(rule, 'match'))))];
      if (kinds.length === 0) continue;
      found.push({
        name: nameOf(object),
        namespace: namespaceOf(object),
        step,
        failurePolicy: kyvernoWebhookFailurePolicy(step, split, { object }),
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

/** Whether a step evaluates a rule; both steps evaluate rules about images. */
function isOfStep(rule: unknown, step: PolicyMatch['step'], verifiesImages: boolean): boolean {
  const isAboutImages = memberList(rule, 'verifyImages').length > 0;
  return member(rule, step) !== undefined || (verifiesImages && isAboutImages);
}

async function kyvernoRules(
  kinds: readonly string[],
  step: 'mutate' | 'validate',
  schemas: Schemas,
): Promise<readonly WebhookRule[]> {
  const { parseKindSelector, selectsKind } = await import('@kubeadmit/kyverno/patterns');
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

// Without a namespace, a Policy is one of `default`, and a namespaced policy in CEL is evaluated everywhere.
function namespaceOf(object: unknown): string | undefined {
  const kind = String(member(object, 'kind'));
  const namespace = metadataString(object, 'namespace');
  if (kind === 'Policy') return namespace || 'default';
  return kind.startsWith('Namespaced') && namespace !== '' ? namespace : undefined;
}

function nameOf(object: unknown): string {
  return `${String(member(object, 'kind'))}/${String(member(member(object, 'metadata'), 'name'))}`;
}
