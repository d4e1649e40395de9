/** A type of the Kyverno CLI's files of tests, values and users. */
export type TestType =
  | 'tests.Test'
  | 'tests.TestResult'
  | 'tests.TestResourceSpec'
  | 'tests.APICallResponseEntry'
  | 'tests.APICallResponse'
  | 'tests.GlobalContextEntryValue'
  | 'tests.GlobalContextProjection'
  | 'tests.Values'
  | 'tests.NamespaceSelector'
  | 'tests.Policy'
  | 'tests.Resource'
  | 'tests.Rule'
  | 'tests.Subresource'
  | 'tests.UserInfo'
  | 'auth.v1.UserInfo'
  | 'tests.APIResource'
  | 'tests.Context'
  | 'tests.ClusterResource'
  | 'meta.v1.ObjectMeta';

/**
 * The fields of the Kyverno CLI's files of tests, values and users (`cli.kyverno.io/v1alpha1`), in the form of the
 * tables of Kubernetes' types. Each kind is the type of its name.
 */
export const testTypes: string = `Test {"fields":[["apiVersion","string"],["kind","string"],["metadata","meta.v1.ObjectMeta"],["name","string"],["policies","[]string"],["resources","[]string"],["targetResources","[]string"],["paramResources","[]string"],["clusterResources","[]string"],["exceptions","[]string"],["jsonPayload","string"],["jsonPayloads","[]string"],["httpPayloads","[]string"],["envoyPayloads","[]string"],["variables","string"],["userinfo","string"],["context","string"],["values","tests.Values"],["apiCallResponses","[]tests.APICallResponseEntry"],["globalContextEntries","[]tests.GlobalContextEntryValue"],["results","[]tests.TestResult"]]}
TestResult {"fields":[["policy","string"],["rule","string"],["resources","[]string"],["resourceSpecs","[]tests.TestResourceSpec"],["kind","string"],["operation","string",{"go":"Operation"}],["result","string",{"go":"Result"}],["patchedResources","string"],["generatedResource","string"],["generatedResources","[]string"],["cloneSourceResource","string"],["failOnMissingResources","bool"],["isValidatingAdmissionPolicy","bool"],["isMutatingAdmissionPolicy","bool"],["isValidatingPolicy","bool"],["isMutatingPolicy","bool"],["isDeletingPolicy","bool"],["isGeneratingPolicy","bool"],["isImageValidatingPolicy","bool"]]}
TestResourceSpec {"fields":[["group","string"],["version","string"],["kind","string"],["namespace","string"],["subresource","string"],["name","string"]]}
APICallResponseEntry {"fields":[["url","string"],["urlPath","string"],["method","string"],["response","tests.APICallResponse"]]}
APICallResponse {"fields":[["statusCode","int"],["body","{}free"]]}
GlobalContextEntryValue {"fields":[["name","string"],["data","free"],["resources","[]free"],["resourceFiles","[]string"],["fieldPath","string"],["projections","[]tests.GlobalContextProjection"]]}
GlobalContextProjection {"fields":[["name","string"],["path","string"]]}
Values {"fields":[["apiVersion","string"],["kind","string"],["metadata","meta.v1.ObjectMeta"],["globalValues","{}free"],["namespaceSelector","[]tests.NamespaceSelector"],["namespaces","[]core.v1.Namespace"],["policies","[]tests.Policy"],["subresources","[]tests.Subresource"]]}
NamespaceSelector {"fields":[["name","string"],["labels","{}string"]]}
Policy {"fields":[["name","string"],["resources","[]tests.Resource"],["rules","[]tests.Rule"]]}
Resource {"fields":[["name","string"],["values","{}free"]]}
Rule {"fields":[["name","string"],["values","{}free"],["foreachValues","{}[]free",{"go":"map[string][]interface {}"}]]}
Subresource {"fields":[["subresource","tests.APIResource"],["parentResource","tests.APIResource"]]}
APIResource {"fields":[["name","string"],["singularName","string"],["namespaced","bool"],["group","string"],["version","string"],["kind","string"],["verbs","[]string",{"go":"v1.Verbs"}],["shortNames","[]string"],["categories","[]string"],["storageVersionHash","string"]]}
UserInfo {"fields":[["apiVersion","string"],["kind","string"],["metadata","meta.v1.ObjectMeta"],["roles","[]string"],["clusterRoles","[]string"],["userInfo","auth.v1.UserInfo"],["synchronize","bool"]]}
Context {"fields":[["apiVersion","string"],["kind","string"],["metadata","meta.v1.ObjectMeta"],["spec","tests.ContextSpec"]]}
ContextSpec {"fields":[["resources","[]free"],["images","[]tests.ImageData"]]}
ImageData {"fields":[["image","string"],["resolvedImage","string"],["registry","string"],["repository","string"],["tag","string"],["digest","string"],["imageIndex","free"],["manifest","free"],["config","free"]]}
ClusterResource {"fields":[["apiVersion","string"],["kind","string"],["metadata","meta.v1.ObjectMeta"],["spec","tests.ClusterResourceSpec"]]}
ClusterResourceSpec {"fields":[["crds","[]string"],["resources","[]free"]]}`;

/** The user of requests (`authentication.k8s.io/v1`). */
export const userTypes: string = `UserInfo {"fields":[["username","string"],["uid","string"],["groups","[]string"],["extra","{}[]string",{"go":"map[string]v1.ExtraValue"}]]}`;
