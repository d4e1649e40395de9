import { type JsonObject, member } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { formatJson } from '@kubeadmit/go';
import { isEmptyList, items, pointer, struct } from '../defaults/defaulting.ts';
import type { StructType } from '../types/type-store.ts';
import { annotationType, annotationTypes } from './autoscaler-types.ts';
import { readObject } from './read.ts';
import { writeObject } from './write.ts';

const prefix = 'autoscaling.alpha.kubernetes.io/';
const names = ['metrics', 'behavior', 'current-metrics', 'conditions'] as const;
const unused = ['scale-down-tolerance', 'scale-up-tolerance'];

/**
 * Applies the changes of the internal form to an `autoscaling/v1` autoscaler: metrics, behaviour and conditions that
 * the version lacks live in annotations, and the CPU target has a default unless there are other metrics (kubernetes,
 * `pkg/apis/autoscaling/v1/conversion.go`). Annotations that cannot be read are dropped.
 *
 * @param before the object whose internal form is overwritten: fields that `object` does not set stay unchanged
 */
export function roundTripAutoscaler(
  object: JsonObject,
  minor: number,
  before: JsonObject = {},
): undefined {
  const internal = internalAutoscaler(object, minor, before);
  dropAutoscalerAnnotations(object, minor);
  writeInternal(object, internal);
}

/**
 * An `autoscaling/v1` autoscaler with all that its internal form says, where the form of the version has no place for
 * some; undefined where it has. It says one CPU target, which is read as the last of the metrics, and the average value
 * of each status, be it zero.
 */
export function fullAutoscaler(
  object: JsonObject,
  minor: number,
  internal: InternalAutoscaler,
): JsonObject | undefined {
  const { metrics, hasUtilizationOnly } = internal;
  const isLast = !metrics.some(isTarget) || metrics.findIndex(isTarget) === metrics.length - 1;
  if (isLast && !hasUtilizationOnly) return undefined;
  const metadata = pointer(object, 'metadata') ?? {};
  const annotations = { ...pointer(metadata, 'annotations') };
  const spec = { ...pointer(object, 'spec') };
  const status = { ...pointer(object, 'status') };
  const full = { ...object, metadata: { ...metadata, annotations }, spec, status };
  dropAutoscalerAnnotations(full, minor);
  writeInternal(full, internal);
  delete spec['targetCPUUtilizationPercentage'];
  writeList(full, 'metrics', 'Metrics', metrics);
  if (hasUtilizationOnly) delete annotations[`${prefix}current-metrics`];
  return full;
}

/** An `autoscaling/v2` autoscaler with the empty lists of policies that its form leaves out, if it has some. */
export function withPolicies(object: JsonObject): JsonObject | undefined {
  const spec = struct(object, 'spec');
  const behavior = pointer(spec, 'behavior');
  const rules = ['scaleUp', 'scaleDown'].flatMap((name) => {
    const each = pointer(behavior, name);
    return each === undefined ? [] : [[name, { ...each }] as const];
  });
  if (!rules.some(([, { policies }]) => isEmptyList(policies))) return undefined;
  return { ...object, spec: { ...spec, behavior: { ...behavior, ...Object.fromEntries(rules) } } };
}

/** The fields that `autoscaling/v1` keeps in annotations or as CPU target, in the form of its annotations. */
export interface InternalAutoscaler {
  /** Those of the annotation, then the CPU target. */
  readonly metrics: readonly JsonObject[];
  readonly statuses: readonly JsonObject[];
  /** The one status is that of the CPU, which has a utilization and no average value. */
  readonly hasUtilizationOnly: boolean;
  readonly conditions: readonly JsonObject[];
  readonly behavior: JsonObject | undefined;
}

/**
 * Reads the annotations and the CPU target of an `autoscaling/v1` autoscaler.
 *
 * @param before the object whose internal form is written over
 */
export function internalAutoscaler(
  object: JsonObject,
  minor: number,
  before: JsonObject = {},
): InternalAutoscaler {
  return {
    metrics: metricsOf(object, internalMetrics(before)),
    ...(statusesOf(object) ?? statusesOf(before) ?? { statuses: [], hasUtilizationOnly: false }),
    conditions: readConditions(object, minor) ?? readConditions(before, minor) ?? [],
    behavior: readBehavior(object) ?? readBehavior(before),
  };
}

/**
 * Writes the annotations, the CPU target and the current CPU utilization of an `autoscaling/v1` autoscaler that has no
 * such annotations yet.
 */
export function writeInternal(object: JsonObject, internal: InternalAutoscaler): void {
  const { metrics, statuses, conditions, behavior } = internal;
  writeUtilization(object, statuses);
  writeList(object, 'metrics', 'Metrics', writeTarget(object, metrics));
  writeList(object, 'current-metrics', 'Statuses', statuses);
  writeList(object, 'conditions', 'Conditions', conditions);
  if (behavior) annotate(object, 'behavior', written('Behavior', behavior));
}

/**
 * Removes the annotations in which other versions keep the fields that they lack.
 *
 * @param minor the server's minor version: from 33 on tolerances have annotations too, which nothing writes or reads
 */
export function dropAutoscalerAnnotations(object: JsonObject, minor: number): undefined {
  const annotations = pointer(pointer(object, 'metadata'), 'annotations');
  if (!annotations) return;
  for (const name of names) delete annotations[prefix + name];
  if (minor < 33) return;
  for (const name of unused) delete annotations[prefix + name];
}

/** The metrics of an object as the internal form lists them: those of the annotation, then the CPU target. */
function internalMetrics(object: JsonObject): readonly JsonObject[] {
  const target = pointer(object, 'spec')?.['targetCPUUtilizationPercentage'];
  const others = readList(object, 'metrics', 'Metrics') ?? [];
  return target === undefined ? others : [...others, cpuMetric(target)];
}

/** The metrics of an object whose internal form had some before; never none. */
function metricsOf(object: JsonObject, before: readonly JsonObject[]): readonly JsonObject[] {
  const target = struct(object, 'spec')['targetCPUUtilizationPercentage'];
  const own = target === undefined ? before : [cpuMetric(target)];
  const others = readList(object, 'metrics', 'Metrics');
  // Of the metrics that were there, the conversion keeps the first, and room for the others.
  const all = others ? [...others, ...own.map((metric, i) => (i === 0 ? metric : {}))] : own;
  return all.length === 0 ? [cpuMetric(80)] : all;
}

function cpuMetric(target: unknown): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: target } };
}

function isTarget(metric: JsonObject): boolean {
  return isCpu(metric) && targetOf(metric) !== undefined;
}

/** Writes the first CPU target among the metrics as that of the version, and returns the other metrics. */
function writeTarget(object: JsonObject, metrics: readonly JsonObject[]): readonly JsonObject[] {
  const targets = metrics.filter(isTarget);
  const [first] = targets;
  if (first) struct(object, 'spec')['targetCPUUtilizationPercentage'] = targetOf(first);
  return metrics.filter((metric) => !targets.includes(metric));
}

function statusesOf(
  object: JsonObject,
): Pick<InternalAutoscaler, 'statuses' | 'hasUtilizationOnly'> | undefined {
  const known = readList(object, 'current-metrics', 'Statuses');
  if (known) return { statuses: known, hasUtilizationOnly: false };
  const utilization = pointer(object, 'status')?.['currentCPUUtilizationPercentage'];
  if (utilization === undefined) return undefined;
  const resource = { name: 'cpu', currentAverageUtilization: utilization };
  return { statuses: [{ type: 'Resource', resource }], hasUtilizationOnly: true };
}

function writeUtilization(object: JsonObject, statuses: readonly JsonObject[]): void {
  const status = struct(object, 'status');
  delete status['currentCPUUtilizationPercentage'];
  for (const metric of statuses.filter(isCpu)) {
    const value = pointer(metric, 'resource')?.['currentAverageUtilization'];
    if (value !== undefined) status['currentCPUUtilizationPercentage'] = value;
  }
}

/** Whether a metric or a status is that of the CPU of whole pods. */
export function isCpu(metric: JsonObject): boolean {
  return metric['type'] === 'Resource' && pointer(metric, 'resource')?.['name'] === 'cpu';
}

function targetOf(metric: JsonObject): unknown {
  return pointer(metric, 'resource')?.['targetAverageUtilization'];
}

// Conditions contain their generation from 1.37 on.
function readConditions(object: JsonObject, minor: number): readonly JsonObject[] | undefined {
  const conditions = readList(object, 'conditions', 'Conditions');
  if (minor >= 37) return conditions;
  return conditions?.map(({ observedGeneration: _, ...condition }) => condition);
}

function readList(
  object: JsonObject,
  name: (typeof names)[number],
  type: string,
): readonly JsonObject[] | undefined {
  const value = readAnnotation(object, name);
  if (value === undefined) return undefined;
  const list = readFolded(annotationType(type), { items: value });
  return list && items(list, 'items');
}

function readBehavior(object: JsonObject): JsonObject | undefined {
  const value = readAnnotation(object, 'behavior');
  if (value === undefined) return undefined;
  const behavior = readFolded(annotationType('Behavior'), value);
  return behavior?.['ScaleUp'] || behavior?.['ScaleDown'] ? behavior : undefined;
}

function readFolded(type: StructType, value: unknown): JsonObject | undefined {
  const types = annotationTypes();
  return readObject(types, type, value, { anyCase: true }).object;
}

function readAnnotation(object: JsonObject, name: (typeof names)[number]): unknown {
  const annotations = pointer(pointer(object, 'metadata'), 'annotations') ?? {};
  const text = member(annotations, prefix + name);
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
  setKey(annotations, prefix + name, formatJson(value));
}
