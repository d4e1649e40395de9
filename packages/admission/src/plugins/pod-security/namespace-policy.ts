import type { Labels } from '@kubeadmit/apimachinery';
import {
  isSameStandard,
  isStricter,
  levelProblem,
  parseLevel,
  parseVersion,
  type Standard,
  versionProblem,
} from '@kubeadmit/pod-security/standards';

/** The prefix of the labels of namespaces, such as `pod-security.kubernetes.io/enforce`. */
export const labelPrefix = 'pod-security.kubernetes.io/';

/** The ways in which a namespace uses standards. */
export const modes = ['enforce', 'audit', 'warn'] as const;

/** A way in which a namespace uses a standard. */
export type Mode = (typeof modes)[number];

/** The standard of each mode. */
export type NamespacePolicy = Readonly<Record<Mode, Standard>>;

/** A label with an invalid value. */
export interface LabelProblem {
  readonly label: string;
  readonly value: string;
  readonly problem: string;
}

/**
 * Returns the policy of a namespace from its labels. An invalid level of `enforce` counts as `restricted`, one of
 * `audit` or `warn` as `privileged`, and an invalid version as `latest` (`api.PolicyToEvaluate`).
 */
export function policyOfLabels(
  labels: Labels,
  defaults: NamespacePolicy,
): { readonly policy: NamespacePolicy; readonly problems: readonly LabelProblem[] } {
  const problems: LabelProblem[] = [];
  const read = (mode: Mode): Standard => readMode(labels, mode, defaults[mode], problems);
  const enforce = read('enforce');
  const audit = read('audit');
  const warn = read('warn');
  const policy = { enforce, audit, warn: warnLikeEnforce(labels, enforce, warn) };
  return { policy, problems };
}

function readMode(
  labels: Labels,
  mode: Mode,
  fallback: Standard,
  problems: LabelProblem[],
): Standard {
  let { level, version } = fallback;
  const levelText = labels[`${labelPrefix}${mode}`];
  if (levelText !== undefined) {
    const parsed = parseLevel(levelText);
    if (parsed === undefined) {
      problems.push({ label: `${labelPrefix}${mode}`, value: levelText, problem: levelProblem });
    }
    level = parsed ?? (mode === 'enforce' ? 'restricted' : 'privileged');
  }
  const versionText = labels[`${labelPrefix}${mode}-version`];
  if (versionText !== undefined) {
    const parsed = parseVersion(versionText);
    const label = `${labelPrefix}${mode}-version`;
    if (parsed === undefined) problems.push({ label, value: versionText, problem: versionProblem });
    version = parsed ?? 'latest';
  }
  return { level, version };
}

/** Without a label, `warn` follows a stricter level of `enforce`. */
function warnLikeEnforce(labels: Labels, enforce: Standard, warn: Standard): Standard {
  const enforced = labels[`${labelPrefix}enforce`];
  if (enforced === undefined || parseLevel(enforced) === undefined) return warn;
  if (labels[`${labelPrefix}warn`] !== undefined) return warn;
  if (!isStricter(enforce.level, warn.level)) return warn;
  const hasVersion = labels[`${labelPrefix}warn-version`] !== undefined;
  return { level: enforce.level, version: hasVersion ? warn.version : enforce.version };
}

/** Whether a policy allows everything in all modes. */
export function isFullyPrivileged(policy: NamespacePolicy): boolean {
  return modes.every((mode) => policy[mode].level === 'privileged');
}

/** Whether two policies have the same effect. */
export function isEquivalent(a: NamespacePolicy, b: NamespacePolicy): boolean {
  return modes.every((mode) => {
    const areAllPrivileged = a[mode].level === 'privileged' && b[mode].level === 'privileged';
    return areAllPrivileged || isSameStandard(a[mode], b[mode]);
  });
}
