/** Resources that a cluster, its nodes or the webhook itself need to work or to be repaired. */
export interface Lifeline {
  readonly group: string;
  /** A plural with all its subresources, one subresource, or `*` for the whole group. */
  readonly resource: string;
  /** The function that stops working when requests about them are refused. */
  readonly reason: string;
}

/**
 * Resources that kube-apiserver does not send to the webhook unless `--include-control-plane` names them.
 *
 * An unreachable webhook must not keep a cluster from running or from being repaired.
 */
export const lifelines: readonly Lifeline[] = [
  { group: '', resource: 'nodes', reason: 'kubelets register and report their nodes' },
  { group: '', resource: 'pods/status', reason: 'kubelets report the state of pods' },
  { group: '', resource: 'events', reason: 'every component reports what happens' },
  { group: '', resource: 'endpoints', reason: 'services route to ready pods' },
  { group: '', resource: 'namespaces/finalize', reason: 'namespaces end' },
  { group: '', resource: 'serviceaccounts/token', reason: 'pods get tokens' },
  { group: '', resource: 'componentstatuses', reason: 'tools look at the control plane' },
  {
    group: 'admissionregistration.k8s.io',
    resource: '*',
    reason: 'webhook configurations and policies can be repaired',
  },
  {
    group: 'apiextensions.k8s.io',
    resource: '*',
    reason: 'definitions can be installed and repaired',
  },
  {
    group: 'apiregistration.k8s.io',
    resource: '*',
    reason: 'kube-apiserver registers the groups that it serves',
  },
  { group: 'authentication.k8s.io', resource: '*', reason: 'tokens are checked' },
  { group: 'authorization.k8s.io', resource: '*', reason: 'permissions are checked' },
  {
    group: 'certificates.k8s.io',
    resource: '*',
    reason: 'nodes and components get certificates',
  },
  {
    group: 'coordination.k8s.io',
    resource: '*',
    reason: 'nodes send heartbeats and components elect leaders',
  },
  { group: 'discovery.k8s.io', resource: '*', reason: 'services route to ready pods' },
  { group: 'events.k8s.io', resource: '*', reason: 'every component reports what happens' },
  {
    group: 'flowcontrol.apiserver.k8s.io',
    resource: '*',
    reason: 'kube-apiserver makes its own flow schemas and priority levels',
  },
  {
    group: 'internal.apiserver.k8s.io',
    resource: '*',
    reason: 'kube-apiserver records the versions that it stores',
  },
  {
    group: 'networking.k8s.io',
    resource: 'ipaddresses',
    reason: 'kube-apiserver allocates and repairs cluster IPs at its start',
  },
  {
    group: 'networking.k8s.io',
    resource: 'servicecidrs',
    reason: 'kube-apiserver makes the range of cluster IPs at its start',
  },
  { group: 'resource.k8s.io', resource: 'resourceslices', reason: 'nodes report their devices' },
  {
    group: 'scheduling.k8s.io',
    resource: 'priorityclasses',
    reason: 'kube-apiserver makes its own priority classes at its start',
  },
  { group: 'storage.k8s.io', resource: 'csinodes', reason: 'kubelets report storage drivers' },
  {
    group: 'storage.k8s.io',
    resource: 'volumeattachments',
    reason: 'volumes follow pods to other nodes',
  },
];

/** A resource as options and people name it: `nodes`, `leases.coordination.k8s.io`, `serviceaccounts/token`. */
export function lifelineName({ group, resource }: Lifeline): string {
  if (resource === '*') return `*.${group}`;
  return group === '' ? resource : `${resource}.${group}`;
}

/** The lifelines that stay exempt when some are included, by their names or by names of resources in them. */
export function exemptLifelines(included: readonly string[]): readonly Lifeline[] {
  return lifelines.filter((lifeline) => !included.some((name) => isNamed(lifeline, name)));
}

/** Whether a name given to `--include-control-plane` is that of a lifeline. */
export function isLifelineName(name: string): boolean {
  return lifelines.some((lifeline) => isNamed(lifeline, name));
}

function isNamed(lifeline: Lifeline, name: string): boolean {
  if (name === lifelineName(lifeline) || name === lifeline.resource) return true;
  // If a complete group is exempt, naming one of its resources includes the group.
  return lifeline.resource === '*' && name.endsWith(`.${lifeline.group}`);
}

/**
 * Returns the match condition under which kube-apiserver calls the webhook: the request is for none of the
 * lifelines.
 */
export function lifelineExpression(exempt: readonly Lifeline[]): string {
  const groups = exempt.filter(({ resource }) => resource === '*').map(({ group }) => group);
  const rest = exempt.filter(({ resource }) => resource !== '*');
  const plain = rest.filter(({ resource }) => !resource.includes('/'));
  const below = rest.filter(({ resource }) => resource.includes('/'));
  const path = ({ group, resource }: Lifeline): string => `${group}/${resource}`;
  const list = (values: readonly string[]): string =>
    `[${values.map((value) => `'${value}'`).join(', ')}]`;
  return [
    ...(groups.length === 0 ? [] : [`!(request.resource.group in ${list(groups)})`]),
    ...(plain.length === 0
      ? []
      : [
          `!(request.resource.group + '/' + request.resource.resource in ${list(plain.map(path))})`,
        ]),
    ...(below.length === 0
      ? []
      : [
          `!(has(request.subResource) && request.resource.group + '/' + request.resource.resource + '/' + request.subResource in ${list(below.map(path))})`,
        ]),
  ].join(' && ');
}
