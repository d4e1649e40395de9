import {
  type CheckPlan,
  type Coverage,
  Explainer,
  type LoadedCheck,
  type PreparedRequest,
} from '@kubeadmit/check';
import { askedFacts, bindingsOf, explainUnevaluated } from '@kubeadmit/check/unstable-internal';
import type { PolicySpec } from '@kubeadmit/engine';
import { withoutBinding } from '@kubeadmit/lint/inputs';
import { matchAdvice, specReader } from '@kubeadmit/lint/unstable-internal';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';

/** How many policies are compared with the first object where nothing was judged. */
const mostCompared = 10;

/** The parts of a summary about policies and bindings that matched nothing. */
interface UnmatchedSummary {
  readonly coverage: Coverage;
  /** Set if no policy judged any object. */
  readonly nothingJudged: unknown;
}

/**
 * Explains why policies and bindings matched no object: a misspelt resource, a rule that nothing can match, or, if no
 * object was judged at all, the unmatched criteria for the first object.
 */
export function unmatchedReasons(
  plan: CheckPlan,
  { chain }: Pick<LoadedCheck, 'chain'>,
  { coverage, nothingJudged }: UnmatchedSummary,
): readonly InputProblem[] {
  const { inputs, schemas } = plan;
  const { unusedPolicies, unusedBindings, assumedNamespaces } = coverage;
  const policies = inputs.policies.filter(({ name }) => unusedPolicies.includes(name));
  const bindings = inputs.bindings.filter(({ name }) => unusedBindings.includes(name));
  const specOf = specReader(schemas);
  const certain = [...policies, ...bindings].flatMap((manifest) =>
    matchAdvice(manifest, specOf(manifest), { schemas }),
  );
  // A missing namespace is reason enough, and the report names it.
  const isCompared = nothingJudged !== undefined && assumedNamespaces.length === 0;
  const first = isCompared ? firstRequest(plan) : undefined;
  if (first === undefined) return certain;
  const unbound = new Set(withoutBinding(inputs.policies, inputs.bindings));
  const explained = new Set(certain.map(({ manifest }) => manifest));
  const others = policies.filter((each) => !explained.has(each) && !unbound.has(each));
  const facts = askedFacts(chain.cluster, first.request);
  const reasonOf = (policy: Manifest): InputProblem => {
    const spec = (policy.object['spec'] ?? {}) as PolicySpec;
    const bound = bindingsOf(policy, inputs.bindings);
    const given = { kind: policy.kind, cluster: chain.cluster, request: first.request, facts };
    const { reason } = explainUnevaluated(spec, bound, given);
    const message = `${policy.title} does not match ${first.manifest.title}: ${reason}`;
    return policy.problem(['spec', 'matchConstraints'], message);
  };
  const native = others.slice(0, mostCompared).map(reasonOf);
  return [...certain, ...native, ...kyvernoReasons(plan, chain, first, unusedPolicies)];
}

/** Returns, for each rule of a Kyverno policy, why a request does not match it. */
function kyvernoReasons(
  plan: CheckPlan,
  chain: LoadedCheck['chain'],
  first: PreparedRequest,
  unusedPolicies: readonly string[],
): readonly InputProblem[] {
  if (chain.kyverno === undefined) return [];
  const check = { ...plan, requests: [] };
  const { cluster } = chain;
  const explainer = new Explainer({ check, cluster, policies: [], chain, isBrief: true });
  const explained = explainer.explain(first).policies.slice(0, mostCompared);
  return explained.flatMap(({ policy, reason, rules = [] }) => {
    const manifest = plan.inputs.kyverno.find(({ name }) => name === policy);
    if (manifest === undefined || !unusedPolicies.includes(policy)) return [];
    const reasons = rules.map(({ rule, reason: own }) =>
      rule === undefined ? own : `rule ${rule}: ${own}`,
    );
    const why = reasons.length === 0 ? reason : reasons.join('; ');
    const message = `${manifest.title} does not match ${first.manifest.title}: ${why}`;
    return [manifest.problem(['spec'], message)];
  });
}

function firstRequest({
  inputs,
  requestOf,
}: Pick<CheckPlan, 'inputs' | 'requestOf'>): PreparedRequest | undefined {
  const ignore = (): void => undefined;
  return inputs.subjects.length === 0 ? undefined : requestOf(0, ignore, ignore);
}
