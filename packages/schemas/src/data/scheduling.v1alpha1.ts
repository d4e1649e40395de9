// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `BasicSchedulingPolicy {"fields":[]}
GangSchedulingPolicy {"fields":[["minCount","int32"]]}
PodGroup {"fields":[["name","string",{"key":""}],["policy","scheduling.v1alpha1.PodGroupPolicy"]]}
PodGroupPolicy {"fields":[["basic","*scheduling.v1alpha1.BasicSchedulingPolicy,omitempty"],["gang","*scheduling.v1alpha1.GangSchedulingPolicy,omitempty"]]}
TypedLocalObjectReference {"fields":[["apiGroup","string,omitempty"],["kind","string"],["name","string"]]}
Workload {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","scheduling.v1alpha1.WorkloadSpec"]]}
WorkloadList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]scheduling.v1alpha1.Workload"]]}
WorkloadSpec {"fields":[["controllerRef","*scheduling.v1alpha1.TypedLocalObjectReference,omitempty"],["podGroups","[]scheduling.v1alpha1.PodGroup",{"list":"map","keys":["name"]}]]}`;
