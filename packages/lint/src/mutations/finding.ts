/** A problem of a mutation, with its position in the expression. */
export interface MutationFinding {
  readonly code: MutationCode;
  /** Offset in the expression, in UTF-16 units. */
  readonly position: number;
  readonly message: string;
  /** It holds for every request that the mutation runs on, and not only for some. */
  readonly isSure: boolean;
}

/** The code of a finding. */
export type MutationCode =
  /** The mutation fails, with kube-apiserver's text. */
  | 'mutation-refused'
  /** The object that it makes fails kube-apiserver's validation afterwards. */
  | 'mutation-invalid-value'
  /** It does something else than it says, or nothing. */
  | 'mutation-no-effect'
  /** An expression reads a field that the kind does not have. */
  | 'unknown-field';
