import { isEmpty, items, pointer, struct } from '../defaults/defaulting.ts';
import { goText, type JsonObject, own, put } from '../json.ts';
import { annotationType, annotationTypes } from './autoscaler-types.ts';
import { readObject } from './read.ts';
import { writeObject } from './write.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const names = ['metrics', 'behavior', 'current-metrics', 'conditions'] as const;

/**
 * What the internal form changes in an `autoscaling/v1` autoscaler: metrics, behaviour and conditions that the version
 * lacks live in annotations, and the CPU target has a default unless there are other metrics (kubernetes,
 * `pkg/apis/autoscaling/v1/conversion.go`). Annotations that cannot be read are dropped.
 */
export function roundTripAutoscaler(object: JsonObject): undefined {
  const metrics = readList(object, 'metrics', 'Metrics');
  const statuses = readList(object, 'current-metrics', 'Statuses');
  const conditions = readList(object, 'conditions', 'Conditions');
  const behavior = readBehavior(object);
  dropAutoscalerAnnotations(object);
  writeList(object, 'metrics', 'Metrics', roundTripMetrics(object, metrics));
  writeList(object, 'current-metrics', 'Statuses', roundTripStatuses(object, statuses));
  writeList(object, 'conditions', 'Conditions', conditions ?? []);
  if (behavior) annotate(object, 'behavior', written('Behavior', behavior));
}

/** Takes away the annotations that other versions need to keep what they lack. */
export function dropAutoscalerAnnotations(object: JsonObject): undefined {
  const annotations = pointer(pointer(object, 'metadata'), 'annotations');
  if (!annotations) return;
  for (const name of names) delete annotations[prefix + name];
}

/** The CPU target becomes one of the metrics and comes back as the first of them; others stay. */
function roundTripMetrics(
  object: JsonObject,
  others: readonly JsonObject[] | undefined,
): readonly JsonObject[] {
  const spec = struct(object, 'spec');
  const target = spec['targetCPUUtilizationPercentage'];
  if (isEmpty(others) && target === undefined) spec['targetCPUUtilizationPercentage'] = 80;
  const targets = (others ?? []).filter(
    (metric) => isCpu(metric) && targetOf(metric) !== undefined,
  );
  const [first] = targets;
  if (first) spec['targetCPUUtilizationPercentage'] = targetOf(first);
  return (others ?? []).filter((metric) => !targets.includes(metric));
}

function roundTripStatuses(
  object: JsonObject,
  known: readonly JsonObject[] | undefined,
): readonly JsonObject[] {
  const status = struct(object, 'status');
  const utilization = status['currentCPUUtilizationPercentage'];
  if (!known) {
    if (utilization === undefined) return [];
    const resource = { name: 'cpu', currentAverageUtilization: utilization };
    return [{ type: 'Resource', resource }];
  }
  delete status['currentCPUUtilizationPercentage'];
  for (const metric of known.filter(isCpu)) {
    const value = pointer(metric, 'resource')?.['currentAverageUtilization'];
    if (value !== undefined) status['currentCPUUtilizationPercentage'] = value;
  }
  return known;
}

function isCpu(metric: JsonObject): boolean {
  return metric['type'] === 'Resource' && pointer(metric, 'resource')?.['name'] === 'cpu';
}

function targetOf(metric: JsonObject): unknown {
  return pointer(metric, 'resource')?.['targetAverageUtilization'];
}

function readList(
  object: JsonObject,
  name: (typeof names)[number],
  type: string,
): readonly JsonObject[] | undefined {
  const value = readAnnotation(object, name);
  if (value === undefined) return undefined;
  const list = readObject(annotationTypes(), annotationType(type), { items: value }).object;
  return list && items(list, 'items');
}

function readBehavior(object: JsonObject): JsonObject | undefined {
  const value = readAnnotation(object, 'behavior');
  if (value === undefined) return undefined;
  const behavior = readObject(annotationTypes(), annotationType('Behavior'), value).object;
  return behavior?.['ScaleUp'] || behavior?.['ScaleDown'] ? behavior : undefined;
}

function readAnnotation(object: JsonObject, name: (typeof names)[number]): unknown {
  const annotations = pointer(pointer(object, 'metadata'), 'annotations') ?? {};
  const text = own(annotations, prefix + name);
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

function writeList(
  object: JsonObject,
  name: (typeof names)[number],
  type: string,
  list: readonly JsonObject[],
): void {
  if (list.length > 0) annotate(object, name, written(type, { items: list })['items']);
}

function written(type: string, value: JsonObject): JsonObject {
  return writeObject(annotationTypes(), annotationType(type), value);
}

function annotate(object: JsonObject, name: (typeof names)[number], value: unknown): void {
  const annotations = struct(struct(object, 'metadata'), 'annotations');
  put(annotations, prefix + name, goText(JSON.stringify(value)));
}
