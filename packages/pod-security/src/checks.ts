import { getOrMake } from '@kubeadmit/base';
import { type SinceMinor, safeSysctls, seLinuxTypes } from './allowed.ts';
import {
  type CheckPod,
  checkDefaultCapabilities,
  checkDroppedCapabilities,
  checkHandlerHosts,
  checkHostPorts,
  checkPrivileged,
  checkPrivilegeEscalation,
  checkProcMount,
  exceptInUserNamespace,
  exceptOnWindows,
} from './container-checks.ts';
import type { Finding } from './finding.ts';
import type { Pod } from './pod.ts';
import {
  checkAppArmor,
  checkHostNamespaces,
  checkHostPaths,
  checkHostProcess,
  checkRunAsNonRoot,
  checkRunAsUser,
  checkSeccompAnnotations,
  checkSeccompProfiles,
  checkSeccompRequired,
  checkSeLinux,
  checkSysctls,
  checkVolumeTypes,
} from './pod-checks.ts';
import type { Standard } from './standard.ts';

/** A check with its variants for each version from a minor one on. */
interface VersionedCheck {
  /** The identifier in `pod-security-admission/policy`, by which checks are ordered. */
  readonly id: string;
  readonly versions: readonly (readonly [since: number, check: CheckPod])[];
  /** The check of the baseline that this one replaces. */
  readonly overrides?: string;
}

const baseline: readonly VersionedCheck[] = [
  { id: 'appArmorProfile', versions: [[0, checkAppArmor]] },
  { id: 'capabilities_baseline', versions: [[0, checkDefaultCapabilities]] },
  { id: 'hostNamespaces', versions: [[0, checkHostNamespaces]] },
  { id: 'hostPathVolumes', versions: [[0, checkHostPaths]] },
  { id: 'hostPorts', versions: [[0, checkHostPorts]] },
  { id: 'hostProbesAndHostLifecycle', versions: [[34, checkHandlerHosts]] },
  { id: 'privileged', versions: [[0, checkPrivileged]] },
  {
    id: 'procMount',
    versions: [
      [0, checkProcMount],
      [35, exceptInUserNamespace(checkProcMount)],
    ],
  },
  { id: 'seLinuxOptions', versions: perList(seLinuxTypes, checkSeLinux) },
  {
    id: 'seccompProfile_baseline',
    versions: [
      [0, checkSeccompAnnotations],
      [19, checkSeccompProfiles],
    ],
  },
  { id: 'sysctls', versions: perList(safeSysctls, checkSysctls) },
  { id: 'windowsHostProcess', versions: [[0, checkHostProcess]] },
];

const restricted: readonly VersionedCheck[] = [
  {
    id: 'allowPrivilegeEscalation',
    versions: [
      [8, checkPrivilegeEscalation],
      [25, exceptOnWindows(checkPrivilegeEscalation)],
    ],
  },
  {
    id: 'capabilities_restricted',
    versions: [
      [22, checkDroppedCapabilities],
      [25, exceptOnWindows(checkDroppedCapabilities)],
    ],
    overrides: 'capabilities_baseline',
  },
  { id: 'procMount_restricted', versions: [[35, checkProcMount]], overrides: 'procMount' },
  { id: 'restrictedVolumes', versions: [[0, checkVolumeTypes]], overrides: 'hostPathVolumes' },
  {
    id: 'runAsNonRoot',
    versions: [
      [0, checkRunAsNonRoot],
      [35, exceptInUserNamespace(checkRunAsNonRoot)],
    ],
  },
  {
    id: 'runAsUser',
    versions: [
      [23, checkRunAsUser],
      [35, exceptInUserNamespace(checkRunAsUser)],
    ],
  },
  {
    id: 'seccompProfile_restricted',
    versions: [
      [19, checkSeccompRequired],
      [25, exceptOnWindows(checkSeccompRequired)],
    ],
    overrides: 'seccompProfile_baseline',
  },
];

/** Returns the variants of a check whose allowed values grow with versions. */
function perList(
  lists: SinceMinor,
  check: (allowed: readonly string[]) => CheckPod,
): VersionedCheck['versions'] {
  return lists.map(([since, allowed]) => [since, check(allowed)] as const);
}

/**
 * Returns the variants of a check, for programs whose standards end at a minor version and have other names and orders.
 *
 * @param id the identifier of the check, such as `hostPorts`
 * @throws Error for an unknown check
 */
export function checkVersions(id: string, newest: number): VersionedCheck['versions'] {
  const check = [...baseline, ...restricted].find((each) => each.id === id);
  if (check === undefined) throw new Error(`unknown check of pods: ${id}`);
  return check.versions.filter(([since]) => since <= newest);
}

/** A violation of a control. */
export interface Violation extends Finding {
  /** The identifier of the check, such as `hostPorts`. */
  readonly id: string;
}

/**
 * Returns the violations of a pod in the order in which kube-apiserver lists them: those of the baseline first.
 *
 * @param newest the minor version of the server; newer versions and `latest` are evaluated as this one
 */
export function evaluatePod(
  pod: Pod,
  { level, version }: Standard,
  newest: number,
): readonly Violation[] {
  if (level === 'privileged') return [];
  const minor = Math.min(version === 'latest' ? newest : version, newest);
  const violations: Violation[] = [];
  for (const { id, check } of checksOf(level === 'restricted', minor)) {
    const finding = check(pod);
    if (finding !== undefined) violations.push({ ...finding, id });
  }
  return violations;
}

interface ChosenCheck {
  readonly id: string;
  readonly check: CheckPod;
}

const chosen = new Map<string, readonly ChosenCheck[]>();

function checksOf(isRestricted: boolean, minor: number): readonly ChosenCheck[] {
  return getOrMake(chosen, `${isRestricted} ${minor}`, () => {
    const active = isRestricted
      ? restricted.filter(({ versions }) => isActive(versions, minor))
      : [];
    const overridden = new Set(active.map(({ overrides }) => overrides));
    const kept = baseline.filter(({ id }) => !overridden.has(id));
    return [...kept, ...active].flatMap(({ id, versions }) => {
      const [, check] = versions.findLast(([since]) => since <= minor) ?? [];
      return check === undefined ? [] : [{ id, check }];
    });
  });
}

function isActive(versions: VersionedCheck['versions'], minor: number): boolean {
  return versions.some(([since]) => since <= minor);
}

/** Returns the reasons of violations, joined with commas (`ForbiddenReason`). */
export function forbiddenReasons(violations: readonly Violation[]): string {
  return violations.map(({ reason }) => reason).join(', ');
}

/** Returns the reasons of violations with their details in parentheses (`ForbiddenDetail`). */
export function forbiddenDetails(violations: readonly Violation[]): string {
  return violations
    .map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`))
    .join(', ');
}
