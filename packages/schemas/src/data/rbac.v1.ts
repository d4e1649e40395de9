// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `AggregationRule {"fields":[["clusterRoleSelectors","[]meta.v1.LabelSelector,omitempty"]]}
ClusterRole {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["rules","[]rbac.v1.PolicyRule"],["aggregationRule","*rbac.v1.AggregationRule,omitempty"]]}
ClusterRoleBinding {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["subjects","[]rbac.v1.Subject,omitempty"],["roleRef","rbac.v1.RoleRef"]]}
ClusterRoleBindingList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]rbac.v1.ClusterRoleBinding"]]}
ClusterRoleList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]rbac.v1.ClusterRole"]]}
PolicyRule {"fields":[["verbs","[]string"],["apiGroups","[]string,omitempty"],["resources","[]string,omitempty"],["resourceNames","[]string,omitempty"],["nonResourceURLs","[]string,omitempty"]]}
Role {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["rules","[]rbac.v1.PolicyRule"]]}
RoleBinding {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["subjects","[]rbac.v1.Subject,omitempty"],["roleRef","rbac.v1.RoleRef"]]}
RoleBindingList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]rbac.v1.RoleBinding"]]}
RoleList {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ListMeta,omitempty"],["items","[]rbac.v1.Role"]]}
RoleRef {"map":"atomic","fields":[["apiGroup","string"],["kind","string"],["name","string"]]}
Subject {"map":"atomic","fields":[["kind","string"],["apiGroup","string,omitempty"],["name","string"],["namespace","string,omitempty"]]}`;
