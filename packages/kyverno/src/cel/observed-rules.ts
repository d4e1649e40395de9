import type { JsonObject } from '@kubeadmit/apimachinery';
import type { ObservedEvaluation, ObserveEvaluation, PolicySpec } from '@kubeadmit/engine';
import type { PolicyCompilers } from '@kubeadmit/engine/unstable-internal';
import type { ComputedRule } from '../autogen/autogen.ts';
import { asWritten } from '../autogen/template-place.ts';
import { celCompilers } from './cel-bindings.ts';

type Home = NonNullable<ObservedEvaluation['home']>;

/** The observer of a policy's CEL evaluations. */
export interface RuleObserver {
  readonly observe: ObserveEvaluation;
  /** The spec of the policy, and its rules. */
  readonly spec: JsonObject;
  readonly rules: readonly JsonObject[];
}

/**
 * Returns the compilers for the expressions of a rule with `validate.cel`. Observers receive positions in the
 * policy, also for generated rules.
 */
export function ruleCompilers(
  { source, origin }: ComputedRule,
  observer: RuleObserver | undefined,
): PolicyCompilers {
  if (observer === undefined) return celCompilers();
  const { observe, spec, rules } = observer;
  const path = `spec.rules[${rules.indexOf(origin?.written ?? source)}]`;
  const written = origin && ((text: string): string => asWritten(text, origin.place));
  const homeOf = (home: Home): Home => ({
    spec: spec as PolicySpec,
    path: path + home.path.replace(/^spec\.(\w+)/, (_, name: string) => places[name] ?? name),
    ...(written === undefined ? {} : { asWritten: written }),
  });
  return celCompilers(
    Object.assign(
      (evaluation: ObservedEvaluation) =>
        observe({ ...evaluation, home: evaluation.home && homeOf(evaluation.home) }),
      { wants: (home: Home | undefined) => observe.wants?.(home && homeOf(home)) !== false },
    ),
  );
}

/** The paths in the rule of the fields in a ValidatingAdmissionPolicy's spec. */
const places: Readonly<Record<string, string>> = {
  matchConditions: '.celPreconditions',
  variables: '.validate.cel.variables',
  validations: '.validate.cel.expressions',
  auditAnnotations: '.validate.cel.auditAnnotations',
};
