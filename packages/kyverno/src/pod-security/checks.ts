import { getOrMake } from '@kubeadmit/base';
import {
  type CheckPod,
  checkAppArmor,
  checkDefaultCapabilities,
  checkDroppedCapabilities,
  checkHandlerHosts,
  checkHostNamespaces,
  checkHostPaths,
  checkHostPorts,
  checkHostProcess,
  checkPrivileged,
  checkPrivilegeEscalation,
  checkProcMount,
  checkRunAsNonRoot,
  checkRunAsUser,
  checkSeccompAnnotations,
  checkSeccompProfiles,
  checkSeccompRequired,
  checkSeLinux,
  checkSysctls,
  checkVolumeTypes,
  exceptOnWindows,
  type Finding,
  type Pod,
  parseVersion,
  perList,
  type SinceMinor,
  safeSysctls,
  seLinuxTypes,
} from '@kubeadmit/pod-security/unstable-internal';

/** A control of the Pod Security Standards with its check for each version from a minor one on. */
interface Check {
  /** The name by which policies exclude it; a control without one cannot be excluded. */
  readonly control: string | undefined;
  readonly isBaseline: boolean;
  /** The first of them also serves versions before it. */
  readonly versions: readonly (readonly [since: number, check: CheckPod])[];
}

function baseline(control: string | undefined, ...versions: Check['versions']): Check {
  return { control, isBaseline: true, versions };
}

function restricted(control: string, ...versions: Check['versions']): Check {
  return { control, isBaseline: false, versions };
}

/** The versions of kernel parameters that Kyverno knows. */
export const knownSysctls: SinceMinor = safeSysctls.filter(([since]) => since <= 32);

/** Every check in the order in which findings are listed (`pod-security-admission/policy`, Kyverno's fork). */
const checks: readonly Check[] = [
  restricted(
    'Privilege Escalation',
    [8, checkPrivilegeEscalation],
    [25, exceptOnWindows(checkPrivilegeEscalation)],
  ),
  baseline('AppArmor', [0, checkAppArmor]),
  baseline('Capabilities', [0, checkDefaultCapabilities]),
  restricted(
    'Capabilities',
    [22, checkDroppedCapabilities],
    [25, exceptOnWindows(checkDroppedCapabilities)],
  ),
  baseline('Host Namespaces', [0, checkHostNamespaces]),
  baseline('HostPath Volumes', [0, checkHostPaths]),
  baseline('Host Ports', [0, checkHostPorts]),
  baseline(undefined, [34, checkHandlerHosts]),
  baseline('Privileged Containers', [0, checkPrivileged]),
  baseline('/proc Mount Type', [0, checkProcMount]),
  restricted('Volume Types', [0, checkVolumeTypes]),
  restricted('Running as Non-root', [0, checkRunAsNonRoot]),
  restricted('Running as Non-root user', [23, checkRunAsUser]),
  baseline('SELinux', ...perList(seLinuxTypes, checkSeLinux)),
  baseline('Seccomp', [0, checkSeccompAnnotations], [19, checkSeccompProfiles]),
  restricted('Seccomp', [19, checkSeccompRequired], [25, exceptOnWindows(checkSeccompRequired)]),
  baseline('Sysctls', ...perList(knownSysctls, checkSysctls)),
  baseline('HostProcess', [0, checkHostProcess]),
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
