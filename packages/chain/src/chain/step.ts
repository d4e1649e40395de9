import type { Decision, PreparedRequest } from '@kubeadmit/admission';
import type { PluginPhase, PluginWrite } from '@kubeadmit/admission/plugins';
import type { PluginTrace, PolicyTrace } from '@kubeadmit/admission/unstable-internal';
import type { Status } from '@kubeadmit/apimachinery';
import { failureStatus, forbiddenStatus } from '@kubeadmit/apimachinery/status';
import { type Finding, findingsOf, pluginFindings } from '../findings/findings.ts';
import type { WebhookAnswer } from '../kyverno/answer.ts';
import type { ChainRequest } from './request.ts';

/** The result of one admission step: of the native policies, then of Kyverno's. */
export interface StepAnswer {
  /**
   * The reason for a refusal: the Status of the native policies, or one with the messages of Kyverno's policies. Absent
   * if the request is allowed.
   */
  readonly denial: Status | undefined;
  /** The warnings to the client. */
  readonly warnings: readonly string[];
  /** The annotations that policies write to the audit log, by key. */
  readonly auditAnnotations: Readonly<Record<string, string>> | undefined;
  /** The trace of each native policy. */
  readonly trace: readonly PolicyTrace[];
  /** The trace of each admission plugin that acted. */
  readonly pluginTrace: readonly PluginTrace[];
  /** The new usage of quotas, to be stored if the request is admitted. */
  readonly pluginWrites: readonly PluginWrite[];
  /** The findings of plugins and of each policy, native ones first. */
  readonly findings: readonly Finding[];
}

/**
 * Returns a decision with the results of policies for a request that a plugin refused, as if the plugin were off, so
 * that everything is reported at once. The refusal is still the plugin's.
 */
export function withPolicies(
  decision: Decision,
  prepared: PreparedRequest,
  decide: (prepared: PreparedRequest) => Decision,
): Decision {
  const { denial, pluginTrace = none } = decision;
  const refusal = pluginTrace.find(({ outcome }) => outcome === 'denied');
  if (denial === undefined || refusal === undefined) return decision;
  const rest = withoutPlugin(prepared, refusal.plugin);
  const otherwise = withPolicies(decide(rest), rest, decide);
  const { pluginTrace: changes = none } = otherwise;
  const allowed = changes.filter(({ outcome }) => outcome !== 'denied');
  return { ...otherwise, denial, pluginTrace: [...allowed, refusal], pluginWrites: none };
}

/** Returns a request for which a plugin does not run. */
function withoutPlugin(prepared: PreparedRequest, plugin: string): PreparedRequest {
  return withPhases(prepared, ({ before, after }) => ({
    before: before.filter(({ name }) => name !== plugin),
    after: after.filter(({ name }) => name !== plugin),
  }));
}

/** Returns a request for which no plugins run beside policies. */
export function policiesOnly(prepared: PreparedRequest): PreparedRequest {
  return withPhases(prepared, () => ({ before: [], after: [] }));
}

function withPhases(
  prepared: PreparedRequest,
  change: (phase: PluginPhase) => PluginPhase,
): PreparedRequest {
  const { plugins } = prepared;
  if (plugins === undefined) return prepared;
  const { mutate, validate } = plugins.set;
  const set = { ...plugins.set, mutate: change(mutate), validate: change(validate) };
  return { ...prepared, plugins: { ...plugins, set } };
}

/** Combines the answers of native policies and Kyverno in one step. */
export function stepAnswer(
  { chain: { actions }, prepared }: Pick<ChainRequest, 'chain' | 'prepared'>,
  { denial, warnings, auditAnnotations, trace, ...plugins }: Decision,
  kyverno: WebhookAnswer | undefined,
): StepAnswer {
  const { pluginTrace = none, pluginWrites = none } = plugins;
  const findings = [...pluginFindings(pluginTrace), ...findingsOf(trace, actions)];
  const native = { denial, warnings, auditAnnotations, trace, pluginTrace, pluginWrites };
  if (kyverno === undefined) return { ...native, findings };
  return {
    ...native,
    denial: denial ?? (kyverno.isDenied ? denialOf(kyverno, prepared) : undefined),
    warnings: [...warnings, ...kyverno.warnings],
    findings: [...findings, ...kyverno.findings],
  };
}

const none: readonly never[] = [];

/** kube-apiserver gives code 400 to denials of webhooks that name none, and 403 if a match condition failed. */
function denialOf(
  { findings, refusal }: WebhookAnswer,
  { attributes: { resource, name } }: PreparedRequest,
): Status {
  if (refusal !== undefined) {
    return forbiddenStatus({ group: resource.group, name: resource.resource }, name, refusal);
  }
  const texts = findings.flatMap(({ policy, rule, verdict, message = '' }) =>
    verdict === 'deny' || verdict === 'error'
      ? [`${policy}${rule === undefined ? '' : `/${rule}`}: ${message}`]
      : [],
  );
  return failureStatus(400, texts.join('; '));
}
