import { getOrMake } from '@kubeadmit/base';
import { parseVersion, type SinceMinor, safeSysctls } from '@kubeadmit/pod-security/standards';
import {
  type CheckPod,
  checkVersions,
  type Finding,
  type Pod,
} from '@kubeadmit/pod-security/unstable-internal';

/** A control of the Pod Security Standards with its check for each version from a minor one on. */
interface Check {
  /** The name by which policies exclude it; a control without one cannot be excluded. */
  readonly control: string | undefined;
  readonly isBaseline: boolean;
  /** The first of them also serves versions before it. */
  readonly versions: readonly (readonly [since: number, check: CheckPod])[];
}

/** The newest version of the standards that Kyverno's fork of `pod-security-admission` has. */
const newest = 34;

function baseline(control: string | undefined, id: string): Check {
  return { control, isBaseline: true, versions: checkVersions(id, newest) };
}

function restricted(control: string, id: string): Check {
  return { control, isBaseline: false, versions: checkVersions(id, newest) };
}

/** The versions of kernel parameters that Kyverno knows. */
export const knownSysctls: SinceMinor = safeSysctls.filter(([since]) => since <= 32);

/** Every check in the order in which findings are listed (`pod-security-admission/policy`, Kyverno's fork). */
const checks: readonly Check[] = [
  restricted('Privilege Escalation', 'allowPrivilegeEscalation'),
  baseline('AppArmor', 'appArmorProfile'),
  baseline('Capabilities', 'capabilities_baseline'),
  restricted('Capabilities', 'capabilities_restricted'),
  baseline('Host Namespaces', 'hostNamespaces'),
  baseline('HostPath Volumes', 'hostPathVolumes'),
  baseline('Host Ports', 'hostPorts'),
  baseline(undefined, 'hostProbesAndHostLifecycle'),
  baseline('Privileged Containers', 'privileged'),
  baseline('/proc Mount Type', 'procMount'),
  restricted('Volume Types', 'restrictedVolumes'),
  restricted('Running as Non-root', 'runAsNonRoot'),
  restricted('Running as Non-root user', 'runAsUser'),
  baseline('SELinux', 'seLinuxOptions'),
  baseline('Seccomp', 'seccompProfile_baseline'),
  restricted('Seccomp', 'seccompProfile_restricted'),
  baseline('Sysctls', 'sysctls'),
  baseline('HostProcess', 'windowsHostProcess'),
];

/** The level and the minor version of the standards that a rule asks for. */
export interface Standard {
  readonly level: string;
  readonly minor: number;
}

/** The findings of a check, which is known by its place among all checks. */
export interface CheckResult extends Pick<Finding, 'reason' | 'errors'> {
  readonly place: number;
  readonly control: string | undefined;
}

/** Returns the minor version of a text such as `v1.24`: the newest for `latest`, undefined for anything else. */
export function minorVersionOf(version: string): number | undefined {
  const parsed = version === '' ? 'latest' : parseVersion(version);
  return parsed === 'latest' ? Number.POSITIVE_INFINITY : parsed;
}

/** The variant of a check for one standard. */
interface ChosenCheck {
  readonly place: number;
  readonly control: string | undefined;
  readonly check: CheckPod;
}

const chosen = new Map<string, readonly ChosenCheck[]>();

function checksOf({ level, minor }: Standard): readonly ChosenCheck[] {
  const isBaselineOnly = level === 'baseline';
  const key = `${isBaselineOnly} ${minor}`;
  return getOrMake(chosen, key, () => {
    const found = checks.flatMap(({ control, isBaseline, versions }, place) => {
      if (isBaselineOnly && !isBaseline) return [];
      const [, check] = versions.findLast(([since]) => since <= minor) ?? versions[0] ?? [];
      return check === undefined ? [] : [{ place, control, check }];
    });
    if (chosen.size > 100) chosen.clear();
    return found;
  });
}

/** Returns the violations of a pod; at every level but `baseline`, all checks apply (Kyverno's `evaluatePSS`). */
export function checkPod(pod: Pod, standard: Standard): readonly CheckResult[] {
  return runChecks(pod, checksOf(standard));
}

/** Returns the violations of one control. */
export function checkControl(
  pod: Pod,
  standard: Standard,
  control: string,
): readonly CheckResult[] {
  return runChecks(
    pod,
    checksOf(standard).filter((check) => check.control === control),
  );
}

function runChecks(pod: Pod, chosenChecks: readonly ChosenCheck[]): readonly CheckResult[] {
  const results: CheckResult[] = [];
  for (const { place, control, check } of chosenChecks) {
    const finding = check(pod);
    if (finding === undefined) continue;
    results.push({ reason: finding.reason, errors: finding.errors, place, control });
  }
  return results;
}
