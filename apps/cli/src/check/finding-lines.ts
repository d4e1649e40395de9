import type { Finding } from '@kubeadmit/chain';
import {
  type CheckedObject,
  type CheckPlan,
  type ExplainedPolicy,
  type ExplainedResult,
  Explainer,
  type Explanation,
  type LoadedCheck,
  type PreparedRequest,
} from '@kubeadmit/check';
import { decisiveLine, decisiveRuleLine } from '../output/decisive-line.ts';

/** Finds the lines of the fields because of which policies deny, warn or audit, as `explain` shows them. */
export class FindingLines {
  readonly #plan: CheckPlan;
  readonly #loaded: LoadedCheck;
  readonly #kubernetesVersion: string | undefined;
  #explainer: Explainer | undefined;

  constructor(plan: CheckPlan, loaded: LoadedCheck, kubernetesVersion: string | undefined) {
    this.#plan = plan;
    this.#loaded = loaded;
    this.#kubernetesVersion = kubernetesVersion;
  }

  /** Returns the object with the line of each finding that has one. The policies run again, only for findings. */
  locate(object: CheckedObject, request: PreparedRequest): CheckedObject {
    if (!object.findings.some(isNoticed)) return object;
    const explanation = this.#explain(request);
    if (explanation === undefined) return object;
    const findings = object.findings.map((finding) => {
      const line = isNoticed(finding) ? lineOf(finding, explanation) : undefined;
      return line === undefined ? finding : { ...finding, line };
    });
    return { ...object, findings };
  }

  #explain(request: PreparedRequest): Explanation | undefined {
    const { inputs } = this.#plan;
    const { chain } = this.#loaded;
    this.#explainer ??= new Explainer({
      check: { ...this.#plan, requests: [] },
      cluster: chain.cluster,
      policies: inputs.policies,
      kubernetesVersion: this.#kubernetesVersion,
      chain,
      isBrief: true,
    });
    try {
      return this.#explainer.explain(request);
    } catch {
      // The finding is reported without a line.
      return undefined;
    }
  }
}

function isNoticed({ verdict }: Finding): boolean {
  return ['deny', 'warn', 'audit', 'error', 'ignore'].includes(verdict);
}

function lineOf(finding: Finding, { policies }: Explanation): number | undefined {
  const own = policies.filter(({ policy }) => policy === finding.policy);
  const lines = own.map((policy) =>
    finding.binding === undefined ? lineOfRule(finding, policy) : lineOfValidation(finding, policy),
  );
  return lines.find((line) => line !== undefined);
}

function lineOfRule({ rule }: Finding, { rules = [] }: ExplainedPolicy): number | undefined {
  const own = rules.find((each) => rule === undefined || each.rule === rule);
  if (own === undefined) return undefined;
  const failing = (own.expressions ?? []).filter(({ value, error }) => value === 'false' || error);
  return (
    decisiveRuleLine(own.steps) ?? failing.map(decisiveLine).find((line) => line !== undefined)
  );
}

function lineOfValidation(
  { binding, params, message }: Finding,
  { bindings }: ExplainedPolicy,
): number | undefined {
  const evaluations = bindings
    .filter((each) => each.binding === binding)
    .flatMap((each) => each.evaluations)
    .filter((each) => each.params === params);
  for (const { results, expressions } of evaluations) {
    const result = results.find((each) => isOpen(each) && each.message === message);
    const expression = expressions.find(
      ({ path }) => path.startsWith(`${result?.path}.`) && !path.endsWith('messageExpression'),
    );
    if (expression !== undefined) return decisiveLine(expression);
  }
  return undefined;
}

function isOpen({ outcome }: ExplainedResult): boolean {
  return ['denied', 'warned', 'audited', 'error', 'ignored'].includes(outcome);
}
