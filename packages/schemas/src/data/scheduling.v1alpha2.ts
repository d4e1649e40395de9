// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `BasicSchedulingPolicy {"fields":[]}
GangSchedulingPolicy {"fields":[["minCount","int32"]]}
PodGroup {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","scheduling.v1alpha2.PodGroupSpec"],["status","scheduling.v1alpha2.PodGroupStatus,omitempty"]]}
PodGroupList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]scheduling.v1alpha2.PodGroup"]]}
PodGroupResourceClaim {"fields":[["name","string",{"key":""}],["resourceClaimName","*string,omitempty"],["resourceClaimTemplateName","*string,omitempty"]]}
PodGroupResourceClaimStatus {"fields":[["name","string",{"key":""}],["resourceClaimName","*string,omitempty"]]}
PodGroupSchedulingConstraints {"fields":[["topology","[]scheduling.v1alpha2.TopologyConstraint,omitempty"]]}
PodGroupSchedulingPolicy {"fields":[["basic","*scheduling.v1alpha2.BasicSchedulingPolicy,omitempty"],["gang","*scheduling.v1alpha2.GangSchedulingPolicy,omitempty"]]}
PodGroupSpec {"fields":[["podGroupTemplateRef","*scheduling.v1alpha2.PodGroupTemplateReference"],["schedulingPolicy","scheduling.v1alpha2.PodGroupSchedulingPolicy"],["schedulingConstraints","*scheduling.v1alpha2.PodGroupSchedulingConstraints,omitempty"],["resourceClaims","[]scheduling.v1alpha2.PodGroupResourceClaim,omitempty",{"list":"map","keys":["name"]}],["disruptionMode","*string,omitempty",{"go":"*v1alpha2.DisruptionMode"}],["priorityClassName","string,omitempty"],["priority","*int32,omitempty"]]}
PodGroupStatus {"fields":[["conditions","[]meta.v1.Condition,omitempty",{"list":"map","keys":["type"]}],["resourceClaimStatuses","[]scheduling.v1alpha2.PodGroupResourceClaimStatus,omitempty",{"list":"map","keys":["name"]}]]}
PodGroupTemplate {"fields":[["name","string",{"key":""}],["schedulingPolicy","scheduling.v1alpha2.PodGroupSchedulingPolicy"],["schedulingConstraints","*scheduling.v1alpha2.PodGroupSchedulingConstraints"],["resourceClaims","[]scheduling.v1alpha2.PodGroupResourceClaim,omitempty",{"list":"map","keys":["name"]}],["disruptionMode","*string,omitempty",{"go":"*v1alpha2.DisruptionMode"}],["priorityClassName","string,omitempty"],["priority","*int32,omitempty"]]}
PodGroupTemplateReference {"fields":[["workload","*scheduling.v1alpha2.WorkloadPodGroupTemplateReference"]]}
TopologyConstraint {"fields":[["key","string"]]}
TypedLocalObjectReference {"fields":[["apiGroup","string,omitempty"],["kind","string"],["name","string"]]}
Workload {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","scheduling.v1alpha2.WorkloadSpec"]]}
WorkloadList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]scheduling.v1alpha2.Workload"]]}
WorkloadPodGroupTemplateReference {"fields":[["workloadName","string"],["podGroupTemplateName","string"]]}
WorkloadSpec {"fields":[["controllerRef","*scheduling.v1alpha2.TypedLocalObjectReference,omitempty"],["podGroupTemplates","[]scheduling.v1alpha2.PodGroupTemplate",{"list":"map","keys":["name"]}]]}`;
