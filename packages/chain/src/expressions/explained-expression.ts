/** One expression that was evaluated. */
export interface ExplainedExpression {
  /** Its place in the policy: `spec.validations[0].expression`. */
  readonly path: string;
  /** Its text. */
  readonly expression: string;
  /** The value as a CEL literal; absent for an error. */
  readonly value?: string;
  /** The message of the error that it returned. */
  readonly error?: string;
  /** The cost of its evaluation in CEL cost units. */
  readonly cost: number;
  /** The values of relevant subexpressions, in source order. */
  readonly steps: readonly ExplainedStep[];
  /** The operands of `&&`, `||`, `? :` and `!`, in the order of the text; absent for other expressions. */
  readonly parts?: readonly ExplainedPart[];
}

/** An operand of a choice. */
export interface ExplainedPart {
  /** The text of the part. */
  readonly expression: string;
  /** Absent where it was not evaluated, since the others had decided. */
  readonly value?: string;
  /** Whether this part decided the result. */
  readonly isDecisive: boolean;
  /** The line of the policy in which it begins. */
  readonly policyLine?: number;
}

/** The value of an expression within another. */
export interface ExplainedStep {
  /** The text of the subexpression. */
  readonly expression: string;
  /** The value as a CEL literal. */
  readonly value: string;
  /** The line that the value is from, of the manifest or of the parameter. */
  readonly line?: number;
  /** The file of that line, where it is that of the parameter. */
  readonly file?: string;
  /** Which part of a choice it belongs to, by its number there. */
  readonly part?: number;
  /** The evaluated iterations, if the expression is a macro such as `all` or `map`. */
  readonly turns?: readonly ExplainedTurn[];
}

/** A turn of a loop. */
export interface ExplainedTurn {
  /** Which element it was about: `containers[1] "web"`. */
  readonly element: string;
  /** The value of the last argument of the loop for the element. */
  readonly value: string;
  /** The values of relevant subexpressions, in source order. */
  readonly steps: readonly ExplainedStep[];
  /** As of an expression. */
  readonly parts?: readonly ExplainedPart[];
}
