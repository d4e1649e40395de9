// Values that the Pod Security Standards allow (`pod-security-admission/policy`).

/** The capabilities that a runtime gives anyway. */
export const defaultCapabilities: readonly string[] = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
];

/** The types of volumes that hold no part of the host. */
export const allowedVolumes: readonly string[] = [
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
];

/** The values of a list from each minor version on; the first entry also covers earlier versions. */
export type SinceMinor = readonly (readonly [since: number, values: readonly string[]])[];

const sysctls0 = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
];
const sysctls27 = [...sysctls0, 'net.ipv4.ip_local_reserved_ports'];
const sysctls29 = [
  ...sysctls27,
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
];
const sysctls32 = [...sysctls29, 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'];
const sysctls37 = [
  ...sysctls32,
  'net.ipv4.tcp_slow_start_after_idle',
  'net.ipv4.tcp_notsent_lowat',
];

/** The kernel parameters that only concern the pod's own namespaces. */
export const safeSysctls: SinceMinor = [
  [0, sysctls0],
  [27, sysctls27],
  [29, sysctls29],
  [32, sysctls32],
  [37, sysctls37],
];

const seLinuxTypes0 = ['container_t', 'container_init_t', 'container_kvm_t'];

/** The SELinux types of containers. */
export const seLinuxTypes: SinceMinor = [
  [0, seLinuxTypes0],
  [31, [...seLinuxTypes0, 'container_engine_t']],
];

/** The list of a minor version. */
export function listSince(lists: SinceMinor, minor: number): readonly string[] {
  const [first] = lists;
  return (lists.findLast(([since]) => since <= minor) ?? first)?.[1] ?? [];
}

/** The annotations of AppArmor profiles begin so, and end with the name of a container. */
export const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/';

/** The annotation of a pod's seccomp profile. */
export const seccompPodAnnotation = 'seccomp.security.alpha.kubernetes.io/pod';

/** The annotations of containers' seccomp profiles begin so. */
export const seccompContainerAnnotation = 'container.seccomp.security.alpha.kubernetes.io/';
