import type {
  BindingTrace,
  EvaluationTrace,
  PluginTrace,
  PolicyTrace,
} from '@kubeadmit/admission/unstable-internal';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';

/** The verdict of one policy about one request. */
export type Verdict =
  | 'allow'
  | 'deny'
  | 'warn'
  | 'audit'
  | 'mutate'
  | 'generate'
  | 'delete'
  | 'error'
  /** The policy matched and failed with an error, which its failure policy Ignore leaves without effect. */
  | 'ignore'
  | 'skip';

/** One verdict with where it is from. */
export interface Finding {
  /** The name of the policy; empty for findings of the server itself. */
  readonly policy: string;
  /** The admission plugin that refused or warned; absent for policies. */
  readonly plugin?: string;
  /** The name of the binding of a native policy. */
  readonly binding?: string;
  /** The rule of a Kyverno policy. */
  readonly rule?: string;
  /** The parameter that it was evaluated with: `name` or `namespace/name`. */
  readonly params?: string;
  /** The verdict. */
  readonly verdict: Verdict;
  /** The message for people. */
  readonly message?: string;
  /** The reason of a denial, such as `Invalid`. */
  readonly reason?: string;
  /** For an error of a validation that does not deny: the actions of the binding, without `Deny`. */
  readonly actions?: readonly string[];
  /** The objects that a rule of Kyverno generates because of the request. */
  readonly generated?: readonly JsonObject[];
  /** The line of the manifest whose value decided, where a report asks for it. */
  readonly line?: number;
}

/** The `validationActions` of bindings by name. */
export type BindingActions = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the findings of the policies that matched a request, in the order in which they ran.
 *
 * A validation that fails has a finding for each action of the binding (`Deny`, `Warn`, `Audit`). A policy without
 * objections has `allow`, and one whose match conditions exclude the request `skip`. An error is `error`, or `ignore`
 * with the failure policy Ignore.
 */
export function findingsOf(
  policies: readonly PolicyTrace[],
  actions: BindingActions,
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const policy of policies) {
    if (policy.outcome === 'error') {
      findings.push(errorFinding({ policy: policy.policy }, policy, policy.message));
      continue;
    }
    for (const binding of policy.bindings) addFindings(findings, policy, { binding, actions });
  }
  return findings;
}

/** Returns the refusals and warnings of admission plugins, in the order in which they ran. */
export function pluginFindings(trace: readonly PluginTrace[]): readonly Finding[] {
  return trace.flatMap(({ plugin, denial, warnings = [] }): readonly Finding[] => [
    ...warnings.map((message) => ({ policy: '', plugin, verdict: 'warn' as const, message })),
    ...(denial === undefined
      ? []
      : [
          defined({
            policy: '',
            plugin,
            verdict: 'deny' as const,
            message: denial.message,
            reason: denial.reason,
          }),
        ]),
  ]);
}

type Origin = Pick<Finding, 'policy' | 'binding' | 'params'>;

function addFindings(
  findings: Finding[],
  policy: PolicyTrace,
  { binding, actions }: { readonly binding: BindingTrace; readonly actions: BindingActions },
): void {
  const origin = { policy: policy.policy, binding: binding.binding };
  if (binding.outcome === 'error') {
    findings.push(errorFinding(origin, policy, binding.message));
    return;
  }
  if (foundNoParameters(binding)) {
    if (policy.pass === 1) findings.push({ ...origin, verdict: 'skip', message: noParameters });
    return;
  }
  for (const evaluation of binding.evaluations) {
    const { parameter } = evaluation;
    const from = parameter === undefined ? origin : { ...origin, params: parameterText(parameter) };
    if (policy.kind === 'MutatingAdmissionPolicy') {
      const found = mutationFindings(from, policy, evaluation);
      findings.push(
        ...(policy.pass === 1 ? found : found.filter(({ verdict }) => verdict !== 'allow')),
      );
    } else {
      const all = actions.get(binding.binding) ?? defaultActions;
      findings.push(...validationFindings(from, policy, evaluation, all));
    }
  }
}

/** Why a binding asks its policy nothing, where {@link foundNoParameters} is true. */
export const noParameters =
  'no parameters found; the binding allows that (parameterNotFoundAction: Allow)';

/** Whether a binding matched and found no parameters, which it allows: its policy is not evaluated. */
export function foundNoParameters({ outcome, evaluations }: BindingTrace): boolean {
  return outcome === 'evaluated' && evaluations.length === 0;
}

const defaultActions: readonly string[] = ['Deny'];

function validationFindings(
  from: Origin,
  policy: PolicyTrace,
  evaluation: EvaluationTrace,
  actions: readonly string[],
): Finding[] {
  const excluded = conditionsFinding(from, evaluation);
  if (excluded !== undefined) return [excluded];
  const findings: Finding[] = [];
  for (const { action, evaluation: how, message, reason } of evaluation.decisions ?? []) {
    if (action === 'admit') {
      if (how === 'error') findings.push({ ...from, verdict: 'ignore', message });
      continue;
    }
    const detail = reason === undefined ? { message } : { message, reason };
    if (how === 'error') {
      const effect = actions.includes('Deny') ? {} : { actions };
      findings.push({ ...from, verdict: 'error', ...detail, ...effect });
      continue;
    }
    for (const name of actions) findings.push({ ...from, verdict: verdictOf(name), ...detail });
  }
  for (const annotation of evaluation.auditAnnotations ?? []) {
    if (annotation.action === 'error') {
      findings.push(errorFinding(from, policy, annotation.message));
    }
  }
  return findings.length > 0 ? findings : [allowed(from)];
}

/** Nearly all findings are such: written out, they cost half of a copy. */
function allowed({ policy, binding, params }: Origin): Finding {
  if (binding === undefined) return { policy, verdict: 'allow' };
  return params === undefined
    ? { policy, binding, verdict: 'allow' }
    : { policy, binding, params, verdict: 'allow' };
}

function mutationFindings(
  from: Origin,
  policy: PolicyTrace,
  evaluation: EvaluationTrace,
): Finding[] {
  const excluded = conditionsFinding(from, evaluation);
  if (excluded !== undefined) return [excluded];
  const findings: Finding[] = [];
  for (const mutation of evaluation.mutations ?? []) {
    if (mutation.outcome === 'error') findings.push(errorFinding(from, policy, mutation.message));
    else if (mutation.outcome === 'changed' && findings.at(-1)?.verdict !== 'mutate') {
      findings.push({ ...from, verdict: 'mutate' });
    }
  }
  if (evaluation.conditions.outcome === 'error' && findings.length === 0) {
    findings.push(errorFinding(from, policy, evaluation.conditions.message));
  }
  return findings.length > 0 ? findings : [{ ...from, verdict: 'allow' }];
}

/** The finding of match conditions that keep the policy from being evaluated. */
function conditionsFinding(from: Origin, { conditions }: EvaluationTrace): Finding | undefined {
  if (conditions.outcome === 'noMatch') {
    const message = `the match condition \`${conditions.condition}\` is false`;
    return { ...from, verdict: 'skip', message };
  }
  return conditions.outcome === 'ignored'
    ? { ...from, verdict: 'ignore', message: conditions.message }
    : undefined;
}

function errorFinding(
  from: Origin,
  { failurePolicy }: PolicyTrace,
  message: string | undefined,
): Finding {
  const verdict = failurePolicy === 'Ignore' ? 'ignore' : 'error';
  return message === undefined ? { ...from, verdict } : { ...from, verdict, message };
}

/** Whether a finding warns the client: by the action Warn, or as an error whose actions are unknown. */
export function isWarning({ verdict, actions }: Finding): boolean {
  return verdict === 'warn' || (verdict === 'error' && actions?.includes('Warn') !== false);
}

/** Whether a finding is recorded in the audit log, by the action Audit. */
export function isAudited({ verdict, actions }: Finding): boolean {
  return verdict === 'audit' || (verdict === 'error' && actions?.includes('Audit') === true);
}

function verdictOf(action: string): Verdict {
  if (action === 'Warn') return 'warn';
  return action === 'Audit' ? 'audit' : 'deny';
}

/** A parameter as people write it: `name` or `namespace/name`. */
export function parameterText({ namespace, name }: { namespace: string; name: string }): string {
  return namespace === '' ? name : `${namespace}/${name}`;
}
