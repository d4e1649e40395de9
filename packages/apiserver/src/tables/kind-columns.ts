import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { metadataOf, nameOf } from '../objects/metadata.ts';
import { ageOf } from './age.ts';
import { type Column, textColumn } from './columns.ts';

const nameColumn: Column = {
  ...textColumn('Name', nameOf),
  format: 'name',
};
const ageColumn: Column = textColumn('Age', (object, now) =>
  ageOf(metadataOf(object).creationTimestamp, now),
);
const createdColumn: Column = {
  ...textColumn('Created At', (object) => metadataOf(object).creationTimestamp ?? '<unknown>'),
  type: 'date',
};

const spec = (object: KubernetesObject): unknown => member(object, 'spec');
const status = (object: KubernetesObject): unknown => member(object, 'status');

function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((own, name) => member(own, name), value);
}

function count(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}

function text(value: unknown, missing = ''): string {
  return value === undefined || value === null ? missing : String(value);
}

function number(value: unknown): number {
  return Number(value ?? 0);
}

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
    .sort(([a], [b]) => (a < b ? -1 : 1))
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

function selectorText(selector: unknown): string {
  const labels = Object.entries((at(selector, 'matchLabels') ?? selector ?? {}) as object)
    .filter(([, value]) => typeof value === 'string')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${String(value)}`);
  return labels.length === 0 ? '<none>' : labels.join(',');
}

function containers(object: KubernetesObject, name: string): string {
  const list = at(spec(object), 'template', 'spec', 'containers');
  return Array.isArray(list) ? list.map((container) => text(at(container, name))).join(',') : '';
}

const integer = { type: 'integer' } as const;
const wide = { priority: 1 } as const;

const containerColumns: readonly Column[] = [
  textColumn('Containers', (object) => containers(object, 'name'), wide),
  textColumn('Images', (object) => containers(object, 'image'), wide),
];
const selectorColumn: Column = textColumn(
  'Selector',
  (object) => selectorText(at(spec(object), 'selector')),
  wide,
);

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
  ServiceAccount: [
    nameColumn,
    textColumn('Secrets', (object) => count(member(object, 'secrets'))),
    ageColumn,
  ],
  ClusterRole: [nameColumn, createdColumn],
  Role: [nameColumn, createdColumn],
  ClusterRoleBinding: bindingColumns,
  RoleBinding: bindingColumns,
  CustomResourceDefinition: [nameColumn, createdColumn],
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
  return byKind[kind] ?? [nameColumn, createdColumn];
}

/** The columns that every table of custom resources begins with. */
export { ageColumn, nameColumn };
