/**
 * An evaluation that failed. Failures are values, so that the expression around them can absorb them.
 *
 * `missingKey` is true for a map without the requested key, which most constructs treat as null.
 */
export class Failure {
  /** In the words of the library. */
  readonly message: string;
  /** Whether a requested member does not exist. */
  readonly missingKey: boolean;

  constructor(message: string, missingKey = false) {
    this.message = message;
    this.missingKey = missingKey;
  }
}

/** Null for a missing key; anything else stays. */
export function absorb(value: unknown): unknown {
  return value instanceof Failure && value.missingKey ? null : value;
}

/** An expression as an argument (`&a.b`), to be applied by the function that gets it. */
export class ExpressionReference {
  /** The expression as error texts print it. */
  readonly text: string;
  readonly apply: (value: unknown) => unknown;

  constructor(text: string, apply: (value: unknown) => unknown) {
    this.text = text;
    this.apply = apply;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): object {
    return {};
  }
}
