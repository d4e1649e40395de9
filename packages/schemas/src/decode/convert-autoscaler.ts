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
 * An autoscaler of `autoscaling/v1` as one of `autoscaling/v2`, or the other way round: what v1 keeps in annotations
 * and as CPU target are fields of v2 (kubernetes, `pkg/apis/autoscaling/v1/conversion.go`).
 *
 * Changes the object, which is read but not written. Gives what an object of v1 holds beyond its version.
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
  spec['metrics'] = metrics.map((metric) => convertParts(metric, sourcesToFields));
  if (behavior) spec['behavior'] = renamed(behavior, (letter) => letter.toLowerCase());
  if (statuses.length > 0) {
    const known = statuses.map((metric) => convertParts(metric, statusesToFields));
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
    metrics: items(spec, 'metrics').map((metric) => convertParts(metric, sourcesToAnnotations)),
    statuses: statuses.map((metric) => convertParts(metric, statusesToAnnotations)),
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

type Converter = (part: JsonObject) => JsonObject;

/** Converts the alternatives of a metric; its type stays. */
function convertParts(metric: JsonObject, parts: Readonly<Record<string, Converter>>): JsonObject {
  const converted: JsonObject = { type: metric['type'] };
  for (const [key, convert] of Object.entries(parts)) {
    const part = pointer(metric, key);
    if (part) converted[key] = convert(part);
  }
  return converted;
}

const sourcesToFields: Readonly<Record<string, Converter>> = {
  object: ({ target, metricName, selector, targetValue = '0', averageValue }) => ({
    describedObject: target,
    // v1 cannot leave out the value.
    target:
      averageValue === undefined
        ? { type: 'Value', value: targetValue }
        : {
            type: 'AverageValue',
            value: targetValue === '0' ? undefined : targetValue,
            averageValue,
          },
    metric: { name: metricName, selector },
  }),
  pods: ({ metricName, selector, targetAverageValue = '0' }) => ({
    metric: { name: metricName, selector },
    target: { type: 'AverageValue', averageValue: targetAverageValue },
  }),
  resource: resourceToField,
  containerResource: (source) => ({ ...resourceToField(source), container: source['container'] }),
  external: ({ metricName, metricSelector, targetValue, targetAverageValue }) => ({
    metric: { name: metricName, selector: metricSelector },
    target: {
      type: targetValue === undefined ? 'AverageValue' : 'Value',
      value: targetValue,
      averageValue: targetAverageValue,
    },
  }),
};

function resourceToField(source: JsonObject): JsonObject {
  const { name, targetAverageUtilization, targetAverageValue } = source;
  return {
    name,
    target: {
      type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
      averageValue: targetAverageValue,
      averageUtilization: targetAverageUtilization,
    },
  };
}

const sourcesToAnnotations: Readonly<Record<string, Converter>> = {
  object: (source) => ({
    target: source['describedObject'],
    ...metricOf(source),
    targetValue: pointer(source, 'target')?.['value'],
    averageValue: pointer(source, 'target')?.['averageValue'],
  }),
  pods: (source) => ({
    ...metricOf(source),
    targetAverageValue: pointer(source, 'target')?.['averageValue'],
  }),
  resource: resourceToAnnotation,
  containerResource: (source) => ({
    ...resourceToAnnotation(source),
    container: source['container'],
  }),
  external: (source) => ({
    metricName: pointer(source, 'metric')?.['name'],
    metricSelector: pointer(source, 'metric')?.['selector'],
    targetValue: pointer(source, 'target')?.['value'],
    targetAverageValue: pointer(source, 'target')?.['averageValue'],
  }),
};

function resourceToAnnotation(source: JsonObject): JsonObject {
  return {
    name: source['name'],
    targetAverageUtilization: pointer(source, 'target')?.['averageUtilization'],
    targetAverageValue: pointer(source, 'target')?.['averageValue'],
  };
}

const statusesToFields: Readonly<Record<string, Converter>> = {
  object: ({ target, metricName, selector, currentValue = '0', averageValue }) => ({
    metric: { name: metricName, selector },
    current: { value: currentValue, averageValue },
    describedObject: target,
  }),
  pods: ({ metricName, selector, currentAverageValue = '0' }) => ({
    metric: { name: metricName, selector },
    current: { averageValue: currentAverageValue },
  }),
  resource: resourceStatusToField,
  containerResource: (status) => ({
    ...resourceStatusToField(status),
    container: status['container'],
  }),
  external: ({ metricName, metricSelector, currentValue = '0', currentAverageValue }) => ({
    metric: { name: metricName, selector: metricSelector },
    current: { value: currentValue, averageValue: currentAverageValue },
  }),
};

function resourceStatusToField(status: JsonObject): JsonObject {
  const { name, currentAverageUtilization, currentAverageValue = '0' } = status;
  return {
    name,
    current: {
      averageValue: currentAverageValue,
      averageUtilization: currentAverageUtilization,
    },
  };
}

const statusesToAnnotations: Readonly<Record<string, Converter>> = {
  object: (status) => ({
    target: status['describedObject'],
    ...metricOf(status),
    currentValue: pointer(status, 'current')?.['value'],
    averageValue: pointer(status, 'current')?.['averageValue'],
  }),
  pods: (status) => ({
    ...metricOf(status),
    currentAverageValue: pointer(status, 'current')?.['averageValue'],
  }),
  resource: resourceStatusToAnnotation,
  containerResource: (status) => ({
    ...resourceStatusToAnnotation(status),
    container: status['container'],
  }),
  external: (status) => ({
    metricName: pointer(status, 'metric')?.['name'],
    metricSelector: pointer(status, 'metric')?.['selector'],
    currentValue: pointer(status, 'current')?.['value'],
    currentAverageValue: pointer(status, 'current')?.['averageValue'],
  }),
};

function resourceStatusToAnnotation(status: JsonObject): JsonObject {
  return {
    name: status['name'],
    currentAverageUtilization: pointer(status, 'current')?.['averageUtilization'],
    currentAverageValue: pointer(status, 'current')?.['averageValue'],
  };
}

function metricOf(part: JsonObject): JsonObject {
  const metric = pointer(part, 'metric');
  return { metricName: metric?.['name'], selector: metric?.['selector'] };
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
