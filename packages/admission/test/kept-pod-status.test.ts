import { expect, test } from 'vitest';
import { withKeptStatus } from '../src/write/kept-pod-status.ts';

// `podStatusStrategy.PrepareForUpdate` of registry/core/pod in Kubernetes 1.30 to 1.37.

const old = {
  status: {
    qosClass: 'Burstable',
    observedGeneration: 2,
    resourceClaimStatuses: [{ name: 'd' }],
    conditions: [{ type: 'Ready', observedGeneration: 2 }],
  },
};
const { qosClass, observedGeneration, resourceClaimStatuses, conditions } = old.status;
const changed = { status: { conditions: [{ type: 'Ready' }] } };

test.each([
  [31, { conditions: [{ type: 'Ready' }] }],
  [32, { qosClass, conditions: [{ type: 'Ready' }] }],
  [33, { qosClass, observedGeneration, conditions }],
  [37, { qosClass, observedGeneration, resourceClaimStatuses, conditions }],
])(
  'Kubernetes 1.%d keeps the fields of a status that clients of that time may not know',
  (minor, status) => {
    expect(withKeptStatus(changed, old, minor)).toEqual({ status });
  },
);
