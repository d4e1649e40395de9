import type { Decision } from '@kubeadmit/admission';
import type { PolicyTrace } from '@kubeadmit/admission/internal';
import type { Status } from '@kubeadmit/apimachinery';
import { failureStatus } from '@kubeadmit/apimachinery/internal';
import type { WebhookAnswer } from '../kyverno/answer.ts';
import { type Finding, findingsOf } from '../report/findings.ts';
import type { Chain } from './chain.ts';

/** The result of one admission step: of the native policies, then of Kyverno's. */
export interface StepAnswer {
  /**
   * Why the request is refused: the Status of the native policies, or else one with what Kyverno's policies say.
   * Absent when it is allowed.
   */
  readonly denial: Status | undefined;
  /** The warnings to the client. */
  readonly warnings: readonly string[];
  /** The annotations that policies write to the audit log, by key. */
  readonly auditAnnotations: Readonly<Record<string, string>> | undefined;
  /** The trace of each native policy. */
  readonly trace: readonly PolicyTrace[];
  /** The findings of each policy, native ones first. */
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
