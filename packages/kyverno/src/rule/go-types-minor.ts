/** The minor version of the Go types that Kyverno 1.19 is built with (`k8s.io/api` 0.36). */
export const goTypesMinor = 36;
