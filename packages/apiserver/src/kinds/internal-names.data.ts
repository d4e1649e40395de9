/**
 * The fields of structs of core/v1 in kube-apiserver's internal types, by their names in Go and in their order
 * (kubernetes pkg/apis/core/types.go). NAME=FIELD names the field in v1 if it is not NAME with a small first letter;
 * ...FIELD is an embedded struct. Written by tooling/schemas/internal-names.
 */
export const internalNames: Readonly<Record<string, string>> = {
  AWSElasticBlockStoreVolumeSource: 'VolumeID FSType=fsType Partition ReadOnly',
  Affinity: 'NodeAffinity PodAffinity PodAntiAffinity',
  AppArmorProfile: 'Type LocalhostProfile',
  AzureDiskVolumeSource: 'DiskName DataDiskURI=diskURI CachingMode FSType=fsType ReadOnly Kind',
  AzureFileVolumeSource: 'SecretName ShareName ReadOnly',
  CSIVolumeSource: 'Driver ReadOnly FSType=fsType VolumeAttributes NodePublishSecretRef',
  Capabilities: 'Add Drop',
  CephFSVolumeSource: 'Monitors Path User SecretFile SecretRef ReadOnly',
  CinderVolumeSource: 'VolumeID FSType=fsType ReadOnly SecretRef',
  ClusterTrustBundleProjection: 'Name SignerName LabelSelector Optional Path User',
  ConfigMapEnvSource: 'Name Optional',
  ConfigMapKeySelector: 'Name Key Optional',
  ConfigMapProjection: 'Name Items Optional',
  ConfigMapVolumeSource: 'Name Items DefaultMode Optional DefaultUser',
  Container:
    'Name Image Command Args WorkingDir Ports EnvFrom Env Resources ResizePolicy RestartPolicy RestartPolicyRules VolumeMounts VolumeDevices LivenessProbe ReadinessProbe StartupProbe Lifecycle TerminationMessagePath TerminationMessagePolicy ImagePullPolicy SecurityContext Stdin StdinOnce TTY=tty',
  ContainerPort: 'Name HostPort ContainerPort Protocol HostIP',
  ContainerResizePolicy: 'ResourceName RestartPolicy',
  ContainerRestartRule: 'Action ExitCodes',
  ContainerRestartRuleOnExitCodes: 'Operator Values',
  DownwardAPIProjection: 'Items',
  DownwardAPIVolumeFile: 'Path FieldRef ResourceFieldRef Mode User',
  DownwardAPIVolumeSource: 'Items DefaultMode DefaultUser',
  EmptyDirVolumeSource: 'Medium SizeLimit Mode',
  EnvFromSource: 'Prefix ConfigMapRef SecretRef',
  EnvVar: 'Name Value ValueFrom',
  EnvVarSource: 'FieldRef ResourceFieldRef ConfigMapKeyRef SecretKeyRef FileKeyRef',
  EphemeralContainer:
    'Name Image Command Args WorkingDir Ports EnvFrom Env Resources ResizePolicy RestartPolicy RestartPolicyRules VolumeMounts VolumeDevices LivenessProbe ReadinessProbe StartupProbe Lifecycle TerminationMessagePath TerminationMessagePolicy ImagePullPolicy SecurityContext Stdin StdinOnce TTY=tty TargetContainerName',
  EphemeralVolumeSource: 'VolumeClaimTemplate',
  EvictionResponder: 'Name Priority',
  ExecAction: 'Command',
  FCVolumeSource: 'TargetWWNs Lun FSType=fsType ReadOnly WWIDs=wwids',
  FileKeySelector: 'VolumeName Path Key Optional',
  FlexVolumeSource: 'Driver FSType=fsType SecretRef ReadOnly Options',
  FlockerVolumeSource: 'DatasetName DatasetUUID',
  GCEPersistentDiskVolumeSource: 'PDName=pdName FSType=fsType Partition ReadOnly',
  GRPCAction: 'Port Service Mode',
  GitRepoVolumeSource: 'Repository Revision Directory',
  GlusterfsVolumeSource: 'EndpointsName=endpoints Path ReadOnly',
  HTTPGetAction: 'Path Port Host Scheme HTTPHeaders=httpHeaders Protocol',
  HTTPHeader: 'Name Value',
  HostAlias: 'IP=ip Hostnames',
  HostPathVolumeSource: 'Path Type',
  ISCSIVolumeSource:
    'TargetPortal IQN=iqn Lun ISCSIInterface=iscsiInterface FSType=fsType ReadOnly Portals DiscoveryCHAPAuth=chapAuthDiscovery SessionCHAPAuth=chapAuthSession SecretRef InitiatorName',
  ImageVolumeSource: 'Reference PullPolicy',
  KeyToPath: 'Key Path Mode User',
  Lifecycle: 'PostStart PreStop StopSignal',
  LifecycleHandler: 'Exec HTTPGet=httpGet TCPSocket=tcpSocket Sleep',
  LocalObjectReference: 'Name',
  NFSVolumeSource: 'Server Path ReadOnly',
  NodeAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution PreferredDuringSchedulingIgnoredDuringExecution',
  NodeSelector: 'NodeSelectorTerms',
  NodeSelectorRequirement: 'Key Operator Values',
  NodeSelectorTerm: 'MatchExpressions MatchFields',
  ObjectFieldSelector: 'APIVersion=apiVersion FieldPath',
  PersistentVolumeClaimSpec:
    'AccessModes Selector Resources VolumeName StorageClassName VolumeMode DataSource DataSourceRef VolumeAttributesClassName',
  PersistentVolumeClaimTemplate: '...metadata Spec',
  PersistentVolumeClaimVolumeSource: 'ClaimName ReadOnly',
  PhotonPersistentDiskVolumeSource: 'PdID FSType=fsType',
  PodAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution PreferredDuringSchedulingIgnoredDuringExecution',
  PodAffinityTerm:
    'LabelSelector Namespaces TopologyKey NamespaceSelector MatchLabelKeys MismatchLabelKeys',
  PodAntiAffinity:
    'RequiredDuringSchedulingIgnoredDuringExecution PreferredDuringSchedulingIgnoredDuringExecution',
  PodCertificateProjection:
    'SignerName KeyType MaxExpirationSeconds CredentialBundlePath KeyPath CertificateChainPath UserAnnotations User',
  PodDNSConfig: 'Nameservers Searches Options',
  PodDNSConfigOption: 'Name Value',
  PodOS: 'Name',
  PodReadinessGate: 'ConditionType',
  PodResourceClaim: 'Name ResourceClaimName ResourceClaimTemplateName',
  PodSchedulingGate: 'Name',
  PodSchedulingGroup: 'PodGroupName',
  PodSecurityContext:
    'SELinuxOptions=seLinuxOptions WindowsOptions RunAsUser RunAsGroup RunAsNonRoot SupplementalGroups SupplementalGroupsPolicy FSGroup=fsGroup Sysctls FSGroupChangePolicy=fsGroupChangePolicy SeccompProfile AppArmorProfile SELinuxChangePolicy=seLinuxChangePolicy',
  PodSpec:
    'Volumes InitContainers Containers EphemeralContainers RestartPolicy TerminationGracePeriodSeconds ActiveDeadlineSeconds DNSPolicy=dnsPolicy NodeSelector ServiceAccountName DeprecatedServiceAccount=serviceAccount AutomountServiceAccountToken NodeName HostNetwork HostPID HostIPC ShareProcessNamespace SecurityContext ImagePullSecrets Hostname Subdomain Affinity SchedulerName Tolerations HostAliases PriorityClassName Priority DNSConfig=dnsConfig ReadinessGates RuntimeClassName EnableServiceLinks PreemptionPolicy Overhead TopologySpreadConstraints SetHostnameAsFQDN OS=os HostUsers SchedulingGates ResourceClaims Resources HostnameOverride SchedulingGroup EvictionResponders',
  PortworxVolumeSource: 'VolumeID FSType=fsType ReadOnly',
  PreferredSchedulingTerm: 'Weight Preference',
  Probe:
    'Exec HTTPGet=httpGet TCPSocket=tcpSocket GRPC=grpc InitialDelaySeconds TimeoutSeconds PeriodSeconds SuccessThreshold FailureThreshold TerminationGracePeriodSeconds',
  ProjectedVolumeSource: 'Sources DefaultMode DefaultUser',
  QuobyteVolumeSource: 'Registry Volume ReadOnly User Group Tenant',
  RBDVolumeSource:
    'CephMonitors=monitors RBDImage=image FSType=fsType RBDPool=pool RadosUser=user Keyring SecretRef ReadOnly',
  ResourceClaim: 'Name Request',
  ResourceFieldSelector: 'ContainerName Resource Divisor',
  ResourceRequirements: 'Limits Requests Claims',
  SELinuxOptions: 'User Role Type Level',
  ScaleIOVolumeSource:
    'Gateway System SecretRef SSLEnabled=sslEnabled ProtectionDomain StoragePool StorageMode VolumeName FSType=fsType ReadOnly',
  SeccompProfile: 'Type LocalhostProfile',
  SecretEnvSource: 'Name Optional',
  SecretKeySelector: 'Name Key Optional',
  SecretProjection: 'Name Items Optional',
  SecretVolumeSource: 'SecretName Items DefaultMode Optional DefaultUser',
  SecurityContext:
    'Capabilities Privileged SELinuxOptions=seLinuxOptions WindowsOptions RunAsUser RunAsGroup RunAsNonRoot ReadOnlyRootFilesystem AllowPrivilegeEscalation ProcMount SeccompProfile AppArmorProfile',
  ServiceAccountTokenProjection: 'Audience ExpirationSeconds Path User',
  SleepAction: 'Seconds',
  StorageOSVolumeSource: 'VolumeName VolumeNamespace FSType=fsType ReadOnly SecretRef',
  Sysctl: 'Name Value',
  TCPSocketAction: 'Port Host',
  Toleration: 'Key Operator Value Effect TolerationSeconds',
  TopologySpreadConstraint:
    'MaxSkew TopologyKey WhenUnsatisfiable LabelSelector MinDomains NodeAffinityPolicy NodeTaintsPolicy MatchLabelKeys',
  TypedLocalObjectReference: 'APIGroup=apiGroup Kind Name',
  TypedObjectReference: 'APIGroup=apiGroup Kind Name Namespace',
  Volume:
    'Name HostPath EmptyDir GCEPersistentDisk=gcePersistentDisk AWSElasticBlockStore=awsElasticBlockStore GitRepo Secret NFS=nfs ISCSI=iscsi Glusterfs PersistentVolumeClaim RBD=rbd FlexVolume Cinder CephFS=cephfs Flocker DownwardAPI FC=fc AzureFile ConfigMap VsphereVolume Quobyte AzureDisk PhotonPersistentDisk Projected PortworxVolume ScaleIO StorageOS=storageos CSI=csi Ephemeral Image',
  VolumeDevice: 'Name DevicePath',
  VolumeMount:
    'Name ReadOnly RecursiveReadOnly MountPath SubPath MountPropagation SubPathExpr BindMountOptions',
  VolumeProjection:
    'Secret DownwardAPI ConfigMap ServiceAccountToken ClusterTrustBundle PodCertificate',
  VolumeResourceRequirements: 'Limits Requests',
  VsphereVirtualDiskVolumeSource: 'VolumePath FSType=fsType StoragePolicyName StoragePolicyID',
  WeightedPodAffinityTerm: 'Weight PodAffinityTerm',
  WindowsSecurityContextOptions:
    'GMSACredentialSpecName=gmsaCredentialSpecName GMSACredentialSpec=gmsaCredentialSpec RunAsUserName HostProcess',
};
