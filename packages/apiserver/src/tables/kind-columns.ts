import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { compareText } from '@kubeadmit/go';
import { metadataOf, nameOf } from '../objects/metadata.ts';
import { ageOf } from './age.ts';
import {
  ageColumn,
  at,
  containerColumns,
  count,
  createdColumn,
  integer,
  nameColumn,
  number,
  selectorColumn,
  selectorText,
  spec,
  status,
  text,
  wide,
} from './cells.ts';
import { type Column, textColumn } from './columns.ts';
import { definitionColumns } from './definition-columns.ts';
import { networkColumns } from './network-columns.ts';
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

function jobContainers(object: KubernetesObject, name: string): string {
  const path = ['jobTemplate', 'spec', 'template', 'spec', 'containers'];
  const list = at(spec(object), ...path);
  return Array.isArray(list) ? list.map((container) => text(at(container, name))).join(',') : '';
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

function addressOf(object: KubernetesObject, type: string): string {
  const addresses = at(status(object), 'addresses');
  const found = Array.isArray(addresses)
    ? addresses.find((address) => at(address, 'type') === type)
    : undefined;
  return text(at(found, 'address'), '<none>');
}

function nodeInfoColumn(name: string, field: string): Column {
  return textColumn(
    name,
    (object) => text(at(status(object), 'nodeInfo', field)) || '<unknown>',
    wide,
  );
}

const replicaColumns: readonly Column[] = [
  textColumn('Desired', (object) => number(at(spec(object), 'replicas')), integer),
  textColumn('Current', (object) => number(at(status(object), 'replicas')), integer),
  textColumn('Ready', (object) => number(at(status(object), 'readyReplicas')), integer),
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
  textColumn('PolicyName', (object) => text(at(spec(object), 'policyName'))),
  textColumn('ParamRef', paramRefText),
  ageColumn,
];

const webhookColumns: readonly Column[] = [
  nameColumn,
  textColumn('Webhooks', (object) => count(member(object, 'webhooks')), integer),
  ageColumn,
];

/** The columns of built-in kinds that people look at, as kubectl shows them (printers/internalversion). */
const byKind: Readonly<Record<string, readonly Column[]>> = {
  CustomResourceDefinition: definitionColumns,
  ValidatingAdmissionPolicy: [
    nameColumn,
    textColumn('Validations', (object) => count(at(spec(object), 'validations')), integer),
    textColumn('ParamKind', paramKindText),
    ageColumn,
  ],
  MutatingAdmissionPolicy: [
    nameColumn,
    textColumn('Mutations', (object) => count(at(spec(object), 'mutations')), integer),
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
  Secret: [
    nameColumn,
    textColumn('Type', (object) => text(member(object, 'type'))),
    textColumn('Data', (object) => count(member(object, 'data'))),
    ageColumn,
  ],
  Namespace: [
    nameColumn,
    textColumn('Status', (object) => text(at(status(object), 'phase'))),
    ageColumn,
  ],
  ServiceAccount: [nameColumn, ageColumn],
  ClusterRole: [nameColumn, createdColumn],
  Role: [nameColumn, createdColumn],
  ClusterRoleBinding: bindingColumns,
  RoleBinding: bindingColumns,
  Deployment: [
    nameColumn,
    textColumn(
      'Ready',
      (object) =>
        `${number(at(status(object), 'readyReplicas'))}/${number(at(spec(object), 'replicas'))}`,
    ),
    textColumn('Up-to-date', (object) => number(at(status(object), 'updatedReplicas'))),
    textColumn('Available', (object) => number(at(status(object), 'availableReplicas'))),
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
  StatefulSet: [
    nameColumn,
    textColumn(
      'Ready',
      (object) =>
        `${number(at(status(object), 'readyReplicas'))}/${number(at(spec(object), 'replicas'))}`,
    ),
    ageColumn,
    ...containerColumns,
  ],
  DaemonSet: [
    nameColumn,
    textColumn(
      'Desired',
      (object) => number(at(status(object), 'desiredNumberScheduled')),
      integer,
    ),
    textColumn(
      'Current',
      (object) => number(at(status(object), 'currentNumberScheduled')),
      integer,
    ),
    textColumn('Ready', (object) => number(at(status(object), 'numberReady')), integer),
    textColumn(
      'Up-to-date',
      (object) => number(at(status(object), 'updatedNumberScheduled')),
      integer,
    ),
    textColumn('Available', (object) => number(at(status(object), 'numberAvailable')), integer),
    textColumn('Node Selector', (object) =>
      selectorText(at(spec(object), 'template', 'spec', 'nodeSelector')),
    ),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  Job: [
    nameColumn,
    textColumn('Status', () => 'Running'),
    textColumn(
      'Completions',
      (object) =>
        `${number(at(status(object), 'succeeded'))}/${number(at(spec(object), 'completions') ?? 1)}`,
    ),
    textColumn('Duration', () => ''),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  CronJob: [
    nameColumn,
    textColumn('Schedule', (object) => text(at(spec(object), 'schedule'))),
    textColumn('Timezone', (object) => text(at(spec(object), 'timeZone'), '<none>')),
    textColumn('Suspend', (object) => (at(spec(object), 'suspend') === true ? 'True' : 'False'), {
      type: 'boolean',
    }),
    textColumn('Active', (object) => count(at(status(object), 'active')), integer),
    textColumn('Last Schedule', (object, now) => {
      const last = at(status(object), 'lastScheduleTime');
      return last === undefined ? '<none>' : ageOf(last, now);
    }),
    ageColumn,
    textColumn('Containers', (object) => jobContainers(object, 'name'), wide),
    textColumn('Images', (object) => jobContainers(object, 'image'), wide),
    textColumn(
      'Selector',
      (object) => selectorText(at(spec(object), 'jobTemplate', 'spec', 'selector')),
      wide,
    ),
  ],
  Pod: [
    nameColumn,
    textColumn('Ready', (object) => `0/${count(at(spec(object), 'containers'))}`),
    textColumn('Status', (object) =>
      metadataOf(object).deletionTimestamp
        ? 'Terminating'
        : text(at(status(object), 'reason') ?? at(status(object), 'phase')),
    ),
    textColumn('Restarts', () => '0'),
    ageColumn,
    textColumn('IP', (object) => text(at(status(object), 'podIP'), '<none>'), wide),
    textColumn('Node', (object) => text(at(spec(object), 'nodeName'), '<none>'), wide),
    textColumn(
      'Nominated Node',
      (object) => text(at(status(object), 'nominatedNodeName'), '<none>'),
      wide,
    ),
    textColumn('Readiness Gates', () => '<none>', wide),
  ],
  Service: [
    nameColumn,
    textColumn('Type', (object) => text(at(spec(object), 'type'))),
    textColumn('Cluster-IP', (object) => text(at(spec(object), 'clusterIP'), '<none>')),
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
  Lease: [
    nameColumn,
    textColumn('Holder', (object) => text(at(spec(object), 'holderIdentity'))),
    ageColumn,
  ],
  NetworkPolicy: [
    nameColumn,
    textColumn('Pod-Selector', (object) => selectorText(at(spec(object), 'podSelector'))),
    ageColumn,
  ],
  PodDisruptionBudget: [
    nameColumn,
    textColumn('Min Available', (object) => text(at(spec(object), 'minAvailable'), 'N/A')),
    textColumn('Max Unavailable', (object) => text(at(spec(object), 'maxUnavailable'), 'N/A')),
    textColumn(
      'Allowed Disruptions',
      (object) => number(at(status(object), 'disruptionsAllowed')),
      integer,
    ),
    ageColumn,
  ],
  HorizontalPodAutoscaler: [
    nameColumn,
    textColumn('Reference', (object) => {
      const target = at(spec(object), 'scaleTargetRef');
      return `${text(at(target, 'kind'))}/${text(at(target, 'name'))}`;
    }),
    textColumn('Targets', targetsText),
    textColumn('MinPods', (object) => text(at(spec(object), 'minReplicas'), '<unset>')),
    textColumn('MaxPods', (object) => number(at(spec(object), 'maxReplicas'))),
    textColumn('Replicas', (object) => number(at(status(object), 'currentReplicas'))),
    ageColumn,
  ],
  RuntimeClass: [
    nameColumn,
    textColumn('Handler', (object) => text(member(object, 'handler'))),
    ageColumn,
  ],
  ResourceQuota: [
    nameColumn,
    textColumn('Request', (object) => quotaText(object, false)),
    textColumn('Limit', (object) => quotaText(object, true)),
    ageColumn,
  ],
  Node: [
    nameColumn,
    textColumn('Status', () => 'Unknown'),
    textColumn('Roles', () => '<none>'),
    ageColumn,
    textColumn('Version', (object) => text(at(status(object), 'nodeInfo', 'kubeletVersion'))),
    textColumn('Internal-IP', (object) => addressOf(object, 'InternalIP'), wide),
    textColumn('External-IP', (object) => addressOf(object, 'ExternalIP'), wide),
    nodeInfoColumn('OS-Image', 'osImage'),
    nodeInfoColumn('Kernel-Version', 'kernelVersion'),
    nodeInfoColumn('Container-Runtime', 'containerRuntimeVersion'),
  ],
  Event: [
    textColumn('Last Seen', (object, now) => ageOf(member(object, 'lastTimestamp'), now)),
    textColumn('Type', (object) => text(member(object, 'type'))),
    textColumn('Reason', (object) => text(member(object, 'reason'))),
    textColumn('Object', (object) => {
      const target = member(object, 'involvedObject');
      return `${text(at(target, 'kind')).toLowerCase()}/${text(at(target, 'name'))}`;
    }),
    textColumn('Subobject', (object) => text(at(object, 'involvedObject', 'fieldPath')), wide),
    textColumn('Source', (object) => text(at(object, 'source', 'component')), wide),
    textColumn('Message', (object) => text(member(object, 'message')).trim()),
    textColumn('First Seen', (object, now) => ageOf(member(object, 'firstTimestamp'), now), wide),
    textColumn('Count', (object) => number(member(object, 'count') ?? 1), wide),
    { ...textColumn('Name', nameOf, wide), format: 'name' },
  ],
  PriorityClass: [
    nameColumn,
    textColumn('Value', (object) => number(member(object, 'value')), integer),
    textColumn('Global-Default', (object) => member(object, 'globalDefault') === true, {
      type: 'boolean',
    }),
    ageColumn,
    textColumn('PreemptionPolicy', (object) => text(member(object, 'preemptionPolicy'))),
  ],
};

/** The columns of a built-in kind; the name and the time of creation where nothing else is known. */
export function kindColumns(kind: string): readonly Column[] {
  return (
    byKind[kind] ?? storageColumns[kind] ?? networkColumns[kind] ?? [nameColumn, createdColumn]
  );
}
