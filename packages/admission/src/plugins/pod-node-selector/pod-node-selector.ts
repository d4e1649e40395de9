import {
  annotationsOf,
  formatFieldError,
  type KubernetesObject,
  member,
  metadataString,
  stringMapOf,
} from '@kubeadmit/apimachinery';
import { invalid } from '@kubeadmit/apimachinery/field-errors';
import { labelValueProblems, qualifiedNameProblems } from '@kubeadmit/apimachinery/names';
import { forbiddenStatus, internalErrorStatus } from '@kubeadmit/apimachinery/status';
import type { AdmissionPlugin, PluginCluster, PluginOutcome, PluginRequest } from '../plugin.ts';
import { fail, isAbout, refuse } from '../refusal.ts';
import { withSpec } from '../with-spec.ts';
import { readNodeSelectors } from './configuration.ts';

type Labels = Readonly<Record<string, string>>;

/** Gives pods the node selector of their namespace, and refuses those that conflict with it. */
export const podNodeSelector: AdmissionPlugin = pluginWith({});

/** @param selectors the allowed selectors by namespace, and the default one as `clusterDefaultNodeSelector` */
function pluginWith(selectors: Labels): AdmissionPlugin {
  return {
    name: 'PodNodeSelector',
    operations: ['CREATE'],
    reads: ['namespaces'],
    mutate: (request, cluster) => {
      const { object } = request;
      if (object === null || !isAbout(request, 'pods')) return undefined;
      const given = namespaceSelector(request, cluster, selectors);
      if ('denial' in given) return given;
      const own = selectorOf(object);
      const { labels, causes } = given;
      if (conflicts(labels, own)) return conflictWith(object, causes);
      const merged = { ...labels, ...own };
      const changed =
        Object.keys(merged).length === 0 ? object : withSpec(object, { nodeSelector: merged });
      return whitelistRefusal(request, changed, selectors) ?? { object: changed, causes };
    },
    validate: (request, cluster) => {
      const { object } = request;
      if (object === null || !isAbout(request, 'pods')) return undefined;
      const given = namespaceSelector(request, cluster, selectors);
      if ('denial' in given) return given;
      if (conflicts(given.labels, selectorOf(object))) return conflictWith(object, given.causes);
      return whitelistRefusal(request, object, selectors);
    },
    configure: (configuration, warn) => pluginWith(readNodeSelectors(configuration, warn)),
  };
}

function selectorOf(pod: KubernetesObject): Labels {
  return stringMapOf(member(member(pod, 'spec'), 'nodeSelector'));
}

function conflicts(a: Labels, b: Labels): boolean {
  return Object.keys(a).some((key) => Object.hasOwn(b, key) && a[key] !== b[key]);
}

function conflictWith(pod: KubernetesObject, causes: readonly KubernetesObject[]): PluginOutcome {
  const text = 'pod node label selector conflicts with its namespace node label selector';
  return { ...refusePod(pod, text), causes };
}

function refusePod(pod: KubernetesObject, text: string): PluginOutcome {
  return refuse(forbiddenStatus({ group: '', name: 'pods' }, metadataString(pod, 'name'), text));
}

function whitelistRefusal(
  { namespace }: PluginRequest,
  pod: KubernetesObject,
  selectors: Labels,
): PluginOutcome | undefined {
  const read = readSelector(Object.hasOwn(selectors, namespace) ? selectors[namespace] : '');
  if ('denial' in read) return read;
  const { labels } = read;
  if (Object.keys(labels).length === 0) return undefined;
  const own = selectorOf(pod);
  const isAllowed = Object.keys(own).every(
    (key) => Object.hasOwn(labels, key) && labels[key] === own[key],
  );
  if (isAllowed) return undefined;
  return refusePod(pod, 'pod node label selector labels conflict with its namespace whitelist');
}

type ReadLabels = { readonly labels: Labels } | (PluginOutcome & { readonly denial: object });

/** The selector of a namespace, and the Namespace if its annotation has it. */
type NamespaceSelector =
  | { readonly labels: Labels; readonly causes: readonly KubernetesObject[] }
  | (PluginOutcome & { readonly denial: object });

function namespaceSelector(
  { namespace }: PluginRequest,
  cluster: PluginCluster,
  selectors: Labels,
): NamespaceSelector {
  const found = cluster.get('namespaces', '', namespace);
  if (found === undefined)
    return { denial: internalErrorStatus(`namespace ${namespace} does not exist`) };
  const annotations = annotationsOf(found);
  const key = 'scheduler.alpha.kubernetes.io/node-selector';
  const hasOwn = Object.hasOwn(annotations, key);
  const read = readSelector(hasOwn ? annotations[key] : selectors['clusterDefaultNodeSelector']);
  return { ...read, causes: hasOwn ? [found] : [] };
}

/** Reads labels such as `a=b,c=d` (apimachinery `labels.ConvertSelectorToLabelsMap`). */
function readSelector(text = ''): ReadLabels {
  const labels: Record<string, string> = {};
  for (const part of text === '' ? [] : text.split(',')) {
    const [key = '', value = '', ...more] = part.split('=').map((each) => each.trim());
    if (!part.includes('=') || more.length > 0) {
      return fail(`invalid selector: [${part.split('=').join(' ')}]`);
    }
    const error =
      problemOf('<nil>', key, qualifiedNameProblems(key)) ??
      problemOf(`[${key}]`, value, labelValueProblems(value));
    if (error !== undefined) return fail(error);
    labels[key] = value;
  }
  return { labels };
}

function problemOf(path: string, value: string, problems: readonly string[]): string | undefined {
  if (problems.length === 0) return undefined;
  return formatFieldError(invalid(path, value, problems.join('; ')));
}
