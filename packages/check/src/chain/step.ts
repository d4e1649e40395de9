import type { Decision } from '@kubeadmit/admission';
import type { PolicyTrace } from '@kubeadmit/admission/internal';
import type { Status } from '@kubeadmit/apimachinery';
import { failureStatus } from '@kubeadmit/apimachinery/internal';
import type { WebhookAnswer } from '../kyverno/answer.ts';
import { type Finding, findingsOf } from '../report/findings.ts';
import type { Chain } from './chain.ts';

/** What one step of admission says of a request: the native policies', then Kyverno's. */
export interface StepAnswer {
  /**
   * Why the request is refused: the Status of the native policies, or else one with what Kyverno's policies say.
   * Absent when it is allowed.
   */
  readonly denial: Status | undefined;
  /** What the client is warned of. */
  readonly warnings: readonly string[];
  /** What policies write into the audit log, by key. */
  readonly auditAnnotations: Readonly<Record<string, string>> | undefined;
  /** What became of each native policy. */
  readonly trace: readonly PolicyTrace[];
  /** What each policy says, native ones first. */
  readonly findings: readonly Finding[];
}

/** Puts together what native policies and Kyverno say in one step. */
export function stepAnswer(
  { actions }: Chain,
  { denial, warnings, auditAnnotations, trace }: Decision,
  kyverno: WebhookAnswer | undefined,
): StepAnswer {
  const findings = findingsOf(trace, actions);
  if (kyverno === undefined) return { denial, warnings, auditAnnotations, trace, findings };
  const told = kyverno.findings.flatMap(({ verdict, message }) =>
    verdict === 'warn' && message !== undefined ? [message] : [],
  );
  return {
    denial: denial ?? (kyverno.isDenied ? denialOf(kyverno) : undefined),
    warnings: [...warnings, ...told],
    auditAnnotations,
    trace,
    findings: [...findings, ...kyverno.findings],
  };
}

/** kube-apiserver gives code 400 to denials of webhooks that name none. */
function denialOf({ findings }: WebhookAnswer): Status {
  const texts = findings.flatMap(({ policy, rule, verdict, message = '' }) =>
    verdict === 'deny' || verdict === 'error'
      ? [`${policy}${rule === undefined ? '' : `/${rule}`}: ${message}`]
      : [],
  );
  return failureStatus(400, texts.join('; '));
}
