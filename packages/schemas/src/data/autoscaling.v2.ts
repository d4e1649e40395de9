// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `ContainerResourceMetricSource {"fields":[["name","string",{"go":"v1.ResourceName"}],["target","autoscaling.v2.MetricTarget"],["container","string"]]}
ContainerResourceMetricStatus {"fields":[["name","string",{"go":"v1.ResourceName"}],["current","autoscaling.v2.MetricValueStatus"],["container","string"]]}
CrossVersionObjectReference {"fields":[["kind","string"],["name","string"],["apiVersion","string,omitempty"]]}
ExternalMetricSource {"fields":[["metric","autoscaling.v2.MetricIdentifier"],["target","autoscaling.v2.MetricTarget"]]}
ExternalMetricStatus {"fields":[["metric","autoscaling.v2.MetricIdentifier"],["current","autoscaling.v2.MetricValueStatus"]]}
HPAScalingPolicy {"fields":[["type","string",{"go":"v2.HPAScalingPolicyType"}],["value","int32"],["periodSeconds","int32"]]}
HPAScalingRules {"fields":[["stabilizationWindowSeconds","*int32,omitempty"],["selectPolicy","*string,omitempty",{"go":"*v2.ScalingPolicySelect"}],["policies","[]autoscaling.v2.HPAScalingPolicy,omitempty"],["tolerance","*quantity,omitempty",{},[37,36,35,34,33]]]}
HorizontalPodAutoscaler {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","autoscaling.v2.HorizontalPodAutoscalerSpec,omitempty"],["status","autoscaling.v2.HorizontalPodAutoscalerStatus,omitempty"]]}
HorizontalPodAutoscalerBehavior {"fields":[["scaleUp","*autoscaling.v2.HPAScalingRules,omitempty"],["scaleDown","*autoscaling.v2.HPAScalingRules,omitempty"]]}
HorizontalPodAutoscalerCondition {"fields":[["type","string",{"go":"v2.HorizontalPodAutoscalerConditionType","key":""}],["status","string",{"go":"v1.ConditionStatus"}],["lastTransitionTime","time,omitempty"],["reason","string,omitempty"],["message","string,omitempty"],["observedGeneration","*int64,omitempty",{},[37]]]}
HorizontalPodAutoscalerList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]autoscaling.v2.HorizontalPodAutoscaler"]]}
HorizontalPodAutoscalerSpec {"fields":[["scaleTargetRef","autoscaling.v2.CrossVersionObjectReference"],["minReplicas","*int32,omitempty"],["maxReplicas","int32"],["metrics","[]autoscaling.v2.MetricSpec,omitempty"],["behavior","*autoscaling.v2.HorizontalPodAutoscalerBehavior,omitempty"]]}
HorizontalPodAutoscalerStatus {"fields":[["observedGeneration","*int64,omitempty"],["lastScaleTime","*time,omitempty"],["currentReplicas","int32,omitempty"],["desiredReplicas","int32"],["currentMetrics","[]autoscaling.v2.MetricStatus"],["conditions","[]autoscaling.v2.HorizontalPodAutoscalerCondition,omitempty",{"list":"map","keys":["type"]}]]}
MetricIdentifier {"fields":[["name","string"],["selector","*meta.v1.LabelSelector,omitempty"]]}
MetricSpec {"fields":[["type","string",{"go":"v2.MetricSourceType"}],["object","*autoscaling.v2.ObjectMetricSource,omitempty"],["pods","*autoscaling.v2.PodsMetricSource,omitempty"],["resource","*autoscaling.v2.ResourceMetricSource,omitempty"],["containerResource","*autoscaling.v2.ContainerResourceMetricSource,omitempty"],["external","*autoscaling.v2.ExternalMetricSource,omitempty"]]}
MetricStatus {"fields":[["type","string",{"go":"v2.MetricSourceType"}],["object","*autoscaling.v2.ObjectMetricStatus,omitempty"],["pods","*autoscaling.v2.PodsMetricStatus,omitempty"],["resource","*autoscaling.v2.ResourceMetricStatus,omitempty"],["containerResource","*autoscaling.v2.ContainerResourceMetricStatus,omitempty"],["external","*autoscaling.v2.ExternalMetricStatus,omitempty"]]}
MetricTarget {"fields":[["type","string",{"go":"v2.MetricTargetType"}],["value","*quantity,omitempty"],["averageValue","*quantity,omitempty"],["averageUtilization","*int32,omitempty"]]}
MetricValueStatus {"fields":[["value","*quantity,omitempty"],["averageValue","*quantity,omitempty"],["averageUtilization","*int32,omitempty"]]}
ObjectMetricSource {"fields":[["describedObject","autoscaling.v2.CrossVersionObjectReference"],["target","autoscaling.v2.MetricTarget"],["metric","autoscaling.v2.MetricIdentifier"]]}
ObjectMetricStatus {"fields":[["metric","autoscaling.v2.MetricIdentifier"],["current","autoscaling.v2.MetricValueStatus"],["describedObject","autoscaling.v2.CrossVersionObjectReference"]]}
PodsMetricSource {"fields":[["metric","autoscaling.v2.MetricIdentifier"],["target","autoscaling.v2.MetricTarget"]]}
PodsMetricStatus {"fields":[["metric","autoscaling.v2.MetricIdentifier"],["current","autoscaling.v2.MetricValueStatus"]]}
ResourceMetricSource {"fields":[["name","string",{"go":"v1.ResourceName"}],["target","autoscaling.v2.MetricTarget"]]}
ResourceMetricStatus {"fields":[["name","string",{"go":"v1.ResourceName"}],["current","autoscaling.v2.MetricValueStatus"]]}`;
