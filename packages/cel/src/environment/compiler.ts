import type { CheckedExpression, CheckResult } from '../check/checked-expression.ts';
import { check } from '../check/checker.ts';
import { type PlanOptions, plan } from '../plan/planner.ts';
import { PlanFailure } from '../plan/planning.ts';
import { Program } from '../program.ts';
import type { Expression } from '../syntax/expression.ts';
import type { ParseOptions } from '../syntax/expression-parser.ts';
import type { Issue } from '../syntax/issue.ts';
import { type ParseResult, parseExpression } from '../syntax/parser.ts';
import type { Source } from '../syntax/source.ts';
import type { CelError } from '../values/value.ts';
import { PlanError } from './plan-error.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A text checked, or why it cannot be. */
export interface CompileResult {
  /** The text, with the places in it. */
  readonly source: Source;
  /** Absent when there are issues. */
  readonly checked?: CheckedExpression;
  /** In the order of their places, at most 100. */
  readonly issues: readonly Issue[];
}

const maximalIssues = 100;

/** Reads, checks and plans expressions with one vocabulary. */
export class Compiler {
  readonly vocabulary: Vocabulary;
  #parseOptions: ParseOptions | undefined = undefined;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
  }

  /** Reads a text. */
  parse(text: string): ParseResult {
    if (typeof text !== 'string') throw new TypeError('an expression is a string');
    const { options, parseOptions, definitions } = this.vocabulary;
    const { macros } = definitions;
    this.#parseOptions ??= { ...parseOptions, macros };
    const result = parseExpression(wellFormed(text), this.#parseOptions);
    const { describeSyntaxErrors } = options;
    if (result.issues.length === 0 || describeSyntaxErrors === undefined) return result;
    const { source } = result;
    const described = describeSyntaxErrors(source.text, {
      macros: macros.map(({ name, arity, member }) => `${member ? '.' : ''}${name}(${arity})`),
      optionalSyntax: options.optionalSyntax ?? true,
      escapedIdentifiers: options.escapedIdentifiers ?? true,
    });
    if (described.length === 0) return result;
    const issues = described.map(
      (issue): Issue => ({ ...issue, code: 'syntax', position: source.offset(issue) }),
    );
    return { source, issues };
  }

  /** Finds the types of a tree, without the rules of the libraries. */
  check(source: Source, expression: Expression): CheckResult {
    return check(source, expression, this.vocabulary.declarations);
  }

  /** Checks what was read, and applies the rules of the libraries. */
  compile(parsed: ParseResult): CompileResult {
    const { source } = parsed;
    if (parsed.expression === undefined) return { source, issues: inOrder(parsed.issues) };
    const { issues, ...checked } = this.check(source, parsed.expression);
    const found = issues.length === 0 ? this.#applyRules(checked) : issues;
    return found.length === 0
      ? { source, checked, issues: [] }
      : { source, issues: inOrder(found) };
  }

  /** Makes a program of a checked (or at least resolved) expression. */
  plan(checked: CheckedExpression, options: PlanOptions = {}): Program | CelError {
    try {
      const planned = plan(checked, this.vocabulary.planEnvironment, options);
      const type = checked.types[checked.expression.id];
      return new Program(planned, type);
    } catch (failure) {
      if (failure instanceof PlanFailure) {
        return new PlanError(failure.message, failure.position ?? -1);
      }
      throw failure;
    }
  }

  #applyRules(checked: CheckedExpression): readonly Issue[] {
    const { options, definitions } = this.vocabulary;
    const issues: Issue[] = [];
    for (const rule of [...(options.rules ?? []), ...definitions.rules]) {
      rule(checked, (at, message, code = 'literal') => {
        issues.push(checked.source.issue(code, at.position, message));
      });
    }
    const internal = issues.find(({ code }) => code === 'internal');
    return internal === undefined ? issues : [internal];
  }
}

/** The text with U+FFFD for surrogates that are not in pairs, as decoding its UTF-8 would give. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}

function inOrder(issues: readonly Issue[]): readonly Issue[] {
  return issues
    .slice(0, maximalIssues)
    .sort((left, right) => left.line - right.line || left.column - right.column);
}
