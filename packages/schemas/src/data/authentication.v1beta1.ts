// Facts of every version, as JSON. Written by tooling/schemas.
export const text: string = `SelfSubjectReview {"fields":[["kind","string,omitempty",{"inside":"TypeMeta"}],["apiVersion","string,omitempty",{"inside":"TypeMeta"}],["metadata","meta.v1.ObjectMeta,omitempty"],["status","authentication.v1beta1.SelfSubjectReviewStatus,omitempty"]]}
SelfSubjectReviewStatus {"fields":[["userInfo","authentication.v1.UserInfo,omitempty"]]}`;
