// The standards that namespaces name in their labels.

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
export {
  formatStandard,
  isSameStandard,
  isStricter,
  type Level,
  levelProblem,
  parseLevel,
  parseVersion,
  type Standard,
  type StandardVersion,
  versionProblem,
} from './standard.ts';
