/** Why a string cannot be parsed, in the words of the Go package that kube-apiserver parses it with. */
export interface ParseError {
  /** The message of Kubernetes. */
  readonly error: string;
}
