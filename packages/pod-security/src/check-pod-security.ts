import { isObject, type KubernetesObject } from '@kubeadmit/apimachinery';
import { describeValue } from '@kubeadmit/base';
import { evaluatePod, type Violation } from './checks.ts';
import { podOfObject } from './pod-of-object.ts';
import { type Level, levels, parseLevel, parseVersion, versionProblem } from './standard.ts';

/** A violation of the Pod Security Standards. */
export interface PodSecurityViolation {
  /** The identifier of the control, such as `hostPorts`. */
  readonly control: string;
  /** The reason in kube-apiserver's words, such as `hostPort`. */
  readonly reason: string;
  /** The containers, volumes and values at fault, such as `container "web" uses hostPort 80`. */
  readonly detail: string;
}

/** The newest minor version of the standards. */
const newestMinor = 37;

/**
 * Returns the violations of the Pod Security Standards by a pod, or by the pod template of a workload, in the order in
 * which kube-apiserver lists them. Objects of other kinds have none.
 *
 * @param object a decoded object with its `kind`
 * @param level the level that the pod must meet
 * @param version the version of the standards, such as `v1.29` (default: `latest`)
 * @throws TypeError if an argument has the wrong type
 * @throws RangeError for an unknown level or version
 */
export function checkPodSecurity(
  object: KubernetesObject,
  level: Level,
  version = 'latest',
): readonly PodSecurityViolation[] {
  requireText('level', level);
  requireText('version', version);
  if (!isObject(object)) {
    throw new TypeError(
      `checkPodSecurity: expected a Kubernetes object, got ${describeValue(object)}`,
    );
  }
  const known = parseLevel(level);
  if (known === undefined) {
    throw new RangeError(`unknown level "${level}"; expected one of ${levels.join(', ')}`);
  }
  const parsed = parseVersion(version);
  if (parsed === undefined) throw new RangeError(`version "${version}" ${versionProblem}`);
  const pod = podOfObject(object);
  if (pod === undefined) return [];
  return evaluatePod(pod, { level: known, version: parsed }, newestMinor).map(plain);
}

function requireText(name: string, value: unknown): void {
  if (typeof value === 'string') return;
  throw new TypeError(
    `checkPodSecurity: expected a string as ${name}, got ${describeValue(value)}`,
  );
}

function plain({ id, reason, detail }: Violation): PodSecurityViolation {
  return { control: id, reason, detail };
}
