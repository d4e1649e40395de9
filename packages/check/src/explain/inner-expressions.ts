import { admit, type Cluster, loadCluster } from '@kubeadmit/admission';
import { isObject, listOf, member } from '@kubeadmit/apimachinery';
import { type Chain, passRequest } from '@kubeadmit/chain';
import { type ObservedRule, storeCustomResource } from '@kubeadmit/custom-resources';
import type { PolicySpec } from '@kubeadmit/engine/unstable-internal';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import { isReview } from '@kubeadmit/lint/unstable-internal';
import type { Manifest } from '@kubeadmit/manifest';
import {
  type PreparedRequest,
  type PrepareOptions,
  requestMadeOf,
  requestSettings,
} from '../requests/prepare-check.ts';
import type { ExplainedExpression } from './explanation.ts';
import { type EvaluationGroup, explainExpressions, parameterOf } from './observed-expressions.ts';
import type { EvaluationObserver } from './observer.ts';

/** An expression of a policy of Kyverno that was evaluated. */
export interface KyvernoExpression {
  readonly kind: string;
  readonly policy: string;
  /** The parameter of the rule that was read, `name` or `namespace/name`. */
  readonly params?: string | undefined;
  readonly expression: ExplainedExpression;
}

/**
 * Explains the CEL expressions of Kyverno's policies for a request: of `validate.cel` in rules, of
 * ValidatingPolicies and of MutatingPolicies, in this order. Expressions generated for pod controllers are shown as
 * written in the policy. Kyverno does not limit costs; they are those that kube-apiserver would count.
 *
 * @param chain loaded with the observer.
 */
export function explainKyvernoExpressions(
  chain: Chain,
  observer: EvaluationObserver,
  { request, isOfClient }: PreparedRequest,
): readonly KyvernoExpression[] {
  const { seen } = observer.during(() => passRequest(chain, request, { isOfClient }));
  const { classic = [], cel = [] } = chain.kyverno?.policies ?? {};
  const ofRules = classic.flatMap(({ policy: { name, spec, isNamespaced } }) =>
    withoutRepeated(seen.get(spec as PolicySpec) ?? []).flatMap((each) =>
      explained([each], spec as PolicySpec).map((told) => ({
        kind: isNamespaced ? 'Policy' : 'ClusterPolicy',
        policy: name,
        params: parameterOf(each),
        expression: inWords(told, each.home?.asWritten),
      })),
    ),
  );
  const ofPolicies = cel.flatMap(({ policy: { name, kind, specs } }) =>
    specs.flatMap(({ source, asWritten }) =>
      explained(seen.get(source as PolicySpec) ?? [], source as PolicySpec).map((each) => ({
        kind,
        policy: name,
        expression: inWords(each, asWritten),
      })),
    ),
  );
  return [...ofRules, ...ofPolicies];
}

/**
 * Variables of a rule are evaluated again for its conditions, messages and annotations, with one result per
 * parameter.
 */
function withoutRepeated(seen: EvaluationGroup): EvaluationGroup {
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

/** Returns the explanation of an expression as written in the policy from which it was generated. */
export function inWords(
  told: ExplainedExpression,
  asWritten: (expression: string) => string = (expression) => expression,
): ExplainedExpression {
  const expression = asWritten(told.expression);
  if (expression === told.expression) return told;
  const steps = told.steps.map((step) => ({ ...step, expression: asWritten(step.expression) }));
  return { ...told, expression, steps };
}

/** A rule of a definition, or its message, that was evaluated. */
export interface RuleExpression {
  readonly about: PreparedRequest;
  /** The path of the value, `spec.parts[0]`; empty for the complete object. */
  readonly subject: string;
  /** Its `path` is that in the definition: `spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule`. */
  readonly expression: ExplainedExpression;
}

/**
 * Explains the rules of a CustomResourceDefinition for manifests, or for the requests that they contain. Rejects
 * with `UnknownVersionError` for an unknown version.
 */
export async function explainRules(
  definition: Manifest,
  manifests: readonly Manifest[],
  options: PrepareOptions,
): Promise<readonly RuleExpression[]> {
  const { kubernetesVersion } = options;
  const inputs = sortInputs([{ manifest: definition, role: 'policies' }]);
  const schemas = await schemasOf(inputs, kubernetesVersion);
  const resources = [definition.object];
  const cluster = loadCluster({ resources, schemas, kubernetesVersion, onErrors: 'report' });
  const settings = requestSettings(options, schemas);
  return manifests.flatMap((manifest, index) => {
    const made = requestMadeOf(manifest, index + 1, settings);
    if (!('request' in made)) return [];
    const seen: ObservedRule[] = [];
    const isOfClient = !isReview(manifest);
    admit(observed(cluster, seen), made.request, { isOfClient });
    const version = versionPath(definition, made.request.kind?.version);
    return seen.map((each): RuleExpression => {
      const group = [{ ...each, home: { spec: {}, path: `${version}.${each.place}` } }];
      return {
        about: { manifest, request: made.request, isOfClient },
        subject: each.path,
        expression: explained(group, {})[0] as ExplainedExpression,
      };
    });
  });
}

function observed(cluster: Cluster, seen: ObservedRule[]): Cluster {
  return {
    ...cluster,
    storeCustomResource: (resource, schemas) =>
      storeCustomResource({ ...resource, observe: (each) => seen.push(each) }, schemas),
  };
}

function versionPath({ object }: Manifest, version: unknown): string {
  const versions = member(member(object, 'spec'), 'versions');
  const index = listOf(versions).findIndex((each) => isObject(each) && each['name'] === version);
  return `spec.versions[${index}].schema.openAPIV3Schema`;
}

function explained(group: EvaluationGroup, spec: PolicySpec): readonly ExplainedExpression[] {
  return explainExpressions(group, {
    spec,
    lineOf: () => undefined,
    lineWithin: () => 0,
    longestValue: 200,
    mostTurns: 10,
  });
}
