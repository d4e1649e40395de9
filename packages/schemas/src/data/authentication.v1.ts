// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `BoundObjectReference {"fields":[["kind","string,omitempty"],["apiVersion","string,omitempty"],["name","string,omitempty"],["uid","string,omitempty",{"go":"types.UID"}]]}
SelfSubjectReview {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["status","authentication.v1.SelfSubjectReviewStatus,omitempty"]]}
SelfSubjectReviewStatus {"fields":[["userInfo","authentication.v1.UserInfo,omitempty"]]}
TokenRequest {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","authentication.v1.TokenRequestSpec"],["status","authentication.v1.TokenRequestStatus,omitempty"]]}
TokenRequestSpec {"fields":[["audiences","[]string"],["expirationSeconds","*int64"],["boundObjectRef","*authentication.v1.BoundObjectReference"],["attestations","{}[]string,omitempty",{"go":"map[string]v1.AttestationValue"},[37]]]}
TokenRequestStatus {"fields":[["token","string"],["expirationTimestamp","time"]]}
TokenReview {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["spec","authentication.v1.TokenReviewSpec"],["status","authentication.v1.TokenReviewStatus,omitempty"]]}
TokenReviewSpec {"fields":[["token","string,omitempty"],["audiences","[]string,omitempty"]]}
TokenReviewStatus {"fields":[["authenticated","bool,omitempty"],["user","authentication.v1.UserInfo,omitempty"],["audiences","[]string,omitempty"],["error","string,omitempty"]]}
UserInfo {"fields":[["username","string,omitempty"],["uid","string,omitempty"],["groups","[]string,omitempty"],["extra","{}[]string,omitempty",{"go":"map[string]v1.ExtraValue"}]]}`;
