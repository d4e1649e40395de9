import { metadataString } from '@kubeadmit/apimachinery';
import { type Chain, passRequest } from '@kubeadmit/chain';
import {
  asWritten,
  type EvaluationGroup,
  type ExplainedExpression,
  explainExpressions,
  groupsOf,
  hasEvaluated,
  parameterOf,
} from '@kubeadmit/chain/expressions';
import type { PolicySpec } from '@kubeadmit/engine';
import { type Manifest, readManifests, Source } from '@kubeadmit/manifest';
import type { ServiceContext } from '../service/service-context.ts';
import {
  type ExampleChain,
  type ExampleRequest,
  isOfReview,
  loadExamples,
} from './example-requests.ts';

/** The value of an expression for an example. */
export interface PolicyValue {
  readonly request: ExampleRequest;
  /** The parameter of the evaluation, `name` or `namespace/name`. */
  readonly params?: string | undefined;
  /** The path of the value that a rule of a definition validates, `spec.parts[0]`; absent for the complete object. */
  readonly about?: string | undefined;
  readonly expression: ExplainedExpression;
}

/** Evaluates a native policy for examples. */
export async function nativeValues(
  context: ServiceContext,
  policy: Manifest,
  examples: readonly Manifest[],
): Promise<readonly PolicyValue[]> {
  const { inputs } = context.workspace.inputs();
  const bindings = inputs.bindings.filter(
    ({ kind, object }) =>
      kind === `${policy.kind}Binding` &&
      (object['spec'] as { policyName?: unknown } | undefined)?.policyName === policy.name,
  );
  const bound = bindings.length === 0 ? [assumedBinding(policy)] : bindings;
  const loaded = await loadExamples(context, [policy, ...bound], examples);
  const spec = specOf(loaded.chain, policy);
  if (spec === undefined) return [];
  const accepted = loaded.requests.filter(({ isRefused }) => !isRefused);
  return accepted.flatMap((request) => {
    const groups = groupsOf(evaluationsOf(loaded, request).get(spec) ?? []);
    const isMutating = policy.kind.startsWith('Mutating');
    return (isMutating ? withoutRepeatedConditions(groups) : groups).flatMap((group) =>
      explained(group, spec).map((expression) => ({
        request,
        params: group[0] && parameterOf(group[0]),
        expression,
      })),
    );
  });
}

function specOf({ cluster }: Chain, { kind, name }: Manifest): PolicySpec | undefined {
  const loaded =
    kind === 'MutatingAdmissionPolicy' ? cluster.mutatingPolicies : cluster.validatingPolicies;
  return loaded.find((policy) => metadataString(policy, 'name') === name)?.spec;
}

/** Reinvocation evaluates the conditions of a policy again, but its mutations only if they run again. */
function withoutRepeatedConditions(groups: readonly EvaluationGroup[]): readonly EvaluationGroup[] {
  const known = new Set<string | undefined>();
  return groups.filter((group) => {
    const parameter = group[0] && parameterOf(group[0]);
    const isNew = !known.has(parameter);
    known.add(parameter);
    return isNew || hasEvaluated(group, 'spec.mutations');
  });
}

/**
 * Evaluates a policy of Kyverno for examples: the CEL expressions of `validate.cel` in rules, of ValidatingPolicies
 * and of MutatingPolicies. Expressions generated for pod controllers are shown as written in the policy. Kyverno does
 * not limit costs; they are those that kube-apiserver would count.
 */
export async function kyvernoValues(
  context: ServiceContext,
  policy: Manifest,
  examples: readonly Manifest[],
): Promise<readonly PolicyValue[]> {
  const { inputs } = context.workspace.inputs();
  const exceptions = inputs.kyverno.filter(({ kind }) => kind === 'PolicyException');
  const loaded = await loadExamples(context, [policy, ...exceptions], examples);
  const { classic = [], cel = [] } = loaded.chain.kyverno?.policies ?? {};
  return loaded.requests.flatMap((request) => {
    const seen = evaluationsOf(loaded, request);
    const ofRules = classic.flatMap(({ policy: { spec } }) =>
      withoutRepeatedVariables(seen.get(spec as PolicySpec) ?? []).flatMap((each) =>
        explained([each], spec as PolicySpec).map((expression) => ({
          request,
          params: parameterOf(each),
          expression: asWritten(expression, each.home?.asWritten),
        })),
      ),
    );
    const ofPolicies = cel.flatMap(({ policy: { specs } }) =>
      specs.flatMap(({ source, asWritten: writtenFor }) =>
        explained(seen.get(source as PolicySpec) ?? [], source as PolicySpec).map((expression) => ({
          request,
          expression: asWritten(expression, writtenFor),
        })),
      ),
    );
    return [...ofRules, ...ofPolicies];
  });
}

/**
 * Variables of a rule are evaluated again for its conditions, messages and annotations, with one result per
 * parameter.
 */
function withoutRepeatedVariables(seen: EvaluationGroup): EvaluationGroup {
  const known = new Set<string>();
  return seen.filter((each) => {
    const path = each.home?.path ?? '';
    if (!path.includes('.cel.variables[')) return true;
    const key = `${path} ${parameterOf(each)}`;
    const isNew = !known.has(key);
    known.add(key);
    return isNew;
  });
}

function evaluationsOf(
  { chain, observer }: ExampleChain,
  example: ExampleRequest,
): ReadonlyMap<PolicySpec, EvaluationGroup> {
  const isOfClient = !isOfReview(example);
  return observer.during(() => passRequest(chain, example.request, { isOfClient })).seen;
}

/** Explains expressions without the lines of the values that they read. */
export function explained(
  group: EvaluationGroup,
  spec: PolicySpec,
): readonly ExplainedExpression[] {
  return explainExpressions(group, {
    spec,
    lineOf: () => undefined,
    lineWithin: () => 0,
    longestValue: 200,
    mostTurns: 10,
  });
}

/** An assumed binding for a policy without one among the files, so that its effect is shown. */
function assumedBinding({ apiVersion, kind, name }: Manifest): Manifest {
  const actions = kind.startsWith('Validating') ? { validationActions: ['Deny'] } : {};
  const object = {
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name },
    spec: { policyName: name, ...actions },
  };
  const [manifest] = readManifests(new Source('assumed.json', JSON.stringify(object))).manifests;
  return manifest as Manifest;
}
