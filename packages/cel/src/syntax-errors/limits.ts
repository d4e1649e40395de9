/** The limits of the CEL parser; kube-apiserver uses cel-go's defaults (parser/parser.go, `NewParser`). */
export const parserLimits = {
  /** Code points of one expression. */
  codePoints: 100_000,
  /** Invocations of one grammar rule inside each other. */
  ruleDepth: 250,
  /** Depth of operators, selections and calls in the parsed expression. */
  expressionDepth: 250,
  /** Attempts to continue after a syntax error. */
  recoveries: 30,
  /** Tokens that one such attempt may skip. */
  recoveryTokens: 256,
  /** Syntax errors after which parsing ends, and messages that are kept. */
  messages: 100,
} as const;

/** Thrown to end parsing when a limit is exceeded; the message says which, if it is still to be reported. */
export class LimitExceeded extends Error {}
