import { lazily } from '@kubeadmit/base';
import { type StructType, TypeStore } from '../types/type-store.ts';

/** The Go package of the structs. */
const own = 'autoscaling.annotations';

/**
 * The structs that `autoscaling/v1` stores in annotations (k8s.io/api, `autoscaling/v1`; the behavior in the
 * internal form, whose fields have no JSON names). Types with a capital are structs of this table; `?` marks fields that
 * are left out if they are empty.
 */
const structs = `
Metrics items:[]Metric
Metric type:string object:*ObjectSource? pods:*PodsSource? resource:*ResourceSource? containerResource:*ContainerResourceSource? external:*ExternalSource?
ObjectSource target:Reference metricName:string targetValue:quantity selector:*Selector? averageValue:*quantity?
PodsSource metricName:string targetAverageValue:quantity selector:*Selector?
ResourceSource name:string targetAverageUtilization:*int32? targetAverageValue:*quantity?
ContainerResourceSource name:string targetAverageUtilization:*int32? targetAverageValue:*quantity? container:string
ExternalSource metricName:string metricSelector:*Selector? targetValue:*quantity? targetAverageValue:*quantity?
Statuses items:[]Status
Status type:string object:*ObjectStatus? pods:*PodsStatus? resource:*ResourceStatus? containerResource:*ContainerResourceStatus? external:*ExternalStatus?
ObjectStatus target:Reference metricName:string currentValue:quantity selector:*Selector? averageValue:*quantity?
PodsStatus metricName:string currentAverageValue:quantity selector:*Selector?
ResourceStatus name:string currentAverageUtilization:*int32? currentAverageValue:quantity
ContainerResourceStatus name:string currentAverageUtilization:*int32? currentAverageValue:quantity container:string
ExternalStatus metricName:string metricSelector:*Selector? currentValue:quantity currentAverageValue:*quantity?
Conditions items:[]Condition
Condition type:string status:string lastTransitionTime:time? reason:string? message:string? observedGeneration:*int64?
Behavior ScaleUp:*Rules ScaleDown:*Rules
Rules StabilizationWindowSeconds:*int32 SelectPolicy:*string Policies:[]Policy Tolerance:*quantity
Policy Type:string Value:int32 PeriodSeconds:int32
Reference kind:string name:string apiVersion:string?
Selector matchLabels:{}string? matchExpressions:[]Requirement?
Requirement key:string operator:string values:[]string?
`;

function readStruct(line: string): string {
  const [name, ...fields] = line.split(' ');
  const rows = fields.map((field) => {
    const [key, type = ''] = field.split(':');
    return [key, type.replace(/[A-Z]\w*/, `${own}.$&`).replace('?', ',omitempty')];
  });
  return `${name} ${JSON.stringify({ fields: rows })}`;
}

/** The structs of the annotations. */
export const annotationTypes: () => TypeStore = lazily(() => {
  const lines = structs.trim().split('\n').map(readStruct);
  return new TypeStore(0, new Map([[own, lines.join('\n')]]));
});

/** A struct of the annotations, such as `Metrics`. */
export function annotationType(name: string): StructType {
  return annotationTypes().get(`${own}.${name}`) as StructType;
}
