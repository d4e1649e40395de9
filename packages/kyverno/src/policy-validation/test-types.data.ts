/** A type of the Kyverno CLI's files of tests, values and users. */
export type TestType =
  | 'tests.Test'
  | 'tests.Result'
  | 'tests.ResourceSpec'
  | 'tests.APICallResponse'
  | 'tests.Response'
  | 'tests.GlobalContextEntry'
  | 'tests.Projection'
  | 'tests.Values'
  | 'tests.NamespaceSelector'
  | 'tests.PolicyValues'
  | 'tests.ResourceValues'
  | 'tests.RuleValues'
  | 'tests.Subresource'
  | 'tests.UserInfo'
  | 'tests.User'
  | 'meta.v1.ObjectMeta';

/**
 * The fields of the Kyverno CLI's files of tests, values and users (`cli.kyverno.io/v1alpha1`), in the form of the
 * tables of Kubernetes' types. Each kind is the type of its name.
 */
export const testTypes: string = `Test {"fields":[["apiVersion","string"],["kind","string"],["metadata","meta.v1.ObjectMeta"],["name","string"],["policies","[]string"],["resources","[]string"],["targetResources","[]string"],["paramResources","[]string"],["clusterResources","[]string"],["exceptions","[]string"],["jsonPayload","string"],["jsonPayloads","[]string"],["httpPayloads","[]string"],["envoyPayloads","[]string"],["variables","string"],["userinfo","string"],["context","string"],["values","tests.Values"],["apiCallResponses","[]tests.APICallResponse"],["globalContextEntries","[]tests.GlobalContextEntry"],["results","[]tests.Result"]]}
Result {"fields":[["policy","string"],["rule","string"],["resources","[]string"],["resourceSpecs","[]tests.ResourceSpec"],["kind","string"],["operation","string",{"go":"Operation"}],["result","string",{"go":"Result"}],["patchedResources","string"],["generatedResource","string"],["generatedResources","[]string"],["cloneSourceResource","string"],["failOnMissingResources","bool"],["isValidatingAdmissionPolicy","bool"],["isMutatingAdmissionPolicy","bool"],["isValidatingPolicy","bool"],["isMutatingPolicy","bool"],["isDeletingPolicy","bool"],["isGeneratingPolicy","bool"],["isImageValidatingPolicy","bool"]]}
ResourceSpec {"fields":[["group","string"],["version","string"],["kind","string"],["namespace","string"],["subresource","string"],["name","string"]]}
APICallResponse {"fields":[["url","string"],["urlPath","string"],["method","string"],["response","tests.Response"]]}
Response {"fields":[["statusCode","int"],["body","{}free"]]}
GlobalContextEntry {"fields":[["name","string"],["data","free"],["resources","[]free"],["resourceFiles","[]string"],["fieldPath","string"],["projections","[]tests.Projection"]]}
Projection {"fields":[["name","string"],["path","string"]]}
Values {"fields":[["apiVersion","string"],["kind","string"],["metadata","meta.v1.ObjectMeta"],["globalValues","{}string"],["namespaceSelector","[]tests.NamespaceSelector"],["namespaces","[]free"],["policies","[]tests.PolicyValues"],["subresources","[]tests.Subresource"]]}
NamespaceSelector {"fields":[["name","string"],["labels","{}string"]]}
PolicyValues {"fields":[["name","string"],["resources","[]tests.ResourceValues"],["rules","[]tests.RuleValues"]]}
ResourceValues {"fields":[["name","string"],["values","{}free"]]}
RuleValues {"fields":[["name","string"],["values","{}free"],["foreachValues","{}free"]]}
Subresource {"fields":[["subresource","tests.ResourceSpec"],["parentResource","tests.ResourceSpec"]]}
UserInfo {"fields":[["apiVersion","string"],["kind","string"],["metadata","meta.v1.ObjectMeta"],["roles","[]string"],["clusterRoles","[]string"],["userInfo","tests.User"],["synced","bool"]]}
User {"fields":[["username","string"],["uid","string"],["groups","[]string"],["extra","{}free"]]}`;
