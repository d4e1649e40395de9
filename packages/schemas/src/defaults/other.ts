import type { JsonObject } from '@kubeadmit/apimachinery';
import {
  type Defaulter,
  type Defaulters,
  fill,
  fillEmpty,
  filling,
  fillingEmpty,
  isEmpty,
  items,
  pointer,
  struct,
} from './defaulting.ts';

const networkPolicy: Defaulter = (policy) => {
  const spec = struct(policy, 'spec');
  if (!isEmpty(spec['policyTypes'])) return;
  spec['policyTypes'] = items(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
};

const storageClass = filling({ reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' });

const csiDriver: Defaulter = (driver, { minor }) => {
  const spec = struct(driver, 'spec');
  fill(spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
    ...(minor >= 37 ? { preventPodSchedulingIfMissing: false } : {}),
  });
  fillEmpty(spec, { volumeLifecycleModes: ['Persistent'] });
};

const trustPeriod = filling({ maxExpirationSeconds: 86400 });
const precedence = fillingEmpty({ matchingPrecedence: 1000 });
const exempt = filling({ nominalConcurrencyShares: 0, lendablePercent: 0 });
const queuing = fillingEmpty({ handSize: 8, queues: 64, queueLengthLimit: 50 });

const allocation: Defaulter = (request) => {
  fillEmpty(request, { allocationMode: 'ExactCount' });
  if (request['allocationMode'] === 'ExactCount') fillEmpty(request, { count: 1 });
};

/** A request in one piece; from 1.33 on it may list alternatives instead, and then has no class. */
const deviceRequest: Defaulter = (request, context) => {
  if (context.minor < 33 || !isEmpty(request['deviceClassName'])) allocation(request, context);
};

/** Only 1.36 has these mappings. */
const device: Defaulter = (object) => {
  const mappings = pointer(object, 'nodeAllocatableResourceMappings') ?? {};
  for (const name of Object.keys(mappings)) {
    fill(mappings[name] as JsonObject, { allocationMultiplier: '1' });
  }
};

const toleration = fillingEmpty({ operator: 'Equal' });
const taint: Defaulter = (object, { now }) => fill(object, { timeAdded: now });
const priorityClass = filling({ preemptionPolicy: 'PreemptLowerPriority' });

const podGroup: Defaulter = (group) => {
  fill(struct(group, 'spec'), { disruptionMode: { single: {} } });
};

const preserveZeroShares = 'flowcontrol.k8s.io/preserve-zero-concurrency-shares';

function oldPriorityLevel(level: JsonObject): void {
  const limited = pointer(struct(level, 'spec'), 'limited');
  const annotations = pointer(pointer(level, 'metadata'), 'annotations') ?? {};
  if (limited && !Object.hasOwn(annotations, preserveZeroShares)) {
    fillEmpty(limited, { nominalConcurrencyShares: 30 });
  }
}

/** Defaults of the remaining groups (kubernetes, `pkg/apis/<group>/<version>/defaults.go`). */
export const otherDefaults: Defaulters = {
  'authentication.v1.TokenRequestSpec': filling({ expirationSeconds: 3600 }),
  'certificates.v1.PodCertificateRequestSpec': trustPeriod,
  'certificates.v1alpha1.PodCertificateRequestSpec': trustPeriod,
  'certificates.v1beta1.PodCertificateRequestSpec': trustPeriod,
  'discovery.v1.EndpointPort': filling({ name: '', protocol: 'TCP' }),
  'flowcontrol.v1.ExemptPriorityLevelConfiguration': exempt,
  'flowcontrol.v1.FlowSchemaSpec': precedence,
  'flowcontrol.v1.LimitedPriorityLevelConfiguration': filling({
    nominalConcurrencyShares: 30,
    lendablePercent: 0,
  }),
  'flowcontrol.v1.QueuingConfiguration': queuing,
  'flowcontrol.v1beta3.ExemptPriorityLevelConfiguration': exempt,
  'flowcontrol.v1beta3.FlowSchemaSpec': precedence,
  'flowcontrol.v1beta3.LimitedPriorityLevelConfiguration': filling({ lendablePercent: 0 }),
  'flowcontrol.v1beta3.PriorityLevelConfiguration': oldPriorityLevel,
  'flowcontrol.v1beta3.QueuingConfiguration': queuing,
  'networking.v1.IngressClass': (object) => {
    const parameters = pointer(pointer(object, 'spec'), 'parameters');
    if (parameters) fill(parameters, { scope: 'Cluster' });
  },
  'networking.v1.NetworkPolicy': networkPolicy,
  'networking.v1.NetworkPolicyPort': filling({ protocol: 'TCP' }),
  'resource.v1.Device': device,
  'resource.v1.DeviceSubRequest': allocation,
  'resource.v1.DeviceTaint': taint,
  'resource.v1.DeviceToleration': toleration,
  'resource.v1.ExactDeviceRequest': allocation,
  'resource.v1alpha2.ResourceClaimSpec': fillingEmpty({ allocationMode: 'WaitForFirstConsumer' }),
  'resource.v1alpha3.DeviceRequest': deviceRequest,
  'resource.v1alpha3.DeviceSubRequest': allocation,
  'resource.v1alpha3.DeviceTaint': taint,
  'resource.v1alpha3.DeviceToleration': toleration,
  'resource.v1alpha3.ResourcePoolStatusRequestSpec': filling({ limit: 100 }),
  'resource.v1beta1.BasicDevice': device,
  'resource.v1beta1.DeviceRequest': deviceRequest,
  'resource.v1beta1.DeviceSubRequest': allocation,
  'resource.v1beta1.DeviceTaint': taint,
  'resource.v1beta1.DeviceToleration': toleration,
  'resource.v1beta2.Device': device,
  'resource.v1beta2.DeviceSubRequest': allocation,
  'resource.v1beta2.DeviceTaint': taint,
  'resource.v1beta2.DeviceToleration': toleration,
  'resource.v1beta2.ExactDeviceRequest': allocation,
  'scheduling.v1.PriorityClass': priorityClass,
  'scheduling.v1alpha2.PodGroup': (group) => {
    fill(struct(group, 'spec'), { disruptionMode: 'Pod' });
  },
  'scheduling.v1alpha3.CompositePodGroup': podGroup,
  'scheduling.v1alpha3.PodGroup': podGroup,
  'scheduling.v1beta1.PodGroup': podGroup,
  'storage.v1.CSIDriver': csiDriver,
  'storage.v1.StorageClass': storageClass,
  'storage.v1beta1.CSIDriver': csiDriver,
  'storage.v1beta1.StorageClass': storageClass,
};
