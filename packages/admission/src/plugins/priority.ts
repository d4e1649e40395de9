import { type KubernetesObject, member, memberText, metadataString } from '@kubeadmit/apimachinery';
import type { AdmissionPlugin, PluginCluster, PluginOutcome, PluginRequest } from './plugin.ts';
import { forbid, isAbout } from './refusal.ts';
import { withSpec } from './with-spec.ts';

const classes = 'priorityclasses.scheduling.k8s.io';

/** Sets the priority of pods from their PriorityClass, and admits one default PriorityClass. */
export const priority: AdmissionPlugin = {
  name: 'Priority',
  operations: ['CREATE', 'UPDATE', 'DELETE'],
  reads: [classes],
  mutate: (request, cluster) => {
    const { operation, object, oldObject } = request;
    if (object === null || !isAbout(request, 'pods')) return undefined;
    if (operation === 'CREATE') return withPriority(request, object, cluster);
    return oldObject === null ? undefined : keepPriority(object, oldObject);
  },
  validate: (request, cluster) => {
    const { operation, object } = request;
    if (object === null || !isAbout(request, 'priorityclasses', 'scheduling.k8s.io'))
      return undefined;
    if (member(object, 'globalDefault') !== true) return undefined;
    const other = defaultPriorityClass(cluster);
    if (other === undefined) return undefined;
    const name = metadataString(other, 'name');
    if (operation === 'UPDATE' && name === metadataString(object, 'name')) return undefined;
    const text = `PriorityClass ${name} is already marked as default. Only one default can exist`;
    return { ...forbid(request, text), causes: [other] };
  },
};

/** The priority of a pod stays the same when an update leaves it out. */
function keepPriority(pod: KubernetesObject, old: KubernetesObject): PluginOutcome | undefined {
  const [spec, before] = [member(pod, 'spec'), member(old, 'spec')];
  const kept = ['priority', 'preemptionPolicy'].filter(
    (field) => isNothing(member(spec, field)) && !isNothing(member(before, field)),
  );
  if (kept.length === 0) return undefined;
  const changes = Object.fromEntries(kept.map((field) => [field, member(before, field)]));
  return { object: withSpec(pod, changes) };
}

interface EstablishedPriority {
  readonly name: string;
  readonly value: number;
  readonly policy: unknown;
  readonly cause?: KubernetesObject;
}

function withPriority(
  request: PluginRequest,
  pod: KubernetesObject,
  cluster: PluginCluster,
): PluginOutcome {
  const spec = member(pod, 'spec');
  const wanted = memberText(spec, 'priorityClassName');
  const established = establish(wanted, cluster);
  if (established === undefined)
    return forbid(request, `no PriorityClass with name ${wanted} was found`);
  const { name, value, policy, cause } = established;
  const causes = cause === undefined ? [] : [cause];
  const given = member(spec, 'priority');
  if (!isNothing(given) && Number(given) !== value) {
    const text = `the integer value of priority (${String(given)}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`;
    return { ...forbid(request, text), causes };
  }
  const givenPolicy = member(spec, 'preemptionPolicy');
  if (!isNothing(policy) && !isNothing(givenPolicy) && givenPolicy !== policy) {
    const text = `the string value of PreemptionPolicy (${String(givenPolicy)}) must not be provided in pod spec; priority admission controller computed ${String(policy)} from the given PriorityClass name`;
    return { ...forbid(request, text), causes };
  }
  const object = withSpec(pod, {
    ...(name === '' ? {} : { priorityClassName: name }),
    priority: value,
    ...(isNothing(policy) ? {} : { preemptionPolicy: policy }),
  });
  return { object, causes };
}

/** The priority by the name of a class, or that of the default class; undefined for an unknown name. */
function establish(name: string, cluster: PluginCluster): EstablishedPriority | undefined {
  const found = name === '' ? defaultPriorityClass(cluster) : cluster.get(classes, '', name);
  if (found === undefined)
    return name === '' ? { name: '', value: 0, policy: 'PreemptLowerPriority' } : undefined;
  return {
    name: metadataString(found, 'name'),
    value: valueOf(found),
    policy: member(found, 'preemptionPolicy'),
    cause: found,
  };
}

/** The default class; of several, the one with the lowest value. */
function defaultPriorityClass(cluster: PluginCluster): KubernetesObject | undefined {
  return cluster
    .list(classes)
    .filter((each) => member(each, 'globalDefault') === true)
    .sort((a, b) => valueOf(a) - valueOf(b))[0];
}

function valueOf(priorityClass: KubernetesObject): number {
  return Number(member(priorityClass, 'value') ?? 0);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
