import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { items, pointer, struct } from '../defaults/defaulting.ts';
import {
  dropAutoscalerAnnotations,
  fullAutoscaler,
  type InternalAutoscaler,
  internalAutoscaler,
  isCpu,
  writeInternal,
} from './autoscaler.ts';
import type { Step } from './conversion-step.ts';

/**
 * Converts an autoscaler of `autoscaling/v1` to `autoscaling/v2`, or back: the annotations and the CPU target of v1 are
 * fields of v2 (kubernetes, `pkg/apis/autoscaling/v1/conversion.go`).
 *
 * Modifies the object, which is decoded but not encoded yet. Returns the content of a v1 object that v2 does not have.
 */
export function convertAutoscaler(
  object: JsonObject,
  { from, to, minor }: Step,
): JsonObject | undefined {
  if (from === 'v1' && to === 'v2') toFields(object, minor);
  return from === 'v2' && to === 'v1' ? toAnnotations(object, minor) : undefined;
}

function toFields(object: JsonObject, minor: number): void {
  const { metrics, statuses, hasUtilizationOnly, conditions, behavior } = internalAutoscaler(
    object,
    minor,
  );
  const spec = struct(object, 'spec');
  const status = struct(object, 'status');
  delete spec['targetCPUUtilizationPercentage'];
  delete status['currentCPUUtilizationPercentage'];
  dropAutoscalerAnnotations(object, minor);
  spec['metrics'] = metrics.map((metric) => convertParts(metric, sources, sourceFieldsOf));
  if (behavior) spec['behavior'] = renamed(behavior, (letter) => letter.toLowerCase());
  if (statuses.length > 0) {
    const known = statuses.map((metric) => convertParts(metric, statusParts, fieldsOf));
    status['currentMetrics'] = known;
    const [first] = known;
    if (hasUtilizationOnly) delete pointer(pointer(first, 'resource'), 'current')?.['averageValue'];
  }
  if (conditions.length > 0) status['conditions'] = conditions;
}

function toAnnotations(object: JsonObject, minor: number): JsonObject | undefined {
  dropAutoscalerAnnotations(object, minor);
  const spec = struct(object, 'spec');
  const status = struct(object, 'status');
  const behavior = pointer(spec, 'behavior');
  const statuses = items(status, 'currentMetrics');
  const internal: InternalAutoscaler = {
    metrics: items(spec, 'metrics').map((metric) => convertParts(metric, sources, annotationOf)),
    statuses: statuses.map((metric) => convertParts(metric, statusParts, annotationOf)),
    hasUtilizationOnly: statuses.length === 1 && statuses.every(saysUtilizationOnly),
    conditions: items(status, 'conditions'),
    behavior: behavior && (renamed(behavior, (letter) => letter.toUpperCase()) as JsonObject),
  };
  writeInternal(object, internal);
  for (const key of ['metrics', 'behavior']) delete spec[key];
  for (const key of ['currentMetrics', 'conditions']) delete status[key];
  return fullAutoscaler(object, minor, internal);
}

function saysUtilizationOnly(metric: JsonObject): boolean {
  const current = pointer(pointer(metric, 'resource'), 'current') ?? {};
  const { averageUtilization, averageValue } = current;
  return isCpu(metric) && averageUtilization !== undefined && averageValue === undefined;
}

/** Where a part of a metric has its values: in v2, and in the annotations of v1, which some values may lack. */
type Places = readonly (readonly [field: string, annotation: string, absent?: string])[];

const metricPlaces: Places = [
  ['metric.name', 'metricName'],
  ['metric.selector', 'selector'],
];

const externalMetric: Places = [
  ['metric.name', 'metricName'],
  ['metric.selector', 'metricSelector'],
];

const resourceSource: Places = [
  ['name', 'name'],
  ['target.averageValue', 'targetAverageValue'],
  ['target.averageUtilization', 'targetAverageUtilization'],
];

const sources: Readonly<Record<string, Places>> = {
  object: [
    ['describedObject', 'target'],
    ['target.value', 'targetValue'],
    ['target.averageValue', 'averageValue'],
    ...metricPlaces,
  ],
  pods: [...metricPlaces, ['target.averageValue', 'targetAverageValue', '0']],
  resource: resourceSource,
  containerResource: [...resourceSource, ['container', 'container']],
  external: [
    ...externalMetric,
    ['target.value', 'targetValue'],
    ['target.averageValue', 'targetAverageValue'],
  ],
};

const resourceStatus: Places = [
  ['name', 'name'],
  ['current.averageValue', 'currentAverageValue', '0'],
  ['current.averageUtilization', 'currentAverageUtilization'],
];

const statusParts: Readonly<Record<string, Places>> = {
  object: [
    ...metricPlaces,
    ['current.value', 'currentValue', '0'],
    ['current.averageValue', 'averageValue'],
    ['describedObject', 'target'],
  ],
  pods: [...metricPlaces, ['current.averageValue', 'currentAverageValue', '0']],
  resource: resourceStatus,
  containerResource: [...resourceStatus, ['container', 'container']],
  external: [
    ...externalMetric,
    ['current.value', 'currentValue', '0'],
    ['current.averageValue', 'currentAverageValue'],
  ],
};

type ConvertPart = (part: JsonObject, places: Places, key: string) => JsonObject;

/** Converts the alternatives of a metric; its type stays. */
function convertParts(
  source: JsonObject,
  alternatives: Readonly<Record<string, Places>>,
  convert: ConvertPart,
): JsonObject {
  const converted: JsonObject = { type: source['type'] };
  for (const [key, places] of Object.entries(alternatives)) {
    const part = pointer(source, key);
    if (part) converted[key] = convert(part, places, key);
  }
  return converted;
}

function fieldsOf(part: JsonObject, places: Places): JsonObject {
  const fields: JsonObject = {};
  for (const [field, annotation, absent] of places) {
    const [name = '', inner] = field.split('.');
    const value = part[annotation] ?? absent;
    if (inner === undefined) fields[name] = value;
    else fields[name] = { ...pointer(fields, name), [inner]: value };
  }
  return fields;
}

function annotationOf(part: JsonObject, places: Places): JsonObject {
  const values = places.map(([field, annotation]) => {
    const [name = '', inner] = field.split('.');
    return [annotation, inner === undefined ? part[name] : pointer(part, name)?.[inner]];
  });
  return Object.fromEntries(values);
}

/** The fields of a source, whose target says in v2 which of its values counts. */
function sourceFieldsOf(part: JsonObject, places: Places, key: string): JsonObject {
  const fields = fieldsOf(part, places);
  return { ...fields, target: typedTarget(key, pointer(fields, 'target') ?? {}) };
}

function typedTarget(key: string, target: JsonObject): JsonObject {
  const { value, averageValue, averageUtilization } = target;
  if (averageUtilization !== undefined) return { type: 'Utilization', ...target };
  if (key !== 'object') {
    return { type: value === undefined ? 'AverageValue' : 'Value', ...target };
  }
  // v1 cannot leave out the value.
  return averageValue === undefined
    ? { type: 'Value', value: value ?? '0' }
    : { type: 'AverageValue', value: value === '0' ? undefined : value, averageValue };
}

/** Members whose names start with another letter, at every depth: the internal form has Go's names in JSON. */
function renamed(value: unknown, change: (letter: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, change));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, member]) => [
    change(key.charAt(0)) + key.slice(1),
    renamed(member, change),
  ]);
  return Object.fromEntries(entries);
}
