// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `APIService {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","apiregistration.v1.APIServiceSpec,omitempty"],["status","apiregistration.v1.APIServiceStatus,omitempty"]]}
APIServiceCondition {"fields":[["type","string",{"go":"v1.APIServiceConditionType","key":""}],["status","string",{"go":"v1.ConditionStatus"}],["lastTransitionTime","time,omitempty"],["reason","string,omitempty"],["message","string,omitempty"]]}
APIServiceList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]apiregistration.v1.APIService"]]}
APIServiceSpec {"fields":[["service","*apiregistration.v1.ServiceReference,omitempty"],["group","string,omitempty"],["version","string,omitempty"],["insecureSkipTLSVerify","bool,omitempty"],["caBundle","bytes,omitempty"],["groupPriorityMinimum","int32"],["versionPriority","int32"]]}
APIServiceStatus {"fields":[["conditions","[]apiregistration.v1.APIServiceCondition,omitempty",{"list":"map","keys":["type"]}]]}
ServiceReference {"fields":[["namespace","string,omitempty"],["name","string,omitempty"],["port","*int32,omitempty"]]}`;
