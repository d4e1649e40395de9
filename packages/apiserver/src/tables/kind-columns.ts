import { memberAt as at } from '@kubeadmit/admission/writes';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import { nameOf } from '../objects/metadata.ts';
import {
  ageColumn,
  ageOf,
  containerColumns,
  containersAt,
  count,
  countAt,
  createdColumn,
  flagAt,
  integer,
  nameColumn,
  number,
  numberAt,
  selectorAt,
  selectorColumn,
  spec,
  status,
  text,
  textAt,
  wide,
} from './cells.ts';
import { type Column, textColumn } from './columns.ts';
import { definitionColumns } from './definition-columns.ts';
import { jobColumns } from './job-columns.ts';
import { networkColumns } from './network-columns.ts';
import { nodeColumns } from './node-columns.ts';
import { podColumns } from './pod-columns.ts';
import { storageColumns } from './storage-columns.ts';

function paramKindText(object: KubernetesObject): string {
  const kind = at(spec(object), 'paramKind');
  return kind === undefined
    ? '<unset>'
    : `${text(at(kind, 'apiVersion'))}/${text(at(kind, 'kind'))}`;
}

function paramRefText(object: KubernetesObject): string {
  const reference = at(spec(object), 'paramRef');
  if (reference === undefined) return '<unset>';
  const name = text(at(reference, 'name'));
  const namespace = text(at(reference, 'namespace'));
  if (name !== '') return namespace === '' ? `*/${name}` : `${namespace}/${name}`;
  const selector = at(reference, 'selector');
  return selector === undefined ? '<unset>' : selectorGoText(selector);
}

// A label selector as Go prints the pointer to it.
function selectorGoText(selector: unknown): string {
  const labels = Object.entries((at(selector, 'matchLabels') ?? {}) as Record<string, string>)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => `${key}: ${value},`)
    .join('');
  const expressions = ((at(selector, 'matchExpressions') ?? []) as readonly unknown[])
    .map((each) => {
      const values = ((at(each, 'values') ?? []) as readonly string[]).join(' ');
      return `{${text(at(each, 'key'))} ${text(at(each, 'operator'))} [${values}]},`;
    })
    .join('');
  return `&LabelSelector{MatchLabels:map[string]string{${labels}},MatchExpressions:[]LabelSelectorRequirement{${expressions}},}`;
}

function subjects(object: KubernetesObject, kind: string): string {
  const own = member(object, 'subjects');
  if (!Array.isArray(own)) return '';
  return own
    .filter((subject) => at(subject, 'kind') === kind)
    .map((subject) =>
      kind === 'ServiceAccount'
        ? `${text(at(subject, 'namespace'))}/${text(at(subject, 'name'))}`
        : text(at(subject, 'name')),
    )
    .join(', ');
}

function roleText(object: KubernetesObject): string {
  const reference = member(object, 'roleRef');
  return `${text(at(reference, 'kind'))}/${text(at(reference, 'name'))}`;
}

function targetsText(object: KubernetesObject): string {
  const metrics = at(spec(object), 'metrics');
  if (!Array.isArray(metrics) || metrics.length === 0) return '<none>';
  return metrics
    .map((metric) => {
      const target = at(metric, 'resource', 'target', 'averageUtilization');
      const name = text(at(metric, 'resource', 'name'));
      return target === undefined ? '<unknown type>' : `${name}: <unknown>/${text(target)}%`;
    })
    .join(', ');
}

function quotaText(object: KubernetesObject, ofLimits: boolean): string {
  const hard = (at(status(object), 'hard') ?? {}) as Record<string, unknown>;
  const used = at(status(object), 'used');
  return Object.keys(hard)
    .filter((name) => name.startsWith('limits') === ofLimits)
    .sort()
    .map((name) => `${name}: ${text(at(used, name), '0')}/${text(hard[name])}`)
    .join(', ');
}

const readyColumn = textColumn('Ready', (object) => {
  const ready = number(at(status(object), 'readyReplicas'));
  return `${ready}/${number(at(spec(object), 'replicas'))}`;
});

const replicaColumns: readonly Column[] = [
  numberAt('Desired', 'spec.replicas', integer),
  numberAt('Current', 'status.replicas', integer),
  numberAt('Ready', 'status.readyReplicas', integer),
];

const bindingColumns: readonly Column[] = [
  nameColumn,
  textColumn('Role', roleText),
  ageColumn,
  textColumn('Users', (object) => subjects(object, 'User'), wide),
  textColumn('Groups', (object) => subjects(object, 'Group'), wide),
  textColumn('ServiceAccounts', (object) => subjects(object, 'ServiceAccount'), wide),
];

const policyBindingColumns: readonly Column[] = [
  nameColumn,
  textAt('PolicyName', 'spec.policyName'),
  textColumn('ParamRef', paramRefText),
  ageColumn,
];

const webhookColumns: readonly Column[] = [
  nameColumn,
  countAt('Webhooks', 'webhooks', integer),
  ageColumn,
];

/** The columns of built-in kinds that people look at, as kubectl shows them (printers/internalversion). */
const byKind: Readonly<Record<string, readonly Column[]>> = {
  CustomResourceDefinition: definitionColumns,
  ValidatingAdmissionPolicy: [
    nameColumn,
    countAt('Validations', 'spec.validations', integer),
    textColumn('ParamKind', paramKindText),
    ageColumn,
  ],
  MutatingAdmissionPolicy: [
    nameColumn,
    countAt('Mutations', 'spec.mutations', integer),
    textColumn('ParamKind', paramKindText),
    ageColumn,
  ],
  ValidatingAdmissionPolicyBinding: policyBindingColumns,
  MutatingAdmissionPolicyBinding: policyBindingColumns,
  ValidatingWebhookConfiguration: webhookColumns,
  MutatingWebhookConfiguration: webhookColumns,
  ConfigMap: [
    nameColumn,
    textColumn(
      'Data',
      (object) => count(member(object, 'data')) + count(member(object, 'binaryData')),
    ),
    ageColumn,
  ],
  Secret: [nameColumn, textAt('Type', 'type'), countAt('Data', 'data'), ageColumn],
  Namespace: [nameColumn, textAt('Status', 'status.phase'), ageColumn],
  ServiceAccount: [nameColumn, ageColumn],
  ClusterRole: [nameColumn, createdColumn],
  Role: [nameColumn, createdColumn],
  ClusterRoleBinding: bindingColumns,
  RoleBinding: bindingColumns,
  Deployment: [
    nameColumn,
    readyColumn,
    numberAt('Up-to-date', 'status.updatedReplicas'),
    numberAt('Available', 'status.availableReplicas'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  ReplicaSet: [nameColumn, ...replicaColumns, ageColumn, ...containerColumns, selectorColumn],
  ReplicationController: [
    nameColumn,
    ...replicaColumns,
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  StatefulSet: [nameColumn, readyColumn, ageColumn, ...containerColumns],
  DaemonSet: [
    nameColumn,
    numberAt('Desired', 'status.desiredNumberScheduled', integer),
    numberAt('Current', 'status.currentNumberScheduled', integer),
    numberAt('Ready', 'status.numberReady', integer),
    numberAt('Up-to-date', 'status.updatedNumberScheduled', integer),
    numberAt('Available', 'status.numberAvailable', integer),
    selectorAt('Node Selector', 'spec.template.spec.nodeSelector'),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  Job: jobColumns,
  CronJob: [
    nameColumn,
    textAt('Schedule', 'spec.schedule'),
    textAt('Timezone', 'spec.timeZone', { missing: '<none>' }),
    textColumn('Suspend', (object) => (at(spec(object), 'suspend') === true ? 'True' : 'False'), {
      type: 'boolean',
    }),
    countAt('Active', 'status.active', integer),
    textColumn('Last Schedule', (object, now) => {
      const last = at(status(object), 'lastScheduleTime');
      return last === undefined ? '<none>' : ageOf(last, now);
    }),
    ageColumn,
    ...containersAt('spec.jobTemplate.spec.template'),
    selectorAt('Selector', 'spec.jobTemplate.spec.selector', wide),
  ],
  Pod: podColumns,
  Service: [
    nameColumn,
    textAt('Type', 'spec.type'),
    textAt('Cluster-IP', 'spec.clusterIP', { missing: '<none>' }),
    textColumn('External-IP', (object) =>
      at(spec(object), 'type') === 'LoadBalancer'
        ? '<pending>'
        : text(at(spec(object), 'externalName'), '<none>'),
    ),
    textColumn('Port(s)', (object) => {
      const ports = at(spec(object), 'ports');
      if (!Array.isArray(ports) || ports.length === 0) return '<none>';
      return ports
        .map((port) => {
          const node = number(at(port, 'nodePort'));
          return `${text(at(port, 'port'))}${node === 0 ? '' : `:${node}`}/${text(at(port, 'protocol'))}`;
        })
        .join(',');
    }),
    ageColumn,
    selectorColumn,
  ],
  Lease: [nameColumn, textAt('Holder', 'spec.holderIdentity'), ageColumn],
  NetworkPolicy: [nameColumn, selectorAt('Pod-Selector', 'spec.podSelector'), ageColumn],
  PodDisruptionBudget: [
    nameColumn,
    textAt('Min Available', 'spec.minAvailable', { missing: 'N/A' }),
    textAt('Max Unavailable', 'spec.maxUnavailable', { missing: 'N/A' }),
    numberAt('Allowed Disruptions', 'status.disruptionsAllowed', integer),
    ageColumn,
  ],
  HorizontalPodAutoscaler: [
    nameColumn,
    textColumn('Reference', (object) => {
      const target = at(spec(object), 'scaleTargetRef');
      return `${text(at(target, 'kind'))}/${text(at(target, 'name'))}`;
    }),
    textColumn('Targets', targetsText),
    textAt('MinPods', 'spec.minReplicas', { missing: '<unset>' }),
    numberAt('MaxPods', 'spec.maxReplicas'),
    numberAt('Replicas', 'status.currentReplicas'),
    ageColumn,
  ],
  RuntimeClass: [nameColumn, textAt('Handler', 'handler'), ageColumn],
  ResourceQuota: [
    nameColumn,
    textColumn('Request', (object) => quotaText(object, false)),
    textColumn('Limit', (object) => quotaText(object, true)),
    ageColumn,
  ],
  Node: nodeColumns,
  Event: [
    textColumn('Last Seen', (object, now) => ageOf(member(object, 'lastTimestamp'), now)),
    textAt('Type', 'type'),
    textAt('Reason', 'reason'),
    textColumn('Object', (object) => {
      const target = member(object, 'involvedObject');
      return `${text(at(target, 'kind')).toLowerCase()}/${text(at(target, 'name'))}`;
    }),
    textAt('Subobject', 'involvedObject.fieldPath', wide),
    textAt('Source', 'source.component', wide),
    textColumn('Message', (object) => text(member(object, 'message')).trim()),
    textColumn('First Seen', (object, now) => ageOf(member(object, 'firstTimestamp'), now), wide),
    textColumn('Count', (object) => number(member(object, 'count') ?? 1), wide),
    { ...textColumn('Name', nameOf, wide), format: 'name' },
  ],
  PriorityClass: [
    nameColumn,
    numberAt('Value', 'value', integer),
    flagAt('Global-Default', 'globalDefault'),
    ageColumn,
    textAt('PreemptionPolicy', 'preemptionPolicy'),
  ],
};

/** The columns of a built-in kind; the name and the time of creation where nothing else is known. */
export function kindColumns(kind: string): readonly Column[] {
  return (
    byKind[kind] ?? storageColumns[kind] ?? networkColumns[kind] ?? [nameColumn, createdColumn]
  );
}
