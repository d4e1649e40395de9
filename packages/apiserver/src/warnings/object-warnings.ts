import { readResources } from '@kubeadmit/admission/pod-resources';
import { annotatedProfile, metadataOf, nameOf } from '@kubeadmit/admission/writes';
import {
  isObject,
  type KubernetesObject,
  member,
  memberObject,
  memberObjects,
  memberText,
} from '@kubeadmit/apimachinery';
import { dns1123LabelProblems } from '@kubeadmit/apimachinery/names';
import { compareQuantities, formatQuantity } from '@kubeadmit/apimachinery/quantity';
import { quote } from '@kubeadmit/go';
import { claimSpecWarnings, claimWarnings } from './claim-warnings.ts';
import { appArmorWarning, placedContainers } from './container-warnings.ts';
import { labelMessage } from './node-labels.ts';
import { persistentVolumeWarnings } from './persistent-volume-warnings.ts';
import { podWarnings } from './pod-warnings.ts';
import { serviceWarnings } from './service-warnings.ts';
import { warningsOfVersion } from './warning-versions.data.ts';

interface ResourceWarnings {
  /** Warnings about a new object, after it was validated (`WarningsOnCreate`). */
  readonly onCreate: (object: KubernetesObject) => readonly string[];
  /** Warnings about a changed object (`WarningsOnUpdate`); absent if there are none. */
  readonly onUpdate?: (object: KubernetesObject, old: KubernetesObject) => readonly string[];
}

/** Warnings that depend on the new object alone. */
function always(warn: (object: KubernetesObject) => readonly string[]): ResourceWarnings {
  return { onCreate: warn, onUpdate: warn };
}

/** Warnings about a pod template; an update that does not change the specification has none. */
function ofTemplate(
  path: readonly string[],
  more: (object: KubernetesObject) => readonly string[] = () => [],
): ResourceWarnings {
  const warn = (object: KubernetesObject): readonly string[] => {
    const template = path.reduce<unknown>(member, object);
    return isObject(template) ? podWarnings(template, `${path.join('.')}.`) : [];
  };
  return {
    onCreate: (object) => [...more(object), ...warn(object)],
    onUpdate: (object, old) => (isSameGeneration(object, old) ? [] : warn(object)),
  };
}

function isSameGeneration(object: KubernetesObject, old: KubernetesObject): boolean {
  return metadataOf(object).generation === metadataOf(old).generation;
}

/** A warning about a name that is too long or has dots, since host names are made of it. */
function nameWarning(use: string): (object: KubernetesObject) => readonly string[] {
  return (object) => {
    const problems = dns1123LabelProblems(nameOf(object));
    if (problems.length === 0) return [];
    return [
      `metadata.name: this is used in ${use}, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
    ];
  };
}

const inPodNames = nameWarning('Pod names and hostnames');
const inHostName = nameWarning("the Pod's hostname");
const specTemplate = ['spec', 'template'];

const byResource: Readonly<Record<string, ResourceWarnings>> = {
  '/pods': { onCreate: (pod) => [...inHostName(pod), ...podWarnings(pod)] },
  '/podtemplates': ofTemplate(['template']),
  '/replicationcontrollers': controllerWarnings(),
  'apps/deployments': ofTemplate(specTemplate, inPodNames),
  'apps/replicasets': ofTemplate(specTemplate, inPodNames),
  'apps/daemonsets': ofTemplate(specTemplate),
  'apps/statefulsets': statefulSetWarnings(),
  'batch/jobs': ofTemplate(specTemplate, (job) => [
    ...inPodNames(job),
    ...indexedJobWarning(member(job, 'spec'), 'spec'),
  ]),
  'batch/cronjobs': ofTemplate(['spec', 'jobTemplate', 'spec', 'template'], (cronJob) => {
    const spec = member(member(member(cronJob, 'spec'), 'jobTemplate'), 'spec');
    return [...inPodNames(cronJob), ...indexedJobWarning(spec, 'spec.jobTemplate.spec')];
  }),
  '/persistentvolumeclaims': always(claimWarnings),
  '/persistentvolumes': always(persistentVolumeWarnings),
  '/services': always(serviceWarnings),
  '/nodes': always(nodeWarnings),
  '/resourcequotas': { onCreate: quotaWarnings },
  'networking.k8s.io/ingresses': { onCreate: ingressWarnings },
  'node.k8s.io/runtimeclasses': always(runtimeClassWarnings),
};

/** The group and the plural of a resource. */
interface ResourceName {
  readonly group: string;
  readonly name: string;
}

/**
 * Returns the warnings of a minor version about a new object that the strategy of its resource prepared, in the order of
 * kube-apiserver.
 */
export function creationWarnings(
  resource: ResourceName,
  object: KubernetesObject,
  minor: number,
): readonly string[] {
  return warningsOfVersion(warningsOf(resource)?.onCreate(object) ?? [], minor);
}

/** Returns the warnings of a minor version about a changed object. */
export function changeWarnings(
  resource: ResourceName,
  { object, old }: { readonly object: KubernetesObject; readonly old: KubernetesObject },
  minor: number,
): readonly string[] {
  return warningsOfVersion(warningsOf(resource)?.onUpdate?.(object, old) ?? [], minor);
}

function warningsOf({ group, name }: ResourceName): ResourceWarnings | undefined {
  const key = `${group}/${name}`;
  return Object.hasOwn(byResource, key) ? byResource[key] : undefined;
}

/** Returns the warnings about a new pod that belong to its preparation, before it is validated. */
export function preparationWarnings(
  { group, name }: ResourceName,
  object: KubernetesObject,
): readonly string[] {
  if (group !== '' || name !== 'pods') return [];
  return placedContainers(member(object, 'spec'), 'spec').flatMap(({ container }) => {
    const annotated = annotatedProfile(object, container);
    return annotated?.isDeprecated === true ? [appArmorWarning(annotated.key)] : [];
  });
}

/** An update of a ReplicationController is warned about the old template, since the server swaps the two. */
function controllerWarnings(): ResourceWarnings {
  const { onCreate, onUpdate } = ofTemplate(specTemplate, inPodNames);
  return { onCreate, onUpdate: (object, old) => onUpdate?.(old, object) ?? [] };
}

function statefulSetWarnings(): ResourceWarnings {
  const template = ofTemplate(specTemplate);
  const claims = (set: KubernetesObject, spec: string): readonly string[] =>
    memberObjects(member(set, 'spec'), 'volumeClaimTemplates').flatMap((claim, at) =>
      claimSpecWarnings(member(claim, 'spec'), `spec.volumeClaimTemplates[${at}]${spec}`),
    );
  const history = (set: KubernetesObject): readonly string[] =>
    Number(memberObject(set, 'spec')['revisionHistoryLimit'] ?? 0) < 0
      ? [
          'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended',
        ]
      : [];
  return {
    onCreate: (set) => [...template.onCreate(set), ...claims(set, ''), ...history(set)],
    onUpdate: (set, old) => [
      ...(template.onUpdate?.(set, old) ?? []),
      ...claims(set, '.Spec'),
      ...history(set),
    ],
  };
}

function indexedJobWarning(spec: unknown, path: string): readonly string[] {
  const isIndexed = memberText(spec, 'completionMode') === 'Indexed';
  const count = (name: string): number => Number(member(spec, name) ?? 0);
  if (!isIndexed || count('completions') <= 100_000 || count('parallelism') <= 10_000) return [];
  return [
    `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
  ];
}

function nodeWarnings(node: KubernetesObject): readonly string[] {
  const spec = memberObject(node, 'spec');
  return [
    ...((spec['configSource'] ?? undefined) === undefined
      ? []
      : ['spec.configSource: the feature is removed']),
    ...(memberText(spec, 'externalID') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
  ];
}

function quotaWarnings(quota: KubernetesObject): readonly string[] {
  const hard = readResources(member(member(quota, 'spec'), 'hard'));
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((name) => {
    const isBare = !hard.has(`requests.${name}`) && (name === 'cpu' || name === 'memory');
    const requestName = isBare ? name : `requests.${name}`;
    const [request, limit] = [hard.get(requestName), hard.get(`limits.${name}`)];
    if (request === undefined || limit === undefined) return [];
    if (compareQuantities(request, limit) <= 0) return [];
    return [
      `ResourceQuota ${requestName} (${formatQuantity(request)}) should be less than limits.${name} (${formatQuantity(limit)})`,
    ];
  });
}

function ingressWarnings(ingress: KubernetesObject): readonly string[] {
  const annotation = 'kubernetes.io/ingress.class';
  const isSet = Object.hasOwn(metadataOf(ingress).annotations ?? {}, annotation);
  const named = memberObject(ingress, 'spec')['ingressClassName'] ?? undefined;
  if (!isSet || named !== undefined) return [];
  return [
    `annotation ${quote(annotation)} is deprecated, please use 'spec.ingressClassName' instead`,
  ];
}

function runtimeClassWarnings(runtimeClass: KubernetesObject): readonly string[] {
  const selector = memberObject(member(runtimeClass, 'scheduling'), 'nodeSelector');
  return Object.keys(selector).flatMap((key) => {
    const message = labelMessage(key);
    return message === undefined ? [] : [`scheduling.nodeSelector: ${message}`];
  });
}
