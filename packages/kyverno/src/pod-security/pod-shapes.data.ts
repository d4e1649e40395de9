import { type Shape, shapeOf, type TypeTable } from '../go-types/shape.ts';

const shared: TypeTable[string] = [
  ['appArmorProfile', '*v1.AppArmorProfile'],
  ['runAsNonRoot', '*bool'],
  ['runAsUser', '*int64'],
  ['seLinuxOptions', '*v1.SELinuxOptions'],
  ['seccompProfile', '*v1.SeccompProfile'],
  ['windowsOptions', '*v1.WindowsSecurityContextOptions'],
];

const container: TypeTable[string] = [
  ['name', 'string'],
  ['image', 'string'],
  ['lifecycle', '*v1.Lifecycle'],
  ['livenessProbe', '*v1.Probe'],
  ['ports', '[]v1.ContainerPort'],
  ['readinessProbe', '*v1.Probe'],
  ['securityContext', '*v1.SecurityContext'],
  ['startupProbe', '*v1.Probe'],
];

const handler: TypeTable[string] = [
  ['httpGet', '*v1.HTTPGetAction'],
  ['tcpSocket', '*v1.TCPSocketAction'],
];

const template: TypeTable[string] = [
  ['metadata', 'v1.ObjectMeta'],
  ['spec', 'v1.PodSpec'],
];

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

/** Go's types of pods and of what makes pods, as far as the Pod Security Standards look at them. */
const podTypes: TypeTable = {
  'v1.Pod': template,
  'v1.PodTemplateSpec': template,
  'v1.Deployment': [
    ['metadata', 'v1.ObjectMeta'],
    ['spec', 'v1.DeploymentSpec'],
  ],
  'v1.DeploymentSpec': [['template', 'v1.PodTemplateSpec']],
  'v1.CronJob': [
    ['metadata', 'v1.ObjectMeta'],
    ['spec', 'v1.CronJobSpec'],
  ],
  'v1.CronJobSpec': [['jobTemplate', 'v1.JobTemplateSpec']],
  'v1.JobTemplateSpec': [
    ['metadata', 'v1.ObjectMeta'],
    ['spec', 'v1.JobSpec'],
  ],
  'v1.JobSpec': [['template', 'v1.PodTemplateSpec']],
  'v1.ObjectMeta': [
    ['annotations', 'map:string'],
    ['labels', 'map:string'],
    ['name', 'string'],
    ['namespace', 'string'],
  ],
  'v1.PodSpec': [
    ['containers', '[]v1.Container'],
    ['ephemeralContainers', '[]v1.EphemeralContainer'],
    ['hostIPC', 'bool'],
    ['hostNetwork', 'bool'],
    ['hostPID', 'bool'],
    ['initContainers', '[]v1.Container'],
    ['os', '*v1.PodOS'],
    ['securityContext', '*v1.PodSecurityContext'],
    ['volumes', '[]v1.Volume'],
  ],
  'v1.PodOS': [['name', 'string:v1.OSName']],
  'v1.PodSecurityContext': [...shared, ['sysctls', '[]v1.Sysctl']],
  'v1.Sysctl': [['name', 'string']],
  'v1.Container': container,
  'v1.EphemeralContainer': container,
  'v1.ContainerPort': [['hostPort', 'int32']],
  'v1.Lifecycle': [
    ['postStart', '*v1.LifecycleHandler'],
    ['preStop', '*v1.LifecycleHandler'],
  ],
  'v1.LifecycleHandler': handler,
  'v1.Probe': handler,
  'v1.HTTPGetAction': [['host', 'string']],
  'v1.TCPSocketAction': [['host', 'string']],
  'v1.SecurityContext': [
    ...shared,
    ['allowPrivilegeEscalation', '*bool'],
    ['capabilities', '*v1.Capabilities'],
    ['privileged', '*bool'],
    ['procMount', '*string:v1.ProcMountType'],
  ],
  'v1.Capabilities': [
    ['add', '[]string:v1.Capability'],
    ['drop', '[]string:v1.Capability'],
  ],
  'v1.AppArmorProfile': [['type', 'string:v1.AppArmorProfileType']],
  'v1.SeccompProfile': [['type', 'string:v1.SeccompProfileType']],
  'v1.SELinuxOptions': [
    ['type', 'string'],
    ['user', 'string'],
    ['role', 'string'],
  ],
  'v1.WindowsSecurityContextOptions': [['hostProcess', '*bool']],
  'v1.Volume': [
    ['name', 'string'],
    ['hostPath', '*v1.HostPathVolumeSource'],
    ...Object.entries(volumeSources).map(([name, type]): [string, string] => [
      name,
      `*v1.${type}VolumeSource`,
    ]),
  ],
  'v1.HostPathVolumeSource': [['path', 'string']],
};

/** The Go type of a Pod. */
export const podShape: Shape = shapeOf(podTypes, 'v1.Pod');

/** The Go type as which Kyverno reads every workload: a Deployment. */
export const workloadShape: Shape = shapeOf(podTypes, 'v1.Deployment');

/** The Go type of a CronJob. */
export const cronJobShape: Shape = shapeOf(podTypes, 'v1.CronJob');
