import { alwaysAdmit, alwaysDeny } from './always.ts';
import { alwaysPullImages } from './always-pull-images.ts';
import {
  certificateApproval,
  certificateSigning,
  clusterTrustBundleAttest,
} from './certificates/signer-permissions.ts';
import { certificateSubjectRestriction } from './certificates/subject-restriction.ts';
import { defaultIngressClass } from './default-ingress-class.ts';
import { defaultStorageClass } from './default-storage-class.ts';
import { defaultTolerationSeconds } from './default-toleration-seconds.ts';
import { denyServiceExternalIps } from './deny-service-external-ips.ts';
import { eventRateLimit } from './event-rate-limit.ts';
import { extendedResourceToleration } from './extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './limit-pod-hard-anti-affinity-topology.ts';
import { limitRanger } from './limit-ranger/limit-ranger.ts';
import { namespaceExists } from './namespace-exists.ts';
import { namespaceLifecycle } from './namespace-lifecycle.ts';
import { nodeDeclaredFeatureValidator } from './node-declared-feature-validator.ts';
import { nodeRestriction } from './node-restriction/node-restriction.ts';
import { ownerReferencesPermissionEnforcement } from './owner-references-permission-enforcement.ts';
import { persistentVolumeClaimResize } from './persistent-volume-claim-resize.ts';
import type { AdmissionPlugin } from './plugin.ts';
import { podNodeSelector } from './pod-node-selector.ts';
import { podResizeValidator } from './pod-resize-validator.ts';
import { podSecurity } from './pod-security/pod-security.ts';
import { podTolerationRestriction } from './pod-toleration-restriction.ts';
import { podTopologyLabels } from './pod-topology-labels.ts';
import { priority } from './priority.ts';
import { resourceQuota } from './resource-quota/resource-quota.ts';
import { runtimeClass } from './runtime-class.ts';
import { serviceAccount } from './service-account/service-account.ts';
import { storageObjectInUseProtection } from './storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './taint-nodes-by-condition.ts';

/*
 * The admission plugins of kube-apiserver, in the order in which they run (`plugin-names.data.ts`).
 *
 * To add a plugin:
 * 1. Write `NAME.ts` (or a folder `NAME/`) in this folder. It exports one `AdmissionPlugin`: its name, the operations
 *    that it handles, the resources that it reads from the cluster, and `mutate`, `validate` or both.
 * 2. A step receives the request and the cluster. It returns undefined, a changed copy of the object, or a refusal
 *    (`forbid` in `refusal.ts`). It never modifies the objects that it received and does no I/O.
 * 3. Add the plugin to the list below, at its place.
 *
 * Policies and webhooks are entries of `plugin-names.data.ts` only: the code of policies and the server run them. Their
 * names mark the place: plugins before them run before the policies of the phase, those after them after. When a policy
 * or webhook asks for reinvocation, all mutating steps run once more.
 *
 * PodGroupProtection has no steps: its feature gate, GenericWorkload, is off by default in every version.
 */

/** All plugins, by their order in kube-apiserver. */
export const orderedPlugins: readonly AdmissionPlugin[] = [
  alwaysAdmit,
  namespaceLifecycle,
  namespaceExists,
  limitPodHardAntiAffinityTopology,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  alwaysPullImages,
  podSecurity,
  podNodeSelector,
  priority,
  defaultTolerationSeconds,
  podTolerationRestriction,
  eventRateLimit,
  extendedResourceToleration,
  defaultStorageClass,
  storageObjectInUseProtection,
  ownerReferencesPermissionEnforcement,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  clusterTrustBundleAttest,
  certificateSubjectRestriction,
  defaultIngressClass,
  denyServiceExternalIps,
  podTopologyLabels,
  nodeDeclaredFeatureValidator,
  podResizeValidator,
  resourceQuota,
  alwaysDeny,
];
