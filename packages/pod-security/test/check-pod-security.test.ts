import { describe, expect, test } from 'vitest';
import { checkPodSecurity } from '../src/index.ts';

const container = { name: 'web', image: 'nginx' };
const hostPod = { kind: 'Pod', spec: { hostNetwork: true, containers: [container] } };

describe('checkPodSecurity', () => {
  test('names the control, the reason and the detail of a violation', () => {
    expect(checkPodSecurity(hostPod, 'baseline')).toEqual([
      { control: 'hostNamespaces', reason: 'host namespaces', detail: 'hostNetwork=true' },
    ]);
  });

  test('allows everything at the level privileged', () => {
    expect(checkPodSecurity(hostPod, 'privileged')).toEqual([]);
  });

  test.each([
    ['Deployment', { template: { spec: hostPod.spec } }],
    ['CronJob', { jobTemplate: { spec: { template: { spec: hostPod.spec } } } }],
  ])('checks the pod template of a %s', (kind, spec) => {
    expect(checkPodSecurity({ kind, spec }, 'baseline')).toHaveLength(1);
  });

  test('finds nothing in objects without a pod', () => {
    expect(checkPodSecurity({ kind: 'ConfigMap' }, 'restricted')).toEqual([]);
    expect(checkPodSecurity({ kind: 'ReplicationController', spec: {} }, 'restricted')).toEqual([]);
  });

  test('uses the controls of the given version', () => {
    const probe = { livenessProbe: { httpGet: { host: 'a.example.com', port: 80 } } };
    const pod = { kind: 'Pod', spec: { containers: [{ ...container, ...probe }] } };
    expect(checkPodSecurity(pod, 'baseline', 'v1.33')).toEqual([]);
    expect(checkPodSecurity(pod, 'baseline', 'v1.34')).toHaveLength(1);
    expect(checkPodSecurity(pod, 'baseline', 'v1.99')).toHaveLength(1);
  });

  test('rejects unknown levels and versions', () => {
    expect(() => checkPodSecurity(hostPod, 'strict' as 'baseline')).toThrow(
      'unknown level "strict"; expected one of privileged, baseline, restricted',
    );
    expect(() => checkPodSecurity(hostPod, 'baseline', '1.29')).toThrow(
      'version "1.29" must be "latest" or "v1.x"',
    );
  });
});
