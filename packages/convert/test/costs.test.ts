import { admit, loadCluster } from '@kubeadmit/admission';
import type { JsonObject } from '@kubeadmit/apimachinery';
import { policyOfExpression } from '@kubeadmit/difference/unstable-internal';
import { loadSchemas } from '@kubeadmit/schemas';
import { describe, expect, test } from 'vitest';
import { largestObject, sizeOf, stretched } from '../src/cost/large-objects.ts';
import { resultCosts } from '../src/index.ts';

const schemas = await loadSchemas();
const pods = ['', 'v1', 'pods'] as const;
const pairs =
  'object.spec.containers.all(one, object.spec.containers.all(other, one.name == other.name || one.image != other.image + "x"))';

describe('the cost of converted policies', () => {
  test('a policy that asks little is far from its limits, also for the largest object', () => {
    const objects = policyOfExpression('object.spec.containers.all(c, has(c.image))', pods);
    const [cost] = resultCosts(objects, { schemas });
    expect(cost).toMatchObject({ isNear: false, conditions: 0 });
    expect(cost?.withinBytes).toBeUndefined();
    expect(cost?.bytes).toBeGreaterThan(largestObject / 2);
  });

  test('a policy that compares each pair of containers exceeds the budgets, as in kube-apiserver', () => {
    const objects = policyOfExpression(pairs, pods);
    const [cost] = resultCosts(objects, { schemas });
    expect(cost).toMatchObject({ isNear: true });
    const cluster = loadCluster({ resources: objects as never, schemas });
    const spec = { containers: [{ name: 'main', image: 'registry.local/app:1' }] };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'd' }, spec };
    const messages = [cost?.withinBytes ?? 0, 4 * (cost?.bytes ?? 0)].map((bytes) => {
      let object: JsonObject = pod;
      for (let times = 1; sizeOf(object) < bytes; times *= 2) object = stretched(pod, times);
      const request = {
        operation: 'CREATE',
        kind: { group: '', version: 'v1', kind: 'Pod' },
        resource: { group: '', version: 'v1', resource: 'pods' },
        name: 'p',
        namespace: 'd',
        object,
      };
      const outcome = admit(cluster, request as never);
      return outcome.failure ?? outcome.response.status?.message ?? '';
    });
    expect(messages[0]).toBe('');
    expect(messages[1]).toMatch(/cost limit exceeded/);
  });

  test('no object is larger than asked for', () => {
    const [cost] = resultCosts(policyOfExpression(pairs, pods), { schemas, largest: 4096 });
    expect(cost).toMatchObject({ isNear: false });
    expect(cost?.bytes).toBeLessThanOrEqual(4096);
    expect(cost?.bytes).toBeGreaterThan(1024);
  });
});
