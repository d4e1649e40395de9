// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `CrossVersionObjectReference {"map":"atomic","fields":[["kind","string"],["name","string"],["apiVersion","string,omitempty"]]}
HorizontalPodAutoscaler {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","autoscaling.v1.HorizontalPodAutoscalerSpec,omitempty"],["status","autoscaling.v1.HorizontalPodAutoscalerStatus,omitempty"]]}
HorizontalPodAutoscalerList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]autoscaling.v1.HorizontalPodAutoscaler"]]}
HorizontalPodAutoscalerSpec {"fields":[["scaleTargetRef","autoscaling.v1.CrossVersionObjectReference"],["minReplicas","*int32,omitempty"],["maxReplicas","int32"],["targetCPUUtilizationPercentage","*int32,omitempty"]]}
HorizontalPodAutoscalerStatus {"fields":[["observedGeneration","*int64,omitempty"],["lastScaleTime","*time,omitempty"],["currentReplicas","int32"],["desiredReplicas","int32"],["currentCPUUtilizationPercentage","*int32,omitempty"]]}
Scale {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","autoscaling.v1.ScaleSpec,omitempty"],["status","autoscaling.v1.ScaleStatus,omitempty"]]}
ScaleSpec {"fields":[["replicas","int32,omitempty"]]}
ScaleStatus {"fields":[["replicas","int32"],["selector","string,omitempty"]]}`;
