/** Why a string cannot be parsed, in the words of the Go package that kube-apiserver parses it with. */
export interface ParseError {
  /** What is wrong, in the words of Kubernetes. */
  readonly error: string;
}
