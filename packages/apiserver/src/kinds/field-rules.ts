/** The rule of a struct's field, with kube-apiserver's messages. */
export interface FieldRule {
  /** Messages if the field is absent or empty. */
  readonly absent?: readonly string[];
  /** The values that it can have. */
  readonly values?: readonly string[];
  /** The message for another value, instead of the list of supported values. */
  readonly refusal?: string;
  /** Whether the message names the invalid item instead of the list. */
  readonly isOfItems?: boolean;
  /** Where the server says it, when that is not the place of the field. */
  readonly told?: { readonly from: RegExp; readonly to: string };
}

const emptyName = [
  'Invalid value: "": name part must be non-empty',
  "Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
];

/** Items of a downward API volume are named by the volume alone. */
const withoutItem = { from: /\.downwardAPI\.items\[\d+\]\./, to: '.downwardAPI.' };

// Rules that several fields have.
const required: FieldRule = { absent: ['Required value'] };
const namePart: FieldRule = { absent: emptyName };
const port: FieldRule = { absent: ['Invalid value: 0: must be between 1 and 65535, inclusive'] };
const weight: FieldRule = { absent: ['Invalid value: 0: must be in the range 1-100'] };
const positive: FieldRule = { absent: ['Invalid value: 0: must be greater than zero'] };
const protocol: FieldRule = { values: ['SCTP', 'TCP', 'UDP'] };
const volumeMode: FieldRule = { values: ['Block', 'Filesystem'] };
const accessModes: FieldRule = {
  values: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
};

/**
 * The required fields and allowed values in the OpenAPI document of kube-apiserver 1.37, by struct and field, as
 * far as the server enforces them, with its messages (tested field by field).
 */
export const fieldRules: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  'apiregistration.v1.APIServiceSpec': {
    groupPriorityMinimum: { absent: ['Invalid value: 0: must be positive and less than 20000'] },
    versionPriority: { absent: ['Invalid value: 0: must be positive and less than 1000'] },
  },
  'apps.v1.StatefulSetSpec': {
    podManagementPolicy: {
      values: ['OrderedReady', 'Parallel'],
      refusal: "must be 'OrderedReady' or 'Parallel'",
    },
  },
  'autoscaling.v2.CrossVersionObjectReference': { kind: required, name: required },
  'autoscaling.v2.HPAScalingPolicy': {
    periodSeconds: positive,
    type: { absent: ['Unsupported value: "": supported values: "Percent", "Pods"'] },
    value: positive,
  },
  'autoscaling.v2.HorizontalPodAutoscalerSpec': {
    maxReplicas: {
      absent: [
        'Invalid value: 0: must be greater than or equal to `minReplicas`',
        'Required value',
      ],
    },
  },
  'autoscaling.v2.MetricSpec': {
    type: {
      absent: [
        'Required value: must specify a metric source type',
        'Unsupported value: "": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
      ],
    },
  },
  'autoscaling.v2.MetricTarget': {
    type: {
      absent: [
        'Required value: must specify a metric target type',
        'Invalid value: "": must be either Utilization, Value, or AverageValue',
      ],
    },
  },
  'autoscaling.v2.ResourceMetricSource': {
    name: { absent: ['Required value: must specify a resource name'] },
  },
  'batch.v1.CronJobSpec': {
    concurrencyPolicy: { values: ['Allow', 'Forbid', 'Replace'] },
    schedule: required,
  },
  'batch.v1.JobSpec': {
    completionMode: { values: ['NonIndexed', 'Indexed'] },
    podReplacementPolicy: { values: ['Failed', 'TerminatingOrFailed'] },
  },
  'batch.v1.PodFailurePolicyOnExitCodesRequirement': {
    operator: { absent: ['Required value: valid values: ["In" "NotIn"]'], values: ['In', 'NotIn'] },
    values: { absent: ['Invalid value: null: at least one value is required'] },
  },
  'batch.v1.PodFailurePolicyOnPodConditionsPattern': { type: namePart },
  'batch.v1.PodFailurePolicyRule': {
    action: {
      absent: ['Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]'],
      values: ['Count', 'FailIndex', 'FailJob', 'Ignore'],
    },
  },
  'core.v1.AppArmorProfile': {
    type: {
      absent: ['Required value: type is required when appArmorProfile is set'],
      values: ['Localhost', 'RuntimeDefault', 'Unconfined'],
    },
  },
  'core.v1.CSIVolumeSource': { driver: required },
  'core.v1.ConfigMapKeySelector': { key: required },
  'core.v1.Container': {
    imagePullPolicy: { values: ['Always', 'IfNotPresent', 'Never'] },
    name: required,
    terminationMessagePolicy: { values: ['File', 'FallbackToLogsOnError'] },
    image: required,
  },
  'core.v1.ContainerPort': { containerPort: required, protocol },
  'core.v1.DownwardAPIVolumeFile': { path: { absent: ['Required value'], told: withoutItem } },
  'core.v1.EndpointAddress': {
    ip: {
      absent: [
        'Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
        'Invalid value: "": must be a valid IP address',
      ],
    },
  },
  'core.v1.EndpointPort': { port, protocol },
  'core.v1.EnvVar': { name: required },
  'core.v1.EphemeralContainer': {
    imagePullPolicy: { values: ['Always', 'IfNotPresent', 'Never'] },
    name: required,
    terminationMessagePolicy: { values: ['File', 'FallbackToLogsOnError'] },
    image: required,
  },
  'core.v1.HTTPGetAction': {
    port,
    scheme: { values: ['HTTP', 'HTTPS'] },
  },
  'core.v1.HTTPHeader': {
    name: {
      absent: [
        "Invalid value: \"\": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
      ],
      told: { from: /\[\d+\]\.name$/, to: '' },
    },
  },
  'core.v1.HostAlias': {
    ip: {
      absent: ['Invalid value: "": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'],
    },
  },
  'core.v1.HostPathVolumeSource': {
    path: required,
    type: {
      values: [
        '',
        'BlockDevice',
        'CharDevice',
        'Directory',
        'DirectoryOrCreate',
        'File',
        'FileOrCreate',
        'Socket',
      ],
    },
  },
  'core.v1.KeyToPath': { key: required, path: required },
  'core.v1.LimitRangeItem': { type: namePart },
  'core.v1.NFSVolumeSource': {
    path: { absent: ['Required value', 'Invalid value: "": must be an absolute path'] },
    server: required,
  },
  'core.v1.NodeSelector': {
    nodeSelectorTerms: { absent: ['Required value: must have at least one node selector term'] },
  },
  'core.v1.NodeSelectorRequirement': {
    key: namePart,
    operator: {
      absent: ['Invalid value: "": not a valid selector operator'],
      values: ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'],
      refusal: 'not a valid selector operator',
    },
  },
  'core.v1.ObjectFieldSelector': { fieldPath: { absent: ['Required value'], told: withoutItem } },
  'core.v1.PersistentVolumeClaimSpec': { accessModes, volumeMode },
  'core.v1.PersistentVolumeClaimVolumeSource': { claimName: required },
  'core.v1.PersistentVolumeSpec': {
    accessModes,
    persistentVolumeReclaimPolicy: { values: ['Delete', 'Recycle', 'Retain'] },
    volumeMode,
  },
  'core.v1.PodAffinityTerm': {
    topologyKey: {
      absent: ['Required value: can not be empty', ...emptyName],
    },
  },
  'core.v1.PodOS': { name: required },
  'core.v1.PodReadinessGate': { conditionType: namePart },
  'core.v1.PodSchedulingGate': { name: { absent: emptyName, told: { from: /\.name$/, to: '' } } },
  'core.v1.PodSecurityContext': {
    fsGroupChangePolicy: { values: ['Always', 'OnRootMismatch'] },
    supplementalGroupsPolicy: { values: ['Merge', 'Strict'] },
  },
  'core.v1.PodSpec': {
    containers: required,
    dnsPolicy: { values: ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'] },
    restartPolicy: { values: ['Always', 'OnFailure', 'Never'] },
  },
  'core.v1.PreferredSchedulingTerm': { weight },
  'core.v1.ResourceFieldSelector': { resource: required },
  'core.v1.SeccompProfile': {
    type: {
      absent: ['Required value: type is required when seccompProfile is set'],
      values: ['Localhost', 'RuntimeDefault', 'Unconfined'],
    },
  },
  'core.v1.SecretKeySelector': { key: required },
  'core.v1.SecurityContext': { procMount: { values: ['Default', 'Unmasked'] } },
  'core.v1.ServiceAccountTokenProjection': {
    path: {
      absent: ['Required value'],
      told: { from: /\.sources\[\d+\]\.serviceAccountToken\.path$/, to: '.path' },
    },
  },
  'core.v1.ServicePort': { port, protocol, targetPort: port },
  'core.v1.ServiceSpec': {
    externalTrafficPolicy: { values: ['Cluster', 'Local'] },
    internalTrafficPolicy: { values: ['Cluster', 'Local'] },
    ipFamilies: { values: ['IPv4', 'IPv6'], isOfItems: true },
    ipFamilyPolicy: { values: ['PreferDualStack', 'RequireDualStack', 'SingleStack'] },
    sessionAffinity: { values: ['ClientIP', 'None'] },
    type: { values: ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'] },
  },
  'core.v1.Sysctl': { name: required },
  'core.v1.Taint': {
    effect: {
      absent: ['Required value'],
      values: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'],
      told: { from: /^spec\./, to: 'metadata.' },
    },
    key: { absent: emptyName, told: { from: /^spec\./, to: 'metadata.' } },
  },
  'core.v1.TCPSocketAction': { port },
  'core.v1.Toleration': {
    effect: { values: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
    operator: { values: ['Equal', 'Exists'] },
  },
  'core.v1.TopologySpreadConstraint': {
    maxSkew: positive,
    nodeAffinityPolicy: { values: ['Honor', 'Ignore'] },
    nodeTaintsPolicy: { values: ['Honor', 'Ignore'] },
    topologyKey: { absent: ['Required value: can not be empty'] },
    whenUnsatisfiable: {
      absent: ['Unsupported value: "": supported values: "DoNotSchedule", "ScheduleAnyway"'],
      values: ['DoNotSchedule', 'ScheduleAnyway'],
    },
  },
  'core.v1.Volume': { name: required },
  'core.v1.VolumeMount': {
    mountPath: required,
    mountPropagation: {
      values: ['Bidirectional', 'HostToContainer', 'None'],
      told: { from: /\[\d+\]\.mountPropagation$/, to: '.mountPropagation' },
    },
    name: required,
  },
  'core.v1.WeightedPodAffinityTerm': { weight },
  'discovery.v1.Endpoint': { addresses: required },
  'discovery.v1.EndpointPort': { protocol },
  'discovery.v1.EndpointSlice': {
    addressType: { absent: ['Required value'], values: ['FQDN', 'IPv4', 'IPv6'] },
  },
  'flowcontrol.v1.FlowDistinguisherMethod': {
    type: { absent: ['Unsupported value: {"Type":""}: supported values: "ByNamespace", "ByUser"'] },
  },
  'flowcontrol.v1.LimitResponse': { type: required },
  'flowcontrol.v1.NonResourcePolicyRule': {
    nonResourceURLs: {
      absent: ['Required value: nonResourceURLs must contain at least one value'],
    },
    verbs: { absent: ['Required value: verbs must contain at least one value'] },
  },
  'flowcontrol.v1.PolicyRulesWithSubjects': {
    subjects: { absent: ['Required value: subjects must contain at least one value'] },
  },
  'flowcontrol.v1.PriorityLevelConfigurationReference': {
    name: { absent: ['Required value: must reference a priority level'] },
  },
  'flowcontrol.v1.PriorityLevelConfigurationSpec': { type: required },
  'flowcontrol.v1.Subject': {
    kind: {
      absent: ['Unsupported value: "": supported values: "Group", "ServiceAccount", "User"'],
    },
  },
  'flowcontrol.v1.UserSubject': { name: required },
  'networking.v1.HTTPIngressPath': {
    backend: { absent: ['Invalid value: "": resource or service backend is required'] },
    pathType: {
      absent: ['Required value: pathType must be specified'],
      values: ['Exact', 'ImplementationSpecific', 'Prefix'],
    },
  },
  'networking.v1.HTTPIngressRuleValue': { paths: required },
  'networking.v1.IPBlock': { cidr: required },
  'networking.v1.IngressClassParametersReference': { kind: required, name: required },
  'networking.v1.IngressServiceBackend': { name: required },
  'networking.v1.NetworkPolicyPort': { protocol: { values: ['TCP', 'UDP', 'SCTP'] } },
  'networking.v1.NetworkPolicySpec': {
    policyTypes: { values: ['Ingress', 'Egress'], isOfItems: true },
  },
  'node.v1.RuntimeClass': { handler: required },
  'policy.v1.PodDisruptionBudgetSpec': {
    unhealthyPodEvictionPolicy: { values: ['AlwaysAllow', 'IfHealthyBudget'] },
  },
  'scheduling.v1.PriorityClass': {
    preemptionPolicy: { values: ['PreemptLowerPriority', 'Never'] },
  },
  'storage.v1.StorageClass': {
    provisioner: required,
    reclaimPolicy: { values: ['Delete', 'Retain'] },
    volumeBindingMode: { values: ['Immediate', 'WaitForFirstConsumer'] },
  },
};
