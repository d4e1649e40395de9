// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `Eviction {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","lifecycle.v1alpha1.EvictionSpec"],["status","lifecycle.v1alpha1.EvictionStatus,omitempty"]]}
EvictionList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]lifecycle.v1alpha1.Eviction"]]}
EvictionPodReference {"fields":[["name","string"],["uid","string",{"go":"types.UID"}]]}
EvictionRequest {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","lifecycle.v1alpha1.EvictionRequestSpec"],["status","lifecycle.v1alpha1.EvictionRequestStatus,omitempty"]]}
EvictionRequestList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]lifecycle.v1alpha1.EvictionRequest"]]}
EvictionRequestPodReference {"fields":[["name","string"],["uid","string",{"go":"types.UID"}]]}
EvictionRequestSpec {"fields":[["target","lifecycle.v1alpha1.EvictionRequestTarget"],["requester","string"],["intent","string",{"go":"v1alpha1.EvictionRequestIntent"}]]}
EvictionRequestStatus {"fields":[["conditions","[]meta.v1.Condition,omitempty",{"list":"map","keys":["type"]}],["observedGeneration","*int64,omitempty"]]}
EvictionRequestTarget {"fields":[["pod","*lifecycle.v1alpha1.EvictionRequestPodReference,omitempty"]]}
EvictionSpec {"fields":[["target","lifecycle.v1alpha1.EvictionTarget"]]}
EvictionStatus {"fields":[["conditions","[]meta.v1.Condition,omitempty",{"list":"map","keys":["type"]}],["observedGeneration","*int64,omitempty"],["requesters","[]lifecycle.v1alpha1.Requester,omitempty",{"list":"map","keys":["name"]}],["targetResponders","[]lifecycle.v1alpha1.TargetResponder,omitempty",{"list":"map","keys":["name"]}],["responders","[]lifecycle.v1alpha1.ResponderStatus,omitempty",{"list":"map","keys":["name"]}]]}
EvictionTarget {"fields":[["pod","*lifecycle.v1alpha1.EvictionPodReference,omitempty"]]}
Requester {"map":"atomic","fields":[["name","string",{"key":""}],["intent","string",{"go":"v1alpha1.RequesterIntent"}]]}
ResponderStatus {"map":"granular","fields":[["name","string",{"key":""}],["startTime","*time,omitempty"],["heartbeatTime","*time,omitempty"],["expectedCompletionTime","*time,omitempty"],["completionTime","*time,omitempty"],["message","*string,omitempty"]]}
TargetResponder {"map":"atomic","fields":[["name","string",{"key":""}],["priority","*int32"],["state","string",{"go":"v1alpha1.ResponderStateType"}]]}`;
