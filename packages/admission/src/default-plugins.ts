import {
  certificateApproval,
  certificateSigning,
  clusterTrustBundleAttest,
} from './plugins/certificates/signer-permissions.ts';
import { certificateSubjectRestriction } from './plugins/certificates/subject-restriction.ts';
import { defaultIngressClass, defaultStorageClass } from './plugins/default-class.ts';
import { defaultTolerationSeconds } from './plugins/default-toleration-seconds.ts';
import { limitRanger } from './plugins/limit-ranger/limit-ranger.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
import { nodeDeclaredFeatureValidator } from './plugins/node-declared-feature-validator.ts';
import { persistentVolumeClaimResize } from './plugins/persistent-volume-claim-resize.ts';
import type { AdmissionPlugin } from './plugins/plugin.ts';
import { podResizeValidator } from './plugins/pod-resize-validator.ts';
import { podSecurity } from './plugins/pod-security/pod-security.ts';
import { podTopologyLabels } from './plugins/pod-topology-labels.ts';
import { priority } from './plugins/priority.ts';
import { resourceQuota } from './plugins/resource-quota/resource-quota.ts';
import { runtimeClass } from './plugins/runtime-class.ts';
import { serviceAccount } from './plugins/service-account/service-account.ts';
import { storageObjectInUseProtection } from './plugins/storage-object-in-use-protection.ts';
import { taintNodesByCondition } from './plugins/taint-nodes-by-condition.ts';

/*
 * The admission plugins of kube-apiserver, which run in the order of `plugins/plugin-names.data.ts`.
 *
 * To add a plugin:
 * 1. Write `NAME.ts` (or a folder `NAME/`) in `plugins/`. It exports one `AdmissionPlugin`: its name, the operations
 *    that it handles, the resources that it reads from the cluster, and `mutate`, `validate` or both.
 * 2. A step receives the request and the cluster. It returns undefined, a changed copy of the object, or a refusal
 *    (`forbid` in `plugins/refusal.ts`). It never modifies the objects that it received and does no I/O.
 * 3. Add the plugin to the list below, or to `optional-plugins.ts` if kube-apiserver does not enable it by default. Its
 *    place is that of its name in `plugin-names.data.ts`.
 *
 * Policies and webhooks are entries of `plugin-names.data.ts` only: the code of policies and the server run them. Their
 * names mark the place: plugins before them run before the policies of the phase, those after them after. When a policy
 * or webhook asks for reinvocation, all mutating steps run once more.
 *
 * PodGroupProtection has no steps: its feature gate, GenericWorkload, is off by default in every version.
 */

/** The plugins that kube-apiserver enables by default, without those of policies and webhooks. */
export const defaultPlugins: readonly AdmissionPlugin[] = [
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  taintNodesByCondition,
  podSecurity,
  priority,
  defaultTolerationSeconds,
  defaultStorageClass,
  storageObjectInUseProtection,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  clusterTrustBundleAttest,
  certificateSubjectRestriction,
  defaultIngressClass,
  podTopologyLabels,
  nodeDeclaredFeatureValidator,
  podResizeValidator,
  resourceQuota,
];
