import { isEmpty, pointer, struct } from '../defaults/defaulting.ts';
import type { JsonObject } from '../json.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';

/**
 * What the internal form changes in an `autoscaling/v1` autoscaler: the CPU target has a default unless annotations
 * hold other metrics (kubernetes, `pkg/apis/autoscaling/v1/conversion.go`).
 */
export function roundTripAutoscaler(object: JsonObject): undefined {
  const spec = struct(object, 'spec');
  const annotations = pointer(pointer(object, 'metadata'), 'annotations');
  const hasMetrics = annotations !== undefined && !isEmpty(annotations[`${prefix}metrics`]);
  if (!hasMetrics && spec['targetCPUUtilizationPercentage'] === undefined) {
    spec['targetCPUUtilizationPercentage'] = 80;
  }
  return undefined;
}
