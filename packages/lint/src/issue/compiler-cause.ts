/** The kinds of compiler errors whose facts other code reads. */
export type CauseKind = 'unknown-name' | 'unknown-field' | 'no-overload' | 'unknown-character';

/** An error of the compiler about an expression. */
export interface CompilerCause {
  /** The compiler's message, without the advice that lint adds. */
  readonly message: string;
  /** The kind of error; absent for all others. */
  readonly kind?: CauseKind;
  /** The name, field, function or characters that the error is about. */
  readonly name?: string;
}

// cel-go's texts of these errors. The server sends texts alone, so facts are read from them here, once.
const forms: Readonly<Record<CauseKind, RegExp>> = {
  'unknown-name': /^undeclared reference to '([^']+)'/,
  'unknown-field': /^undefined field '([^']+)'/,
  'no-overload': /^found no matching overload for '([^']+)' applied to/,
  'unknown-character': /token recognition error at: '([^']*)/,
};

/** Returns the facts of a message of the compiler. */
export function compilerCause(message: string): CompilerCause {
  for (const [kind, form] of Object.entries(forms)) {
    const name = form.exec(message)?.[1];
    if (name !== undefined) return { message, kind: kind as CauseKind, name };
  }
  return { message };
}

/** The unknown name or field of an error; `undefined` for other errors. */
export function unknownName({ kind, name }: CompilerCause): string | undefined {
  return kind === 'unknown-name' || kind === 'unknown-field' ? name : undefined;
}
