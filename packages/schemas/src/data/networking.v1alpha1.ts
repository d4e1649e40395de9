// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `IPAddress {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","networking.v1alpha1.IPAddressSpec,omitempty"]]}
IPAddressList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]networking.v1alpha1.IPAddress"]]}
IPAddressSpec {"fields":[["parentRef","*networking.v1alpha1.ParentReference,omitempty"]]}
ParentReference {"fields":[["group","string,omitempty"],["resource","string,omitempty"],["namespace","string,omitempty"],["name","string,omitempty"]]}
ServiceCIDR {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","networking.v1alpha1.ServiceCIDRSpec,omitempty"],["status","networking.v1alpha1.ServiceCIDRStatus,omitempty"]]}
ServiceCIDRList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]networking.v1alpha1.ServiceCIDR"]]}
ServiceCIDRSpec {"fields":[["cidrs","[]string,omitempty"]]}
ServiceCIDRStatus {"fields":[["conditions","[]meta.v1.Condition,omitempty",{"list":"map","keys":["type"]}]]}`;
