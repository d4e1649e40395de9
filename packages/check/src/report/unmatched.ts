import type { PolicySpec } from '@kubeadmit/engine/internal';
import { boundPolicy, matchAdvice, problemOf, withoutBinding } from '@kubeadmit/lint/internal';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import type { LoadedCheck } from '../check.ts';
import { askedFacts } from '../explain/exact-reason.ts';
import { explainUnevaluated } from '../explain/unevaluated.ts';
import type { CheckPlan, PreparedRequest } from '../requests/prepare-check.ts';
import type { Coverage } from './coverage.ts';

/** How many policies are compared with the first object where nothing was judged. */
const mostCompared = 10;

/** The parts of a summary that say what matched nothing. */
interface UnmatchedSummary {
  readonly coverage: Coverage;
  /** Set if no policy judged any object. */
  readonly nothingJudged: unknown;
}

/**
 * Explains why policies and bindings matched no object: a misspelt resource, a rule that nothing can match, or, where no
 * object was judged at all, what the first object lacks.
 */
export function unmatchedReasons(
  { inputs, schemas, requestOf }: Pick<CheckPlan, 'inputs' | 'schemas' | 'requestOf'>,
  { chain }: Pick<LoadedCheck, 'chain'>,
  { coverage, nothingJudged }: UnmatchedSummary,
): readonly InputProblem[] {
  const { unusedPolicies, unusedBindings, assumedNamespaces } = coverage;
  const policies = inputs.policies.filter(({ name }) => unusedPolicies.includes(name));
  const bindings = inputs.bindings.filter(({ name }) => unusedBindings.includes(name));
  const certain = [...policies, ...bindings].flatMap((manifest) => matchAdvice(manifest, schemas));
  const unbound = new Set(withoutBinding(inputs.policies, inputs.bindings));
  // A missing namespace is reason enough, and the report names it.
  const isCompared = nothingJudged !== undefined && assumedNamespaces.length === 0;
  const first = isCompared ? firstRequest({ inputs, requestOf }) : undefined;
  const explained = new Set(certain.map(({ manifest }) => manifest));
  const others = policies.filter((each) => !explained.has(each) && !unbound.has(each));
  if (first === undefined) return certain;
  const facts = askedFacts(chain.cluster, first.request);
  const reasonOf = (policy: Manifest): InputProblem => {
    const spec = (policy.object['spec'] ?? {}) as PolicySpec;
    const bound = inputs.bindings.filter(
      (binding) => boundPolicy(binding) === `${policy.kind}/${policy.name}`,
    );
    const given = { cluster: chain.cluster, request: first.request, facts };
    const { reason } = explainUnevaluated(spec, bound, given);
    const message = `${policy.title} does not match ${first.manifest.title}: ${reason}`;
    return problemOf(policy, ['spec', 'matchConstraints'], message);
  };
  return [...certain, ...others.slice(0, mostCompared).map(reasonOf)];
}

function firstRequest({
  inputs,
  requestOf,
}: Pick<CheckPlan, 'inputs' | 'requestOf'>): PreparedRequest | undefined {
  const ignore = (): void => undefined;
  return inputs.subjects.length === 0 ? undefined : requestOf(0, ignore, ignore);
}
