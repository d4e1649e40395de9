import {
  annotationsOf,
  type KubernetesObject,
  member,
  memberList,
  memberText,
} from '@kubeadmit/apimachinery';
import type { AdmissionPlugin, PluginCluster, PluginOutcome, PluginRequest } from '../plugin.ts';
import { secretNames } from '../pod-references.ts';
import { forbid } from '../refusal.ts';
import { withSpec } from '../with-spec.ts';
import { ephemeralSecretProblem, secretProblem } from './mountable-secrets.ts';
import { withTokenVolume } from './token-volume.ts';

const resource = 'serviceaccounts';

/** Gives pods a ServiceAccount, which must exist, with its token and image pull secrets. */
export const serviceAccount: AdmissionPlugin = {
  name: 'ServiceAccount',
  operations: ['CREATE', 'UPDATE'],
  reads: [resource],
  mutate: (request, cluster) => {
    const { object, operation } = request;
    if (object === null || operation !== 'CREATE' || !isAboutPods(request)) return undefined;
    if (isMirrorPod(object)) return validateAccount(request, object, cluster);
    const named = withAccountName(object);
    const account = accountOf(request, named, cluster);
    if (account === undefined) return unknownAccount(request, named);
    const mounted = wantsToken(account, named)
      ? withTokenVolume(named, (base) => cluster.generateName(base))
      : named;
    const changed = withPullSecrets(mounted, account);
    const refusal = validateAccount({ ...request, object: changed }, changed, cluster);
    return refusal ?? { object: changed, causes: [account] };
  },
  validate: (request, cluster) => {
    const { object, operation, subresource } = request;
    if (object === null || !isAboutPods(request)) return undefined;
    if (operation === 'UPDATE' && subresource === 'ephemeralcontainers')
      return validateEphemeral(request, object, cluster);
    return operation === 'CREATE' ? validateAccount(request, object, cluster) : undefined;
  },
};

function isAboutPods({
  resource: { group, resource: plural },
  subresource,
}: PluginRequest): boolean {
  const isPart = subresource === '' || subresource === 'ephemeralcontainers';
  return group === '' && plural === 'pods' && isPart;
}

function isMirrorPod(pod: KubernetesObject): boolean {
  return Object.hasOwn(annotationsOf(pod), 'kubernetes.io/config.mirror');
}

function accountName(pod: KubernetesObject): string {
  return memberText(member(pod, 'spec'), 'serviceAccountName');
}

/** The pod with the name of its account in both fields, of which the second is the deprecated one. */
function withAccountName(pod: KubernetesObject): KubernetesObject {
  if (accountName(pod) !== '') return pod;
  return withSpec(pod, { serviceAccountName: 'default', serviceAccount: 'default' });
}

function accountOf(
  { namespace }: PluginRequest,
  pod: KubernetesObject,
  cluster: PluginCluster,
): KubernetesObject | undefined {
  return cluster.get(resource, namespace, accountName(pod));
}

function unknownAccount(request: PluginRequest, pod: KubernetesObject): PluginOutcome {
  const name = accountName(pod);
  return forbid(
    request,
    `error looking up service account ${request.namespace}/${name}: serviceaccount "${name}" not found`,
  );
}

/** Whether the token is mounted: the pod decides, then its account. */
function wantsToken(account: KubernetesObject, pod: KubernetesObject): boolean {
  const own = member(member(pod, 'spec'), 'automountServiceAccountToken');
  const wanted = own ?? member(account, 'automountServiceAccountToken');
  return wanted !== false;
}

function withPullSecrets(pod: KubernetesObject, account: KubernetesObject): KubernetesObject {
  const given = memberList(account, 'imagePullSecrets');
  if (given.length === 0 || memberList(member(pod, 'spec'), 'imagePullSecrets').length > 0)
    return pod;
  const imagePullSecrets = given.map((secret) => ({ name: memberText(secret, 'name') }));
  return withSpec(pod, { imagePullSecrets });
}

function validateAccount(
  request: PluginRequest,
  pod: KubernetesObject,
  cluster: PluginCluster,
): PluginOutcome | undefined {
  if (isMirrorPod(pod)) {
    const problem = mirrorPodProblem(pod);
    return problem === undefined ? undefined : forbid(request, problem);
  }
  return checkSecrets(request, pod, { cluster, problemOf: secretProblem });
}

function validateEphemeral(
  request: PluginRequest,
  pod: KubernetesObject,
  cluster: PluginCluster,
): PluginOutcome | undefined {
  return checkSecrets(request, pod, { cluster, problemOf: ephemeralSecretProblem });
}

function checkSecrets(
  request: PluginRequest,
  pod: KubernetesObject,
  {
    cluster,
    problemOf,
  }: {
    readonly cluster: PluginCluster;
    readonly problemOf: (pod: KubernetesObject, account: KubernetesObject) => string | undefined;
  },
): PluginOutcome | undefined {
  if (accountName(pod) === '') {
    const name = memberText(member(pod, 'metadata'), 'name');
    return forbid(request, `no service account specified for pod ${request.namespace}/${name}`);
  }
  const account = accountOf(request, pod, cluster);
  if (account === undefined) return unknownAccount(request, pod);
  if (!enforcesSecrets(account)) return undefined;
  const problem = problemOf(pod, account);
  return problem === undefined ? undefined : { ...forbid(request, problem), causes: [account] };
}

/** The texts that Go's strconv.ParseBool reads as true. */
const truths: ReadonlySet<string> = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);

function enforcesSecrets(account: KubernetesObject): boolean {
  const annotations = annotationsOf(account);
  const name = 'kubernetes.io/enforce-mountable-secrets';
  return Object.hasOwn(annotations, name) && truths.has(annotations[name] ?? '');
}

/** Returns why a mirror pod is refused: it refers to an account, a secret or a token; undefined if it does not. */
function mirrorPodProblem(pod: KubernetesObject): string | undefined {
  const spec = member(pod, 'spec');
  if (memberText(spec, 'serviceAccountName') !== '')
    return 'a mirror pod may not reference service accounts';
  const volumes = memberList(spec, 'volumes');
  if (secretNames(pod).length > 0) return 'a mirror pod may not reference secrets';
  const hasToken = volumes.some((volume) =>
    memberList(member(volume, 'projected'), 'sources').some((source) =>
      Boolean(member(source, 'serviceAccountToken')),
    ),
  );
  return hasToken ? 'a mirror pod may not use ServiceAccountToken volume projections' : undefined;
}
