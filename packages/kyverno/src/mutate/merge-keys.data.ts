/**
 * The lists of built-in types that strategic merge patches merge, as kustomize 0.21 knows them (Kubernetes 1.21).
 *
 * By definition: its fields, each with a definition, or with the merge keys of a list, `|` and the definition of its
 * items. A list without keys holds primitives that are united. Definitions that are not here have `metadata` alone.
 */
export const mergeDefinitions: Readonly<Record<string, string>> = {
  'admissionregistration.v1.MutatingWebhookConfiguration':
    'metadata:apis.meta.v1.ObjectMeta webhooks:name|',
  'admissionregistration.v1.ValidatingWebhookConfiguration':
    'metadata:apis.meta.v1.ObjectMeta webhooks:name|',
  'admissionregistration.v1beta1.MutatingWebhookConfiguration':
    'metadata:apis.meta.v1.ObjectMeta webhooks:name|',
  'admissionregistration.v1beta1.ValidatingWebhookConfiguration':
    'metadata:apis.meta.v1.ObjectMeta webhooks:name|',
  'apis.apiregistration.v1.APIService':
    'metadata:apis.meta.v1.ObjectMeta status:apis.apiregistration.v1.APIServiceStatus',
  'apis.apiregistration.v1.APIServiceStatus': 'conditions:type|',
  'apis.apiregistration.v1beta1.APIService':
    'metadata:apis.meta.v1.ObjectMeta status:apis.apiregistration.v1beta1.APIServiceStatus',
  'apis.apiregistration.v1beta1.APIServiceStatus': 'conditions:type|',
  'apis.meta.v1.ObjectMeta': 'finalizers:| ownerReferences:uid|',
  'apps.v1.DaemonSet':
    'metadata:apis.meta.v1.ObjectMeta spec:apps.v1.DaemonSetSpec status:apps.v1.DaemonSetStatus',
  'apps.v1.DaemonSetSpec': 'template:core.v1.PodTemplateSpec',
  'apps.v1.DaemonSetStatus': 'conditions:type|',
  'apps.v1.Deployment':
    'metadata:apis.meta.v1.ObjectMeta spec:apps.v1.DeploymentSpec status:apps.v1.DeploymentStatus',
  'apps.v1.DeploymentSpec': 'template:core.v1.PodTemplateSpec',
  'apps.v1.DeploymentStatus': 'conditions:type|',
  'apps.v1.Kustomization': 'configMapGenerator:name| secretGenerator:name|',
  'apps.v1.ReplicaSet':
    'metadata:apis.meta.v1.ObjectMeta spec:apps.v1.ReplicaSetSpec status:apps.v1.ReplicaSetStatus',
  'apps.v1.ReplicaSetSpec': 'template:core.v1.PodTemplateSpec',
  'apps.v1.ReplicaSetStatus': 'conditions:type|',
  'apps.v1.StatefulSet':
    'metadata:apis.meta.v1.ObjectMeta spec:apps.v1.StatefulSetSpec status:apps.v1.StatefulSetStatus',
  'apps.v1.StatefulSetSpec':
    'template:core.v1.PodTemplateSpec volumeClaimTemplates:core.v1.PersistentVolumeClaim',
  'apps.v1.StatefulSetStatus': 'conditions:type|',
  'batch.v1.CronJob': 'metadata:apis.meta.v1.ObjectMeta spec:batch.v1.CronJobSpec',
  'batch.v1.CronJobSpec': 'jobTemplate:batch.v1.JobTemplateSpec',
  'batch.v1.Job':
    'metadata:apis.meta.v1.ObjectMeta spec:batch.v1.JobSpec status:batch.v1.JobStatus',
  'batch.v1.JobSpec': 'template:core.v1.PodTemplateSpec',
  'batch.v1.JobStatus': 'conditions:type|',
  'batch.v1.JobTemplateSpec': 'metadata:apis.meta.v1.ObjectMeta spec:batch.v1.JobSpec',
  'batch.v1beta1.CronJob': 'metadata:apis.meta.v1.ObjectMeta spec:batch.v1beta1.CronJobSpec',
  'batch.v1beta1.CronJobSpec': 'jobTemplate:batch.v1beta1.JobTemplateSpec',
  'batch.v1beta1.JobTemplateSpec': 'metadata:apis.meta.v1.ObjectMeta spec:batch.v1.JobSpec',
  'core.v1.ComponentStatus': 'conditions:type| metadata:apis.meta.v1.ObjectMeta',
  'core.v1.Container':
    'env:name| ports:containerPort,protocol| volumeDevices:devicePath| volumeMounts:mountPath|',
  'core.v1.EphemeralContainer': 'env:name| volumeDevices:devicePath| volumeMounts:mountPath|',
  'core.v1.EphemeralVolumeSource': 'volumeClaimTemplate:core.v1.PersistentVolumeClaimTemplate',
  'core.v1.Namespace': 'metadata:apis.meta.v1.ObjectMeta status:core.v1.NamespaceStatus',
  'core.v1.NamespaceStatus': 'conditions:type|',
  'core.v1.Node':
    'metadata:apis.meta.v1.ObjectMeta spec:core.v1.NodeSpec status:core.v1.NodeStatus',
  'core.v1.NodeSpec': 'podCIDRs:|',
  'core.v1.NodeStatus': 'addresses:type| conditions:type|',
  'core.v1.PersistentVolumeClaim':
    'metadata:apis.meta.v1.ObjectMeta status:core.v1.PersistentVolumeClaimStatus',
  'core.v1.PersistentVolumeClaimStatus': 'conditions:type|',
  'core.v1.Pod': 'metadata:apis.meta.v1.ObjectMeta spec:core.v1.PodSpec status:core.v1.PodStatus',
  'core.v1.PodSpec':
    'containers:name|core.v1.Container ephemeralContainers:name|core.v1.EphemeralContainer hostAliases:ip| imagePullSecrets:name| initContainers:name|core.v1.Container topologySpreadConstraints:topologyKey,whenUnsatisfiable| volumes:name|core.v1.Volume',
  'core.v1.PodStatus': 'conditions:type| podIPs:ip|',
  'core.v1.PodTemplate': 'metadata:apis.meta.v1.ObjectMeta template:core.v1.PodTemplateSpec',
  'core.v1.PodTemplateSpec': 'metadata:apis.meta.v1.ObjectMeta spec:core.v1.PodSpec',
  'core.v1.ReplicationController':
    'metadata:apis.meta.v1.ObjectMeta spec:core.v1.ReplicationControllerSpec status:core.v1.ReplicationControllerStatus',
  'core.v1.ReplicationControllerSpec': 'template:core.v1.PodTemplateSpec',
  'core.v1.ReplicationControllerStatus': 'conditions:type|',
  'core.v1.Service':
    'metadata:apis.meta.v1.ObjectMeta spec:core.v1.ServiceSpec status:core.v1.ServiceStatus',
  'core.v1.ServiceAccount': 'metadata:apis.meta.v1.ObjectMeta secrets:name|',
  'core.v1.ServiceSpec': 'ports:port,protocol|',
  'core.v1.ServiceStatus': 'conditions:type|',
  'core.v1.Volume': 'ephemeral:core.v1.EphemeralVolumeSource',
  'policy.v1.PodDisruptionBudget':
    'metadata:apis.meta.v1.ObjectMeta status:policy.v1.PodDisruptionBudgetStatus',
  'policy.v1.PodDisruptionBudgetStatus': 'conditions:type|',
  'policy.v1beta1.PodDisruptionBudget':
    'metadata:apis.meta.v1.ObjectMeta status:policy.v1beta1.PodDisruptionBudgetStatus',
  'policy.v1beta1.PodDisruptionBudgetStatus': 'conditions:type|',
  'storage.v1.CSINode': 'metadata:apis.meta.v1.ObjectMeta spec:storage.v1.CSINodeSpec',
  'storage.v1.CSINodeSpec': 'drivers:name|',
  'storage.v1beta1.CSINode': 'metadata:apis.meta.v1.ObjectMeta spec:storage.v1beta1.CSINodeSpec',
  'storage.v1beta1.CSINodeSpec': 'drivers:name|',
};

/** By API version: what the names of the definitions of its kinds begin with, and the kinds. */
export const mergeKinds: Readonly<Record<string, readonly [prefix: string, kinds: string]>> = {
  'admissionregistration.k8s.io/v1': [
    'admissionregistration.v1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
  ],
  'admissionregistration.k8s.io/v1beta1': [
    'admissionregistration.v1beta1',
    'MutatingWebhookConfiguration ValidatingWebhookConfiguration',
  ],
  'apiextensions.k8s.io/v1': ['apis.apiextensions.v1', 'CustomResourceDefinition'],
  'apiextensions.k8s.io/v1beta1': ['apis.apiextensions.v1beta1', 'CustomResourceDefinition'],
  'apiregistration.k8s.io/v1': ['apis.apiregistration.v1', 'APIService'],
  'apiregistration.k8s.io/v1beta1': ['apis.apiregistration.v1beta1', 'APIService'],
  'apps/v1': ['apps.v1', 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet'],
  'authentication.k8s.io/v1': ['authentication.v1', 'TokenRequest TokenReview'],
  'authentication.k8s.io/v1beta1': ['authentication.v1beta1', 'TokenReview'],
  'authorization.k8s.io/v1': [
    'authorization.v1',
    'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  ],
  'authorization.k8s.io/v1beta1': [
    'authorization.v1beta1',
    'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  ],
  'autoscaling/v1': ['autoscaling.v1', 'HorizontalPodAutoscaler Scale'],
  'autoscaling/v2beta1': ['autoscaling.v2beta1', 'HorizontalPodAutoscaler'],
  'autoscaling/v2beta2': ['autoscaling.v2beta2', 'HorizontalPodAutoscaler'],
  'batch/v1': ['batch.v1', 'CronJob Job'],
  'batch/v1beta1': ['batch.v1beta1', 'CronJob'],
  'certificates.k8s.io/v1': ['certificates.v1', 'CertificateSigningRequest'],
  'certificates.k8s.io/v1beta1': ['certificates.v1beta1', 'CertificateSigningRequest'],
  'coordination.k8s.io/v1': ['coordination.v1', 'Lease'],
  'coordination.k8s.io/v1beta1': ['coordination.v1beta1', 'Lease'],
  'discovery.k8s.io/v1': ['discovery.v1', 'EndpointSlice'],
  'discovery.k8s.io/v1beta1': ['discovery.v1beta1', 'EndpointSlice'],
  'events.k8s.io/v1': ['events.v1', 'Event'],
  'events.k8s.io/v1beta1': ['events.v1beta1', 'Event'],
  'extensions/v1beta1': ['extensions.v1beta1', 'Ingress'],
  'flowcontrol.apiserver.k8s.io/v1beta1': [
    'flowcontrol.v1beta1',
    'FlowSchema PriorityLevelConfiguration',
  ],
  'kustomize.config.k8s.io/v1beta1': ['apps.v1', 'Kustomization'],
  'networking.k8s.io/v1': ['networking.v1', 'Ingress IngressClass NetworkPolicy'],
  'networking.k8s.io/v1beta1': ['networking.v1beta1', 'Ingress IngressClass'],
  'node.k8s.io/v1': ['node.v1', 'RuntimeClass'],
  'node.k8s.io/v1beta1': ['node.v1beta1', 'RuntimeClass'],
  'policy/v1': ['policy.v1', 'PodDisruptionBudget'],
  'policy/v1beta1': ['policy.v1beta1', 'Eviction PodDisruptionBudget PodSecurityPolicy'],
  'rbac.authorization.k8s.io/v1': ['rbac.v1', 'ClusterRole ClusterRoleBinding Role RoleBinding'],
  'rbac.authorization.k8s.io/v1beta1': [
    'rbac.v1beta1',
    'ClusterRole ClusterRoleBinding Role RoleBinding',
  ],
  'scheduling.k8s.io/v1': ['scheduling.v1', 'PriorityClass'],
  'scheduling.k8s.io/v1beta1': ['scheduling.v1beta1', 'PriorityClass'],
  'storage.k8s.io/v1': ['storage.v1', 'CSIDriver CSINode StorageClass VolumeAttachment'],
  'storage.k8s.io/v1beta1': [
    'storage.v1beta1',
    'CSIDriver CSINode CSIStorageCapacity StorageClass VolumeAttachment',
  ],
  v1: [
    'core.v1',
    'Binding ComponentStatus ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
  ],
};
