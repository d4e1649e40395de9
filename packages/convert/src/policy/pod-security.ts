import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { textsOf } from '@kubeadmit/difference/unstable-internal';
import { knownSysctls, minorVersionOf } from '@kubeadmit/kyverno/unstable-internal';
import {
  allowedVolumes,
  appArmorAnnotation,
  defaultCapabilities,
  listSince,
  seccompContainerAnnotation,
  seccompPodAnnotation,
  seLinuxTypes,
} from '@kubeadmit/pod-security/standards';
import { literal } from '../cel/literal.ts';
import { any, binding, call, member, type Term } from '../cel/term.ts';
import { someWildcardTest } from '../cel/wildcard.ts';
import { Unsupported } from '../notes/unsupported.ts';
import type { PolicyVariable } from './pod-template.ts';

/** The checks of a level of the Pod Security Standards, and the variable that they use. */
export interface PodSecurityChecks {
  readonly variables: readonly PolicyVariable[];
  readonly validations: readonly Term[];
}

/** A control: conditions for the pod, and for each container `c`. */
interface Control {
  readonly name: string | undefined;
  readonly pod?: string;
  readonly container?: string;
}

const profiles = "['RuntimeDefault', 'Localhost']";

// The controls in their order (`pod-security-admission/policy`); `p` stands for the pod.
function baseline(minor: number): readonly Control[] {
  const types = ['', ...listSince(seLinuxTypes, minor)];
  const options = (place: string): string =>
    `${place}.?securityContext.?seLinuxOptions.?type.orValue('') in ${literal(types).text} && ` +
    `${place}.?securityContext.?seLinuxOptions.?user.orValue('') == '' && ` +
    `${place}.?securityContext.?seLinuxOptions.?role.orValue('') == ''`;
  const safe = listSince(knownSysctls, minor);
  const names = [
    'livenessProbe',
    'readinessProbe',
    'startupProbe',
    'lifecycle.?postStart',
    'lifecycle.?preStop',
  ];
  const hosts = names.flatMap((name) =>
    ['httpGet', 'tcpSocket'].map((action) => `c.?${name}.?${action}.?host.orValue('') == ''`),
  );
  return [
    {
      name: 'AppArmor',
      pod:
        `p.spec.?securityContext.?appArmorProfile.?type.orValue('RuntimeDefault') in ${profiles} &&\n` +
        `p.?metadata.?annotations.orValue({}).all(key, !key.startsWith('${appArmorAnnotation}') || ` +
        `p.metadata.annotations[key] in ['', 'runtime/default'] || p.metadata.annotations[key].startsWith('localhost/'))`,
      container: `c.?securityContext.?appArmorProfile.?type.orValue('RuntimeDefault') in ${profiles}`,
    },
    {
      name: 'Capabilities',
      container: `c.?securityContext.?capabilities.?add.orValue([]).all(capability, capability in ${literal(defaultCapabilities).text})`,
    },
    {
      name: 'Host Namespaces',
      pod: '!p.spec.?hostNetwork.orValue(false) && !p.spec.?hostPID.orValue(false) && !p.spec.?hostIPC.orValue(false)',
    },
    {
      name: 'HostPath Volumes',
      pod: 'p.spec.?volumes.orValue([]).all(volume, !has(volume.hostPath))',
    },
    {
      name: 'Host Ports',
      container: 'c.?ports.orValue([]).all(port, port.?hostPort.orValue(0) == 0)',
    },
    { name: undefined, container: hosts.join(' &&\n') },
    { name: 'Privileged Containers', container: '!c.?securityContext.?privileged.orValue(false)' },
    {
      name: '/proc Mount Type',
      container: "c.?securityContext.?procMount.orValue('Default') == 'Default'",
    },
    { name: 'SELinux', pod: options('p.spec'), container: options('c') },
    minor < 19
      ? { name: 'Seccomp', ...seccompAnnotations() }
      : { name: 'Seccomp', ...seccompProfiles() },
    {
      name: 'Sysctls',
      pod: `p.spec.?securityContext.?sysctls.orValue([]).all(sysctl, sysctl.name in ${literal(safe).text})`,
    },
    {
      name: 'HostProcess',
      pod: '!p.spec.?securityContext.?windowsOptions.?hostProcess.orValue(false)',
      container: '!c.?securityContext.?windowsOptions.?hostProcess.orValue(false)',
    },
  ];
}

function seccompProfiles(): Omit<Control, 'name'> {
  const test = (place: string): string =>
    `${place}.?securityContext.?seccompProfile.?type.orValue('RuntimeDefault') in ${profiles}`;
  return { pod: test('p.spec'), container: test('c') };
}

function seccompAnnotations(): Omit<Control, 'name'> {
  const test = (key: string): string =>
    `p.?metadata.?annotations[?${key}].orValue('runtime/default').matches('^(runtime/default|docker/default|localhost/.*)$')`;
  return {
    pod: test(`'${seccompPodAnnotation}'`),
    container: test(`'${seccompContainerAnnotation}' + c.name`),
  };
}

function restricted(minor: number): readonly Control[] {
  const linux = minor < 25 ? '' : "p.spec.?os.?name.orValue('') == 'windows' || ";
  const noRoot = 'p.spec.?securityContext.?runAsNonRoot.orValue(false)';
  const pods = 'p.spec.?securityContext.?seccompProfile.hasValue()';
  return [
    {
      name: 'Privilege Escalation',
      container: `${linux}!c.?securityContext.?allowPrivilegeEscalation.orValue(true)`,
    },
    {
      name: 'Capabilities',
      container:
        `${linux}'ALL' in c.?securityContext.?capabilities.?drop.orValue([]) && ` +
        "c.?securityContext.?capabilities.?add.orValue([]).all(capability, capability == 'NET_BIND_SERVICE')",
    },
    {
      name: 'Volume Types',
      pod: `p.spec.?volumes.orValue([]).all(volume, ${allowedVolumes.map((name) => `has(volume.${name})`).join(' || ')})`,
    },
    {
      name: 'Running as Non-root',
      pod: 'p.spec.?securityContext.?runAsNonRoot.orValue(true)',
      container: `c.?securityContext.?runAsNonRoot.orValue(${noRoot})`,
    },
    ...(minor < 23
      ? []
      : [
          {
            name: 'Running as Non-root user',
            pod: 'p.spec.?securityContext.?runAsUser.orValue(1) != 0',
            container: 'c.?securityContext.?runAsUser.orValue(1) != 0',
          },
        ]),
    ...(minor < 19
      ? []
      : [
          {
            name: 'Seccomp',
            container: `${linux}c.?securityContext.?seccompProfile.hasValue() || ${pods}`,
          },
        ]),
  ];
}

/**
 * Returns the checks of `validate.podSecurity`, one for each control.
 *
 * @throws Unsupported for exclusions of single values, and for invalid versions.
 */
export function podSecurityChecks(source: JsonObject, pod: string): PodSecurityChecks {
  const version = String(source['version'] ?? 'latest');
  const minor = minorVersionOf(version);
  if (minor === undefined) throw new Unsupported(`podSecurity of the version \`${version}\``);
  const controls = [
    ...baseline(minor),
    ...(source['level'] === 'baseline' ? [] : restricted(minor)),
  ];
  const exclusions = Array.isArray(source['exclude']) ? source['exclude'].filter(isObject) : [];
  const lists = ['initContainers', 'ephemeralContainers'].map(
    (name) => `${pod}.spec.?${name}.orValue([])`,
  );
  const expression = [`${pod}.spec.containers`, ...lists].join(' +\n');
  return {
    variables: [{ name: 'containers', expression }],
    validations: controls.flatMap((control) => validationOf(control, exclusions, pod)),
  };
}

function validationOf(
  { name, pod, container }: Control,
  exclusions: readonly JsonObject[],
  place: string,
): readonly Term[] {
  const own = exclusions.filter(({ controlName }) => name !== undefined && controlName === name);
  if (
    own.some(({ restrictedField, values }) => restrictedField !== undefined || values !== undefined)
  ) {
    throw new Unsupported(
      'podSecurity that excludes single values of a control',
      'exclude the control, and add a separate rule for the rest of it',
    );
  }
  const images = own.flatMap((exclusion) => textsOf(exclusion['images']));
  const isPodLeft = own.every((exclusion) => textsOf(exclusion['images']).length > 0);
  const written = (text: string): string => text.replace(/\bp\./g, `${place}.`);
  const parts: string[] = [];
  if (pod !== undefined && isPodLeft) parts.push(written(pod));
  if (container !== undefined) {
    const test: Term = { text: written(container), binds: binding.and };
    const excluded = someWildcardTest(member('c.image'), images);
    const isOpen = images.includes('*');
    const alternatives = container.includes(' || ') ? { ...test, binds: binding.or } : test;
    const body = any([...excluded, alternatives]);
    if (!isOpen) parts.push(call(member('variables.containers'), 'all', member('c'), body).text);
  }
  if (parts.length === 0) return [];
  return [{ text: parts.join(' &&\n'), binds: binding.and }];
}
