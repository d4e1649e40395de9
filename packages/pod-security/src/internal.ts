// For other packages of this project. Names and meanings change without notice.

// Pods
export { podOfObject } from './pod-of-object.ts';
export { type Container, makePod, type Pod, type PodSpec } from './pod.ts';

// Standards and the labels of namespaces
export {
  evaluatePod,
  forbiddenDetails,
  forbiddenReasons,
  perList,
  type Violation,
} from './checks.ts';
export {
  isEquivalent,
  isFullyPrivileged,
  type LabelProblem,
  labelPrefix,
  type Mode,
  modes,
  type NamespacePolicy,
  policyOfLabels,
} from './namespace-policy.ts';
export {
  formatStandard,
  isSameStandard,
  isStricter,
  levelProblem,
  parseLevel,
  parseVersion,
  type Standard,
  versionProblem,
} from './standard.ts';

// Single checks, which Kyverno selects by its own names and versions
export {
  type CheckPod,
  checkDefaultCapabilities,
  checkDroppedCapabilities,
  checkHandlerHosts,
  checkHostPorts,
  checkPrivileged,
  checkPrivilegeEscalation,
  checkProcMount,
  exceptOnWindows,
} from './container-checks.ts';
export { type Finding, formatPodFieldError, type PodFieldError } from './finding.ts';
export {
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

// The values that the standards allow
export {
  allowedVolumes,
  appArmorAnnotation,
  defaultCapabilities,
  listSince,
  type SinceMinor,
  safeSysctls,
  seccompContainerAnnotation,
  seccompPodAnnotation,
  seLinuxTypes,
} from './allowed.ts';
