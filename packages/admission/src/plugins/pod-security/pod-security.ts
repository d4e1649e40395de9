import {
  formatFieldError,
  type KubernetesObject,
  type Labels,
  labelsOf,
  member,
  memberObjects,
  memberText,
} from '@kubeadmit/apimachinery';
import { formatAggregate, invalid } from '@kubeadmit/apimachinery/field-errors';
import { internalErrorStatus, invalidStatus } from '@kubeadmit/apimachinery/status';
import { quote } from '@kubeadmit/go';
import {
  formatStandard,
  isSameStandard,
  isStricter,
  type Standard,
} from '@kubeadmit/pod-security/standards';
import { podOfObject } from '@kubeadmit/pod-security/unstable-internal';
import { metadataOf } from '../../write/metadata.ts';
import type { AdmissionPlugin, PluginCluster, PluginOutcome, PluginRequest } from '../plugin.ts';
import { refuse } from '../refusal.ts';
import {
  defaultConfiguration,
  type PodSecurityConfiguration,
  readConfiguration,
} from './configuration.ts';
import { answerPod } from './evaluate-pod.ts';
import { existingPodWarnings } from './existing-pods.ts';
import { countError, countEvaluation, countExemption } from './metrics.ts';
import {
  isEquivalent,
  isFullyPrivileged,
  type LabelProblem,
  labelPrefix,
  modes,
  type NamespacePolicy,
  policyOfLabels,
} from './namespace-policy.ts';

/** Applies the Pod Security Standards to pods, workloads and the labels of namespaces. */
export const podSecurity: AdmissionPlugin = pluginWith(defaultConfiguration);

function pluginWith(configuration: PodSecurityConfiguration): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    operations: ['CREATE', 'UPDATE'],
    reads: ['namespaces', 'pods'],
    validate: (request, cluster) => validate(request, cluster, configuration),
    configure: (object) => pluginWith(readConfiguration(object)),
  };
}

/** The resources whose pod templates are checked, by group and plural. */
const workloads: ReadonlySet<string> = new Set([
  '/replicationcontrollers',
  '/podtemplates',
  'apps/replicasets',
  'apps/deployments',
  'apps/statefulsets',
  'apps/daemonsets',
  'batch/jobs',
  'batch/cronjobs',
]);

/** The subresources of pods that do not change the running containers. */
const ignoredSubresources: ReadonlySet<string> = new Set([
  ...['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status'],
]);

function validate(
  request: PluginRequest,
  cluster: PluginCluster,
  configuration: PodSecurityConfiguration,
): PluginOutcome | undefined {
  const { resource, subresource, object } = request;
  if (object === null) return undefined;
  const place = `${resource.group}/${resource.resource}`;
  if (place === '/namespaces') {
    if (subresource !== '') return undefined;
    return validateNamespace(request, object, cluster, configuration);
  }
  const isPod = place === '/pods';
  if (isPod ? ignoredSubresources.has(subresource) : subresource !== '' || !workloads.has(place)) {
    return undefined;
  }
  return validatePod(request, object, cluster, { configuration, isPod });
}

function validatePod(
  request: PluginRequest,
  object: KubernetesObject,
  cluster: PluginCluster,
  {
    configuration: { defaults, exemptions },
    isPod,
  }: { readonly configuration: PodSecurityConfiguration; readonly isPod: boolean },
): PluginOutcome | undefined {
  if (exemptions.namespaces.has(request.namespace)) return exempt(request, 'namespace');
  if (exemptions.usernames.has(request.user.username ?? '')) return exempt(request, 'user');
  const namespace = cluster.get('namespaces', '', request.namespace);
  if (namespace === undefined) return unknownNamespace(request, isPod);
  const { policy, problems } = policyOfLabels(labelsOf(namespace), defaults);
  if (problems.length === 0 && isIrrelevant(policy, isPod)) {
    return isPod ? privileged(request, policy.enforce, cluster.minor) : undefined;
  }
  if (isPod && !isSignificant(request, object)) return undefined;
  const pod = podOfObject({ ...object, kind: request.kind.kind });
  if (pod === undefined) return undefined;
  if (exemptions.runtimeClasses.has(pod.spec.runtimeClassName ?? ''))
    return exempt(request, 'runtimeClass');
  const labelProblems = formatAggregate(fieldErrors(problems).map(formatFieldError));
  const answer = answerPod(request, { pod, policy, labelProblems, isEnforced: isPod }, cluster);
  return { ...answer, causes: [namespace] };
}

/** Whether no mode of a policy can find anything; `enforce` does not apply to workloads. */
function isIrrelevant(policy: NamespacePolicy, isPod: boolean): boolean {
  if (isPod) return isFullyPrivileged(policy);
  return policy.warn.level === 'privileged' && policy.audit.level === 'privileged';
}

function exempt(request: PluginRequest, reason: string): PluginOutcome {
  return { ...annotated('exempt', reason), counts: [countExemption(request)] };
}

function privileged(request: PluginRequest, standard: Standard, minor: number): PluginOutcome {
  return {
    ...annotated('enforce-policy', 'privileged:latest'),
    counts: [countEvaluation(request, { standard, mode: 'enforce', decision: 'allow', minor })],
  };
}

function annotated(key: string, text: string): PluginOutcome {
  return { auditAnnotations: { [`${labelPrefix}${key}`]: text } };
}

function unknownNamespace(request: PluginRequest, isPod: boolean): PluginOutcome {
  const name = quote(request.namespace);
  const text = `failed to lookup namespace ${name}`;
  const answer = isPod
    ? refuse(internalErrorStatus(text))
    : annotated('error', `${text}: namespace ${name} not found`);
  return { ...answer, counts: [countError(request, { isFatal: true })] };
}

/** Whether an update of a pod adds or removes containers or changes an image (`isSignificantPodUpdate`). */
function isSignificant({ operation, oldObject }: PluginRequest, pod: KubernetesObject): boolean {
  if (operation !== 'UPDATE') return true;
  const [spec, before] = [member(pod, 'spec'), member(oldObject, 'spec')];
  const isChanged = (['containers', 'initContainers'] as const).some((list) => {
    const [now, old] = [memberObjects(spec, list), memberObjects(before, list)];
    return (
      now.length !== old.length ||
      now.some((container, at) => memberText(container, 'image') !== memberText(old[at], 'image'))
    );
  });
  const old = memberObjects(before, 'ephemeralContainers');
  return (
    isChanged ||
    memberObjects(spec, 'ephemeralContainers').some((container) => {
      const name = memberText(container, 'name');
      const known = old.find((each) => memberText(each, 'name') === name);
      return memberText(known, 'image') !== memberText(container, 'image') || known === undefined;
    })
  );
}

function validateNamespace(
  request: PluginRequest,
  object: KubernetesObject,
  cluster: PluginCluster,
  { defaults, exemptions }: PodSecurityConfiguration,
): PluginOutcome | undefined {
  const name = metadataOf(object).name ?? '';
  const labels = labelsOf(object);
  const { policy, problems } = policyOfLabels(labels, defaults);
  const isExempt = exemptions.namespaces.has(name);
  if (request.operation === 'CREATE') {
    if (problems.length > 0) return invalidLabels(request, problems);
    return isExempt ? exemptWarning(name, labels, policy, defaults) : undefined;
  }
  const old = policyOfLabels(labelsOf(request.oldObject ?? {}), defaults);
  if (problems.length > 0 && JSON.stringify(problems) !== JSON.stringify(old.problems)) {
    return invalidLabels(request, problems);
  }
  const { enforce } = policy;
  const before = old.policy.enforce;
  const isRelaxed = enforce.version === before.version && !isStricter(enforce.level, before.level);
  if (isSameStandard(enforce, before) || enforce.level === 'privileged' || isRelaxed) {
    return undefined;
  }
  if (isExempt) return exemptWarning(name, labels, policy, defaults);
  const warnings = existingPodWarnings(name, enforce, cluster, exemptions.runtimeClasses);
  return warnings.length === 0 ? undefined : { warnings };
}

function fieldErrors(problems: readonly LabelProblem[]) {
  return problems.map(({ label, value, problem }) =>
    invalid(`metadata.labels[${label}]`, value, problem),
  );
}

function invalidLabels(
  { kind, name }: PluginRequest,
  problems: readonly LabelProblem[],
): PluginOutcome {
  return refuse(invalidStatus({ group: kind.group, name: kind.kind }, name, fieldErrors(problems)));
}

/** Warns about a policy in the labels of an exempt namespace (`exemptNamespaceWarning`). */
function exemptWarning(
  namespace: string,
  labels: Labels,
  policy: NamespacePolicy,
  defaults: NamespacePolicy,
): PluginOutcome | undefined {
  if (isFullyPrivileged(policy) || isEquivalent(policy, defaults)) return undefined;
  const isSet = (mode: string): boolean =>
    Object.hasOwn(labels, `${labelPrefix}${mode}`) ||
    Object.hasOwn(labels, `${labelPrefix}${mode}-version`);
  const shown = modes
    .filter((mode) => policy[mode].level !== 'privileged' && isSet(mode))
    .map((mode) => `${mode}=${formatStandard(policy[mode])}`);
  return {
    warnings: [
      `namespace ${quote(namespace)} is exempt from Pod Security, and the policy (${shown.join(', ')}) will be ignored`,
    ],
  };
}
