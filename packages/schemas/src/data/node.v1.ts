// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `Overhead {"fields":[["podFixed","{}quantity,omitempty",{"go":"v1.ResourceList"}]]}
RuntimeClass {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["handler","string"],["overhead","*node.v1.Overhead,omitempty"],["scheduling","*node.v1.Scheduling,omitempty"]]}
RuntimeClassList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]node.v1.RuntimeClass"]]}
Scheduling {"fields":[["nodeSelector","{}string,omitempty",{"map":"atomic"}],["tolerations","[]core.v1.Toleration,omitempty"]]}`;
