import type { Shape } from './typed-reader.ts';

const text: Shape = { scalar: 'string', type: 'string' };
const truth: Shape = { scalar: 'bool', type: 'bool' };
const int32: Shape = { scalar: 'int32', type: 'int32' };
const int64: Shape = { scalar: 'int64', type: 'int64' };

function named(type: string): Shape {
  return { scalar: 'string', type };
}

function listOf(items: Shape): Shape {
  return { items, type: `[]${items.type}` };
}

function struct(type: string, fields: Readonly<Record<string, Shape>> = {}): Shape {
  return { type, fields };
}

const volumeSources: Readonly<Record<string, string>> = {
  configMap: 'ConfigMap',
  csi: 'CSI',
  downwardAPI: 'DownwardAPI',
  emptyDir: 'EmptyDir',
  ephemeral: 'Ephemeral',
  image: 'Image',
  persistentVolumeClaim: 'PersistentVolumeClaim',
  projected: 'Projected',
  secret: 'Secret',
  gcePersistentDisk: 'GCEPersistentDisk',
  awsElasticBlockStore: 'AWSElasticBlockStore',
  gitRepo: 'GitRepo',
  nfs: 'NFS',
  iscsi: 'ISCSI',
  glusterfs: 'Glusterfs',
  rbd: 'RBD',
  flexVolume: 'Flex',
  cinder: 'Cinder',
  cephfs: 'CephFS',
  flocker: 'Flocker',
  fc: 'FC',
  azureFile: 'AzureFile',
  vsphereVolume: 'VsphereVirtualDisk',
  quobyte: 'Quobyte',
  azureDisk: 'AzureDisk',
  photonPersistentDisk: 'PhotonPersistentDisk',
  portworxVolume: 'Portworx',
  scaleIO: 'ScaleIO',
  storageos: 'StorageOS',
};

const volume: Shape = struct('v1.Volume', {
  name: text,
  hostPath: struct('v1.HostPathVolumeSource', { path: text }),
  ...Object.fromEntries(
    Object.entries(volumeSources).map(([name, type]) => [name, struct(`v1.${type}VolumeSource`)]),
  ),
});

const seccompProfile = struct('v1.SeccompProfile', { type: named('v1.SeccompProfileType') });
const appArmorProfile = struct('v1.AppArmorProfile', { type: named('v1.AppArmorProfileType') });
const seLinuxOptions = struct('v1.SELinuxOptions', { type: text, user: text, role: text });
const windowsOptions = struct('v1.WindowsSecurityContextOptions', { hostProcess: truth });

const shared = {
  appArmorProfile,
  runAsNonRoot: truth,
  runAsUser: int64,
  seccompProfile,
  seLinuxOptions,
  windowsOptions,
};

const capabilities = listOf(named('v1.Capability'));

const securityContext = struct('v1.SecurityContext', {
  ...shared,
  allowPrivilegeEscalation: truth,
  capabilities: struct('v1.Capabilities', { add: capabilities, drop: capabilities }),
  privileged: truth,
  procMount: named('v1.ProcMountType'),
});

const httpGet = struct('v1.HTTPGetAction', { host: text });
const tcpSocket = struct('v1.TCPSocketAction', { host: text });
const probe = struct('v1.Probe', { httpGet, tcpSocket });
const handler = struct('v1.LifecycleHandler', { httpGet, tcpSocket });

const containerFields = {
  name: text,
  image: text,
  lifecycle: struct('v1.Lifecycle', { postStart: handler, preStop: handler }),
  livenessProbe: probe,
  ports: listOf(struct('v1.ContainerPort', { hostPort: int32 })),
  readinessProbe: probe,
  securityContext,
  startupProbe: probe,
};
const containers = listOf(struct('v1.Container', containerFields));

const podSpec = struct('v1.PodSpec', {
  containers,
  ephemeralContainers: listOf(struct('v1.EphemeralContainer', containerFields)),
  hostIPC: truth,
  hostNetwork: truth,
  hostPID: truth,
  initContainers: containers,
  os: struct('v1.PodOS', { name: named('v1.OSName') }),
  securityContext: struct('v1.PodSecurityContext', {
    ...shared,
    sysctls: listOf(struct('v1.Sysctl', { name: text })),
  }),
  volumes: listOf(volume),
});

const metadata = struct('v1.ObjectMeta', {
  annotations: { values: text, type: 'map[string]string' },
  labels: { values: text, type: 'map[string]string' },
  name: text,
  namespace: text,
});

const template = struct('v1.PodTemplateSpec', { metadata, spec: podSpec });

/** The Go type of a Pod, as far as the Pod Security Standards look at it. */
export const podShape: Shape = struct('v1.Pod', { metadata, spec: podSpec });

/** The Go type as which Kyverno reads every workload: a Deployment. */
export const workloadShape: Shape = struct('v1.Deployment', {
  metadata,
  spec: struct('v1.DeploymentSpec', { template }),
});

/** The Go type of a CronJob. */
export const cronJobShape: Shape = struct('v1.CronJob', {
  metadata,
  spec: struct('v1.CronJobSpec', {
    jobTemplate: struct('v1.JobTemplateSpec', {
      metadata,
      spec: struct('v1.JobSpec', { template }),
    }),
  }),
});
