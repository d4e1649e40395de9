// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `VolumeAttributesClass {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["driverName","string"],["parameters","{}string,omitempty"]]}
VolumeAttributesClassList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]storage.v1alpha1.VolumeAttributesClass"]]}`;
