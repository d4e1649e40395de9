/** The minor version of Kubernetes whose CEL libraries Kyverno 1.19 has. */
export const kubernetesMinor = 36;
