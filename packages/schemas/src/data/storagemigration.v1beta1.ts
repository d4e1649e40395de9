// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `StorageVersionMigration {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","storagemigration.v1beta1.StorageVersionMigrationSpec,omitempty"],["status","storagemigration.v1beta1.StorageVersionMigrationStatus,omitempty"]]}
StorageVersionMigrationList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]storagemigration.v1beta1.StorageVersionMigration"]]}
StorageVersionMigrationSpec {"fields":[["resource","meta.v1.GroupResource"]]}
StorageVersionMigrationStatus {"fields":[["conditions","[]meta.v1.Condition,omitempty",{"list":"map","keys":["type"]}],["resourceVersion","string,omitempty"]]}`;
