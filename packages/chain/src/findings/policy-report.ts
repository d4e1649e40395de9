import type { Finding, Verdict } from './findings.ts';

/** The result in a policy report (`wgpolicyk8s.io/v1alpha2` and `openreports.io/v1alpha1`). */
export type PolicyResult = 'pass' | 'fail' | 'warn' | 'error' | 'skip';

/** One result of a policy report, without the object that it is about. */
export interface PolicyReportResult {
  /** The program or kind of policy that it comes from. */
  readonly source: string;
  /** The name of the policy. */
  readonly policy: string;
  /** The rule of the policy. */
  readonly rule?: string;
  /** The outcome. */
  readonly result: PolicyResult;
  /** The message for people. */
  readonly message?: string;
  /** Whether the result counts; audited results and ignored errors do not. */
  readonly scored: boolean;
  /** Further facts by name. */
  readonly properties?: Readonly<Record<string, string>>;
}

/** How many results there are of each kind. */
export type PolicyReportSummary = Readonly<Record<PolicyResult, number>>;

const resultOf: Readonly<Record<Verdict, PolicyResult>> = {
  allow: 'pass',
  mutate: 'pass',
  generate: 'pass',
  delete: 'pass',
  skip: 'skip',
  audit: 'fail',
  warn: 'warn',
  deny: 'fail',
  error: 'error',
  ignore: 'error',
};

/** A finding as a result of a policy report; kube-apiserver itself is the source of findings without a policy. */
export function policyReportResult(finding: Finding, operation = 'CREATE'): PolicyReportResult {
  const { policy, rule, binding, params, verdict, message } = finding;
  const properties = {
    ...(binding === undefined ? {} : { binding }),
    ...(params === undefined ? {} : { params }),
    ...(operation === 'CREATE' ? {} : { operation }),
  };
  return {
    source: 'kubeadmit',
    policy: policy || 'kube-apiserver',
    ...(rule === undefined ? {} : { rule }),
    result: resultOf[verdict],
    ...(message === undefined ? {} : { message }),
    scored: verdict !== 'audit' && verdict !== 'ignore',
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
  };
}

/** Counts the results of a policy report. */
export function policyReportSummary(
  results: readonly Pick<PolicyReportResult, 'result'>[],
): PolicyReportSummary {
  const counts = { pass: 0, fail: 0, warn: 0, error: 0, skip: 0 };
  for (const { result } of results) counts[result]++;
  return counts;
}
