// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `Endpoint {"fields":[["addresses","[]string",{"list":"set"}],["conditions","discovery.v1.EndpointConditions,omitempty"],["hostname","*string,omitempty"],["targetRef","*core.v1.ObjectReference,omitempty"],["deprecatedTopology","{}string,omitempty"],["nodeName","*string,omitempty"],["zone","*string,omitempty"],["hints","*discovery.v1.EndpointHints,omitempty"]]}
EndpointConditions {"fields":[["ready","*bool,omitempty"],["serving","*bool,omitempty"],["terminating","*bool,omitempty"]]}
EndpointHints {"fields":[["forZones","[]discovery.v1.ForZone,omitempty"],["forNodes","[]discovery.v1.ForNode,omitempty",{},[37,36,35,34,33]]]}
EndpointPort {"map":"atomic","fields":[["name","*string,omitempty"],["protocol","*string,omitempty",{"go":"*v1.Protocol"}],["port","*int32,omitempty"],["appProtocol","*string,omitempty"]]}
EndpointSlice {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["addressType","string",{"go":"v1.AddressType"}],["endpoints","[]discovery.v1.Endpoint"],["ports","[]discovery.v1.EndpointPort"]]}
EndpointSliceList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]discovery.v1.EndpointSlice"]]}
ForNode {"fields":[["name","string"]]}
ForZone {"fields":[["name","string"]]}`;
