import { codePointCount } from '@kubeadmit/go';
import type { Expression } from './expression.ts';
import { ExpressionParser, type ParseOptions } from './expression-parser.ts';
import type { Issue } from './issue.ts';
import { Source } from './source.ts';
import { SyntaxFailure } from './token-reader.ts';

/** A tree, or the issues. */
export type ParseResult =
  /** The text is an expression. */
  | { readonly source: Source; readonly expression: Expression; readonly issues: readonly [] }
  /** The expression is invalid; at least one issue says why. */
  | { readonly source: Source; readonly expression?: undefined; readonly issues: readonly Issue[] };

const maximalCodePoints = 100_000;

/**
 * Parses an expression, with cel-go's limits for size and nesting.
 *
 * Unpaired surrogates count as U+FFFD, as decoding their UTF-8 would give. Parsing ends at the first syntax error;
 * `@kubeadmit/cel/syntax-errors` produces cel-go's messages and further errors.
 *
 * @throws TypeError if `given` is not a string; never for the content of the string.
 */
export function parseExpression(given: string, options: ParseOptions = {}): ParseResult {
  if (typeof given !== 'string') throw new TypeError('an expression is a string');
  const text = wellFormed(given);
  const source = new Source(text);
  if (text.length > maximalCodePoints) {
    const size = codePointCount(text);
    if (size > maximalCodePoints) {
      const message = `expression code point size exceeds limit: size: ${size}, limit ${maximalCodePoints}`;
      return { source, issues: [source.issue('limit', -1, message)] };
    }
  }
  try {
    return { source, expression: new ExpressionParser(text, options).parse(), issues: [] };
  } catch (failure) {
    if (failure instanceof SyntaxFailure) {
      return { source, issues: [source.issue(failure.code, failure.position, failure.message)] };
    }
    throw failure;
  }
}

function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}
