import { isFeatureOn } from '@kubeadmit/admission/unstable-internal';
import { memberAt } from '@kubeadmit/admission/writes';
import {
  type FieldError,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import {
  duplicate,
  forbidden,
  invalid,
  missing,
  notSupported,
  required,
} from '@kubeadmit/apimachinery/field-errors';
import { nameProblems } from '@kubeadmit/apimachinery/names';
import { ephemeralContainerErrors } from './validate-new-ephemeral-containers.ts';
import { containerResourceErrors, podResourceErrors } from './validate-resources.ts';

const podSpecs: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/**
 * Validates frequent mistakes in Pods: names of containers and volumes, mounts of unknown volumes, amounts of
 * resources, namespaces of users, deadlines, and Jobs that would never end (core validation `ValidatePodSpec`).
 */
export function validatePodIn(object: KubernetesObject, kind: string, minor: number): FieldError[] {
  const path = podSpecs[kind];
  if (path === undefined) return [];
  const spec = memberAt(object, ...path);
  const at = path.join('.');
  const volumes = memberList(spec, 'volumes').map((volume) => memberText(volume, 'name'));
  const claims = memberList(member(object, 'spec'), 'volumeClaimTemplates').map((claim) =>
    memberText(member(claim, 'metadata'), 'name'),
  );
  const hasUserNamespaces = isFeatureOn('UserNamespacesSupport', minor);
  const given = { spec, volumes: [...volumes, ...claims], hasUserNamespaces };
  return [
    ...volumes.flatMap((name, i) => nameErrors(name, `${at}.volumes[${i}].name`)),
    ...new Names().repeated(volumes, `${at}.volumes`),
    ...allContainersErrors(given, at),
    ...ephemeralContainerErrors(spec, at),
    ...podResourceErrors(spec, at, minor),
    ...deadlineErrors(spec, `${at}.activeDeadlineSeconds`),
    ...(hasUserNamespaces ? hostUsersErrors(spec, at) : []),
    ...(kind === 'Job' || kind === 'CronJob' ? restartErrors(spec, at) : []),
  ];
}

/** A pod, as far as its containers depend on it. */
interface PodOfContainers {
  readonly spec: unknown;
  /** The names of its volumes. */
  readonly volumes: readonly string[];
  readonly hasUserNamespaces: boolean;
}

function allContainersErrors(pod: PodOfContainers, at: string): FieldError[] {
  const names = new Names();
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) =>
    memberList(pod.spec, list).flatMap((container, i) => {
      const place = `${at}.${list}[${i}]`;
      return [
        ...containerErrors(pod, container, place),
        ...names.add(memberText(container, 'name'), `${place}.name`),
      ];
    }),
  );
}

// core validation `validateContainerCommon`
function containerErrors(
  { spec, volumes, hasUserNamespaces }: PodOfContainers,
  container: unknown,
  at: string,
): FieldError[] {
  return [
    ...nameErrors(memberText(container, 'name'), `${at}.name`),
    ...mountErrors(container, volumes, `${at}.volumeMounts`),
    ...containerResourceErrors(container, `${at}.resources`),
    ...(hasUserNamespaces
      ? procMountErrors(spec, container, `${at}.securityContext.procMount`)
      : []),
  ];
}

const maxInt32 = 2 ** 31 - 1;

/** Names that were met. */
class Names {
  readonly #met: Set<string> = new Set();

  repeated(names: readonly string[], at: string): FieldError[] {
    return names.flatMap((name, i) => this.add(name, `${at}[${i}].name`));
  }

  /** Adds a name; returns the error if it occurs once more. */
  add(name: string, at: string): FieldError[] {
    const isKnown = name !== '' && this.#met.has(name);
    this.#met.add(name);
    return isKnown ? [duplicate(at, name)] : [];
  }
}

function nameErrors(name: string, at: string): FieldError[] {
  if (name === '') return [];
  return nameProblems(name, 'dns1123Label').map((problem) => invalid(at, name, problem));
}

function mountErrors(container: unknown, volumes: readonly string[], at: string): FieldError[] {
  return memberList(container, 'volumeMounts').flatMap((mount, i): FieldError[] => {
    const name = memberText(mount, 'name');
    return volumes.includes(name) ? [] : [missing(`${at}[${i}].name`, name)];
  });
}

function deadlineErrors(spec: unknown, at: string): FieldError[] {
  const seconds = member(spec, 'activeDeadlineSeconds') ?? null;
  if (seconds === null || (Number(seconds) >= 1 && Number(seconds) <= maxInt32)) return [];
  return [invalid(at, seconds, `must be between 1 and ${maxInt32}, inclusive`)];
}

// core validation `ValidateSecurityContext`
function procMountErrors(spec: unknown, container: unknown, at: string): FieldError[] {
  const mount = memberAt(container, 'securityContext', 'procMount');
  if (mount !== 'Unmasked' || member(spec, 'hostUsers') === false) return [];
  return [invalid(at, mount, '`hostUsers` must be false to use `Unmasked`')];
}

/** Namespaces of the host that a pod with its own users cannot share, and how messages name them. */
const hostNamespaces = { hostNetwork: 'hostNetwork', hostPID: 'HostPID', hostIPC: 'HostIPC' };

// core validation `validateHostUsers`
function hostUsersErrors(spec: unknown, at: string): FieldError[] {
  if (member(spec, 'hostUsers') !== false) return [];
  const shared = Object.entries(hostNamespaces).filter(([field]) => member(spec, field) === true);
  const devices = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    memberList(spec, list).flatMap((container, i) =>
      memberList(container, 'volumeDevices').length > 0 ? [`${list}[${i}].volumeDevices`] : [],
    ),
  );
  return [...shared.map(([, name]) => name), ...devices].map((name) =>
    forbidden(`${at}.${name}`, 'when `hostUsers` is false'),
  );
}

// batch validation `validateJobTemplateSpec`
function restartErrors(spec: unknown, at: string): FieldError[] {
  const policy = memberText(spec, 'restartPolicy');
  if (policy === 'OnFailure' || policy === 'Never') return [];
  const field = `${at}.restartPolicy`;
  return policy === '' || policy === 'Always'
    ? [required(field, 'valid values: "OnFailure", "Never"')]
    : [notSupported(field, policy, ['OnFailure', 'Never'])];
}
