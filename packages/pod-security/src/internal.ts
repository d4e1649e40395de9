// For other packages of this project. Names and meanings change without notice.

// Pods
export { podOfObject } from './pod-of-object.ts';
export { type Container, makePod, type Pod, type PodSpec } from './pod.ts';

// Standards
export {
  evaluatePod,
  forbiddenDetails,
  forbiddenReasons,
  type Violation,
} from './checks.ts';

// Single checks, which Kyverno selects by its own names and versions
export { checkVersions } from './checks.ts';
export type { CheckPod } from './container-checks.ts';
export { type Finding, formatPodFieldError, type PodFieldError } from './finding.ts';
