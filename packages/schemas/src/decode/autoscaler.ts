import { isEmpty, pointer, struct } from '../defaults/defaulting.ts';
import { type JsonObject, own, put } from '../json.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const names = ['metrics', 'behavior', 'current-metrics', 'conditions'] as const;

/**
 * What the internal form changes in an `autoscaling/v1` autoscaler: metrics, behaviour and conditions that the version
 * lacks live in annotations, and the CPU target has a default unless there are other metrics (kubernetes,
 * `pkg/apis/autoscaling/v1/conversion.go`). Annotations that hold no list are dropped; others are kept as they are.
 */
export function roundTripAutoscaler(object: JsonObject): undefined {
  const kept = readAnnotations(object);
  dropAutoscalerAnnotations(object);
  const spec = struct(object, 'spec');
  if (isEmpty(kept.get('metrics')) && spec['targetCPUUtilizationPercentage'] === undefined) {
    spec['targetCPUUtilizationPercentage'] = 80;
  }
  const utilization = pointer(object, 'status')?.['currentCPUUtilizationPercentage'];
  if (utilization !== undefined && !kept.has('current-metrics')) {
    const resource = {
      name: 'cpu',
      currentAverageUtilization: utilization,
      currentAverageValue: '0',
    };
    kept.set('current-metrics', [{ type: 'Resource', resource }]);
  }
  for (const [name, value] of kept) {
    if (isEmpty(value)) continue;
    const annotations = struct(struct(object, 'metadata'), 'annotations');
    put(annotations, prefix + name, JSON.stringify(value));
  }
}

/** Takes away the annotations that other versions need to keep what they lack. */
export function dropAutoscalerAnnotations(object: JsonObject): undefined {
  const annotations = pointer(pointer(object, 'metadata'), 'annotations');
  if (!annotations) return;
  for (const name of names) delete annotations[prefix + name];
}

function readAnnotations(object: JsonObject): Map<string, unknown> {
  const annotations = pointer(pointer(object, 'metadata'), 'annotations') ?? {};
  const kept = new Map<string, unknown>();
  for (const name of names) {
    const value = readJson(own(annotations, prefix + name));
    const fits = name === 'behavior' ? !Array.isArray(value) : Array.isArray(value);
    if (fits && typeof value === 'object' && value !== null) kept.set(name, value);
  }
  return kept;
}

function readJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
