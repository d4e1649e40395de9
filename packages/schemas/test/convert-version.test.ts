import { convertVersion, decode, loadSchemas, type Schemas } from '@kubeadmit/schemas';
import { beforeAll, describe, expect, it } from 'vitest';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const scaleTargetRef = { kind: 'Deployment', name: 'd' };

function autoscaler(version: string, parts: object): object {
  return { apiVersion: `autoscaling/${version}`, kind: 'HorizontalPodAutoscaler', ...parts };
}

// conformance/admit/versions.ndjson contains kube-apiserver's conversion of every field.
describe('convertVersion', () => {
  let schemas: Schemas;
  beforeAll(async () => {
    schemas = await loadSchemas({ version: '1.37' });
  });

  function converted(object: object, group: string, version: string): unknown {
    const decoded = decode(schemas, object).object ?? {};
    const before = JSON.stringify(decoded);
    const { kind } = object as { kind: string };
    const result = convertVersion(schemas, decoded, { group, version, kind });
    expect(JSON.stringify(decoded)).toBe(before);
    return result.object;
  }

  it('makes fields of annotations, without defaults', () => {
    const behavior = '{"ScaleUp":{"SelectPolicy":"Min","Policies":null}}';
    const metrics = '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"1000"}}]';
    const annotations = { [`${prefix}behavior`]: behavior, [`${prefix}metrics`]: metrics };
    const spec = { maxReplicas: 3, scaleTargetRef, targetCPUUtilizationPercentage: 50 };
    const object = autoscaler('v1', { metadata: { name: 'a', annotations }, spec });
    expect(JSON.stringify(converted(object, 'autoscaling', 'v2'))).toBe(
      JSON.stringify({
        kind: 'HorizontalPodAutoscaler',
        apiVersion: 'autoscaling/v2',
        metadata: { name: 'a' },
        spec: {
          scaleTargetRef,
          minReplicas: 1,
          maxReplicas: 3,
          metrics: [
            {
              type: 'Pods',
              pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1k' } },
            },
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
            },
          ],
          behavior: { scaleUp: { selectPolicy: 'Min' } },
        },
        status: { desiredReplicas: 0, currentMetrics: null },
      }),
    );
  });

  it('makes annotations of fields', () => {
    const metrics = [
      {
        type: 'External',
        external: { metric: { name: 'm' }, target: { type: 'Value', value: 5 } },
      },
    ];
    const object = autoscaler('v2', {
      metadata: { name: 'a' },
      spec: { maxReplicas: 3, scaleTargetRef, metrics },
    });
    expect(converted(object, 'autoscaling', 'v1')).toEqual({
      kind: 'HorizontalPodAutoscaler',
      apiVersion: 'autoscaling/v1',
      metadata: {
        name: 'a',
        annotations: {
          [`${prefix}metrics`]:
            '[{"type":"External","external":{"metricName":"m","targetValue":"5"}}]',
        },
      },
      spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 3 },
      status: { currentReplicas: 0, desiredReplicas: 0 },
    });
  });

  it('flattens exact device requests, and nests them again', () => {
    const exactly = { deviceClassName: 'c', allocationMode: 'ExactCount', count: 2 };
    const claim = { kind: 'ResourceClaim', metadata: { name: 'a' } };
    const nested = {
      ...claim,
      apiVersion: 'resource.k8s.io/v1',
      spec: { devices: { requests: [{ name: 'r', exactly }] } },
      status: {},
    };
    const flat = {
      ...claim,
      apiVersion: 'resource.k8s.io/v1beta1',
      spec: { devices: { requests: [{ name: 'r', ...exactly }] } },
      status: {},
    };
    expect(converted(nested, 'resource.k8s.io', 'v1beta1')).toEqual(flat);
    expect(converted(flat, 'resource.k8s.io', 'v1')).toEqual(nested);
  });

  it('changes nothing but the version of other objects', () => {
    const object = { apiVersion: 'example.com/v1', kind: 'Thing', spec: { a: 1 } };
    const to = { group: 'example.com', version: 'v2', kind: 'Thing' };
    expect(convertVersion(schemas, object, to)).toEqual({
      known: false,
      object: { ...object, apiVersion: 'example.com/v2' },
    });
  });
});
