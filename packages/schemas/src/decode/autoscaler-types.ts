import { lazily } from '@kubeadmit/base';
import { type StructType, TypeStore } from '../types/type-store.ts';

/** The Go package of the table below. */
const own = 'autoscaling.annotations';

/** A reference to a type of the table. */
function typeNamed(name: string): string {
  return `${own}.${name}`;
}

const selector = `*${typeNamed('Selector')},omitempty`;
const optionalInt = '*int32,omitempty';
const optionalQuantity = '*quantity,omitempty';

const reference = [
  ['kind', 'string'],
  ['name', 'string'],
  ['apiVersion', 'string,omitempty'],
];

/** One alternative of a metric: its key, and its struct. */
function alternatives(suffix: string): readonly (readonly [string, string])[] {
  return ['object', 'pods', 'resource', 'containerResource', 'external'].map((key) => {
    const name = key[0]?.toUpperCase() + key.slice(1) + suffix;
    return [key, `*${typeNamed(name)},omitempty`];
  });
}

/**
 * The structs that `autoscaling/v1` stores in annotations (k8s.io/api, `autoscaling/v1`; the behavior in the
 * internal form, whose fields have no JSON names).
 */
const fields = (): Readonly<Record<string, readonly (readonly string[])[]>> => ({
  Metrics: [['items', `[]${typeNamed('Metric')}`]],
  Metric: [['type', 'string'], ...alternatives('Source')],
  ObjectSource: [
    ['target', typeNamed('Reference')],
    ['metricName', 'string'],
    ['targetValue', 'quantity'],
    ['selector', selector],
    ['averageValue', optionalQuantity],
  ],
  PodsSource: [
    ['metricName', 'string'],
    ['targetAverageValue', 'quantity'],
    ['selector', selector],
  ],
  ResourceSource: [
    ['name', 'string'],
    ['targetAverageUtilization', optionalInt],
    ['targetAverageValue', optionalQuantity],
  ],
  ContainerResourceSource: [
    ['name', 'string'],
    ['targetAverageUtilization', optionalInt],
    ['targetAverageValue', optionalQuantity],
    ['container', 'string'],
  ],
  ExternalSource: [
    ['metricName', 'string'],
    ['metricSelector', selector],
    ['targetValue', optionalQuantity],
    ['targetAverageValue', optionalQuantity],
  ],
  Statuses: [['items', `[]${typeNamed('Status')}`]],
  Status: [['type', 'string'], ...alternatives('Status')],
  ObjectStatus: [
    ['target', typeNamed('Reference')],
    ['metricName', 'string'],
    ['currentValue', 'quantity'],
    ['selector', selector],
    ['averageValue', optionalQuantity],
  ],
  PodsStatus: [
    ['metricName', 'string'],
    ['currentAverageValue', 'quantity'],
    ['selector', selector],
  ],
  ResourceStatus: [
    ['name', 'string'],
    ['currentAverageUtilization', optionalInt],
    ['currentAverageValue', 'quantity'],
  ],
  ContainerResourceStatus: [
    ['name', 'string'],
    ['currentAverageUtilization', optionalInt],
    ['currentAverageValue', 'quantity'],
    ['container', 'string'],
  ],
  ExternalStatus: [
    ['metricName', 'string'],
    ['metricSelector', selector],
    ['currentValue', 'quantity'],
    ['currentAverageValue', optionalQuantity],
  ],
  Conditions: [['items', `[]${typeNamed('Condition')}`]],
  Condition: [
    ['type', 'string'],
    ['status', 'string'],
    ['lastTransitionTime', 'time,omitempty'],
    ['reason', 'string,omitempty'],
    ['message', 'string,omitempty'],
    ['observedGeneration', '*int64,omitempty'],
  ],
  Behavior: [
    ['ScaleUp', `*${typeNamed('Rules')}`],
    ['ScaleDown', `*${typeNamed('Rules')}`],
  ],
  Rules: [
    ['StabilizationWindowSeconds', '*int32'],
    ['SelectPolicy', '*string'],
    ['Policies', `[]${typeNamed('Policy')}`],
    ['Tolerance', '*quantity'],
  ],
  Policy: [
    ['Type', 'string'],
    ['Value', 'int32'],
    ['PeriodSeconds', 'int32'],
  ],
  Reference: reference,
  Selector: [
    ['matchLabels', '{}string,omitempty'],
    ['matchExpressions', `[]${typeNamed('Requirement')},omitempty`],
  ],
  Requirement: [
    ['key', 'string'],
    ['operator', 'string'],
    ['values', '[]string,omitempty'],
  ],
});

function makeTypes(): TypeStore {
  const lines = Object.entries(fields()).map(
    ([name, rows]) => `${name} ${JSON.stringify({ fields: rows })}`,
  );
  return new TypeStore(0, new Map([[own, lines.join('\n')]]));
}

/** The structs of the annotations. */
export const annotationTypes: () => TypeStore = lazily(makeTypes);

/** A struct of the annotations, such as `Metrics`. */
export function annotationType(name: string): StructType {
  return annotationTypes().get(typeNamed(name)) as StructType;
}
