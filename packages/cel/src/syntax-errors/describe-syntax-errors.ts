import { codePointCount } from '@kubeadmit/go';
import { beforeStart, type IssuePosition, nowhere, type SyntaxIssue } from './issue.ts';
import { LimitExceeded, parserLimits } from './limits.ts';
import { macros } from './macro.ts';
import { Recognizer } from './recognizer.ts';
import { Scanner, type UnrecognizedText } from './scanner.ts';
import { tokenKind } from './token.ts';
import { TokenStream } from './token-stream.ts';
import { type SyntaxExtensions, TreeReader } from './tree-reader.ts';

export type { SyntaxIssue } from './issue.ts';

/** Parts of the language in addition to the syntax of every CEL environment. */
export interface SyntaxErrorOptions {
  /** Signatures of the macros, such as `has(1)` and `.all(2)`; by default all of `knownMacros`. */
  readonly macros?: Iterable<string>;
  /** Whether `a.?b`, `a[?b]`, `[?a]` and `{?k: v}` are allowed; they are by default. */
  readonly optionalSyntax?: boolean;
  /** Whether names in back-ticks are allowed after a dot and as fields; they are by default. */
  readonly escapedIdentifiers?: boolean;
  /** Whether the grammar knows them at all, so that they can be refused; cel-go's has since 0.23. */
  readonly escapedIdentifierTokens?: boolean;
}

/** Signatures of all macros whose errors are known: `name(argument count)`, methods with a dot. */
export const knownMacros: readonly string[] = Object.keys(macros);

// cel-go turns "true" and the like into a mismatch when they come directly after one character.
const reservedAfterOne = /no viable alternative at input '.(true|false|null)'/u;

/** Collects messages up to cel-go's limit, in the order in which they are found. */
class Collector {
  readonly issues: SyntaxIssue[] = [];
  readonly #empty: boolean;
  #syntaxErrors = 0;

  constructor(source: string) {
    this.#empty = source === '';
  }

  add(message: string, { line, column }: IssuePosition): void {
    if (this.issues.length >= parserLimits.messages) return;
    const position = this.#empty && line > 0 ? beforeStart : { line, column };
    this.issues.push({ ...position, message });
  }

  addSyntaxError(text: string, position: IssuePosition): void {
    const message = text.replace(reservedAfterOne, "mismatched input '$1' expecting IDENTIFIER");
    this.#syntaxErrors += 1;
    this.add(`Syntax error: ${message}`, position);
    if (this.#syntaxErrors > parserLimits.messages) throw new LimitExceeded();
  }
}

/**
 * Describes the syntax errors of an expression, with the messages, positions and order
 * of cel-go 0.29.2, which kube-apiserver 1.37 prints; an expression without errors gives nothing.
 *
 * It is slower than the parser and made to be loaded only after that has failed.
 */
export function describeSyntaxErrors(
  expression: string,
  options: SyntaxErrorOptions = {},
): SyntaxIssue[] {
  const source = expression.replace(/\p{Surrogate}/gu, '\ufffd');
  const collector = new Collector(source);
  const size = codePointCount(source);
  if (size > parserLimits.codePoints) {
    const limit = `size: ${size}, limit ${parserLimits.codePoints}`;
    collector.add(`expression code point size exceeds limit: ${limit}`, nowhere);
    return collector.issues;
  }
  try {
    parse(source, collector, options);
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    if (error.message !== '') collector.add(error.message, nowhere);
  }
  return collector.issues.sort(
    (left, right) => left.line - right.line || left.column - right.column,
  );
}

function parse(source: string, collector: Collector, options: SyntaxErrorOptions): void {
  const absent =
    options.escapedIdentifierTokens === false ? tokenKind.escapedIdentifier : undefined;
  const unrecognized: UnrecognizedText = (text, line, column) => {
    collector.addSyntaxError(`token recognition error at: '${text}'`, { line, column });
  };
  const tokens = new TokenStream(new Scanner(source, unrecognized, absent));
  const report = (message: string, position: IssuePosition): void => {
    collector.addSyntaxError(message, position);
  };
  const recognizer = new Recognizer(tokens, report, absent);
  const tree = recognizer.parse();
  const signatures = new Set(options.macros ?? knownMacros);
  const extensions: SyntaxExtensions = {
    optionalSyntax: options.optionalSyntax ?? true,
    escapedIdentifiers: options.escapedIdentifiers ?? true,
    hasMacro: (signature) => signatures.has(signature),
  };
  const reader = new TreeReader(extensions, (message, position) => {
    collector.add(message, position);
  });
  reader.read(tree.nodes('expression')[0]);
}
