import { alwaysAdmit, alwaysDeny } from './plugins/always.ts';
import { alwaysPullImages } from './plugins/always-pull-images.ts';
import { denyServiceExternalIps } from './plugins/deny-service-external-ips.ts';
import { eventRateLimit } from './plugins/event-rate-limit/event-rate-limit.ts';
import { extendedResourceToleration } from './plugins/extended-resource-toleration.ts';
import { limitPodHardAntiAffinityTopology } from './plugins/limit-pod-hard-anti-affinity-topology.ts';
import { namespaceExists } from './plugins/namespace-exists.ts';
import { nodeRestriction } from './plugins/node-restriction/node-restriction.ts';
import { ownerReferencesPermissionEnforcement } from './plugins/owner-references-permission-enforcement.ts';
import type { AdmissionPlugin } from './plugins/plugin.ts';
import { podNodeSelector } from './plugins/pod-node-selector/pod-node-selector.ts';
import { podTolerationRestriction } from './plugins/pod-toleration-restriction/pod-toleration-restriction.ts';

/** The plugins that kube-apiserver enables only when asked. They are loaded only then. */
export const optionalPlugins: readonly AdmissionPlugin[] = [
  alwaysAdmit,
  namespaceExists,
  limitPodHardAntiAffinityTopology,
  nodeRestriction,
  alwaysPullImages,
  podNodeSelector,
  podTolerationRestriction,
  eventRateLimit,
  extendedResourceToleration,
  ownerReferencesPermissionEnforcement,
  denyServiceExternalIps,
  alwaysDeny,
];
