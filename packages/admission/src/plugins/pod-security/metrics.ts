import type { Standard } from '@kubeadmit/pod-security/standards';
import type { PluginCount, PluginRequest } from '../plugin.ts';

export type Mode = 'enforce' | 'audit' | 'warn';
export type Decision = 'allow' | 'deny';

/** One check of a pod against a standard. */
interface Evaluation {
  readonly standard: Standard;
  readonly mode: Mode;
  readonly decision: Decision;
  /** The minor version of the server. */
  readonly minor: number;
}

// The counters and labels of pod-security-admission `metrics.go`.

/** Counts a check of a pod. */
export function countEvaluation(
  request: PluginRequest,
  { standard, mode, decision, minor }: Evaluation,
): PluginCount {
  return {
    metric: 'pod_security_evaluations_total',
    labels: {
      decision,
      policy_level: standard.level,
      policy_version: versionLabel(standard, minor),
      mode,
      ...requestLabels(request),
    },
  };
}

/** Counts a request that an exemption allows. */
export function countExemption(request: PluginRequest): PluginCount {
  return { metric: 'pod_security_exemptions_total', labels: requestLabels(request) };
}

/** Counts an error; a fatal one leaves the pod unchecked. */
export function countError(
  request: PluginRequest,
  { isFatal }: { readonly isFatal: boolean },
): PluginCount {
  return {
    metric: 'pod_security_errors_total',
    labels: { fatal: String(isFatal), ...requestLabels(request) },
  };
}

function requestLabels({ operation, resource, subresource }: PluginRequest) {
  const place = resource.group === '' ? resource.resource : '';
  return {
    request_operation: operation.toLowerCase(),
    resource: kindLabels[place] ?? 'controller',
    subresource,
  };
}

const kindLabels: Readonly<Record<string, string>> = { pods: 'pod', namespaces: 'namespace' };

// The privileged level has no versions.
function versionLabel({ level, version }: Standard, minor: number): string {
  if (version === 'latest' || level === 'privileged') return 'latest';
  return version <= minor ? `v1.${version}` : 'future';
}
