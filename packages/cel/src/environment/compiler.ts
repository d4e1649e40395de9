import { check } from '../check/checker.ts';
import type { CheckedExpression, CheckResult } from '../declarations/checked-expression.ts';
import { type PlanOptions, plan } from '../plan/planner.ts';
import { PlanFailure } from '../plan/planning.ts';
import type { Expression } from '../syntax/expression.ts';
import type { Issue } from '../syntax/issue.ts';
import { type ParseResult, parseExpression } from '../syntax/parser.ts';
import type { Source } from '../syntax/source.ts';
import { CelError } from '../values/value.ts';
import { Program } from './program.ts';
import type { CompilerVocabulary } from './standard-vocabulary.ts';

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
export class Compiler<Names extends CompilerVocabulary = CompilerVocabulary> {
  readonly vocabulary: Names;

  constructor(vocabulary: Names) {
    this.vocabulary = vocabulary;
  }

  /** Reads a text. */
  parse(text: string): ParseResult {
    const result = parseExpression(text, this.vocabulary.parseOptions);
    if (result.issues.length === 0) return result;
    const { source } = result;
    const issues = this.vocabulary.describeSyntaxErrors?.(source) ?? [];
    return issues.length === 0 ? result : { source, issues };
  }

  /** Finds the types of a tree, without the rules of the libraries. */
  check(source: Source, expression: Expression): CheckResult {
    return check(source, expression, this.vocabulary.declarations);
  }

  /** Checks a parsed expression, and applies the rules of the libraries. */
  compile(parsed: ParseResult): CompileResult {
    const { source } = parsed;
    if (parsed.expression === undefined) return { source, issues: inOrder(parsed.issues) };
    const checked = this.check(source, parsed.expression);
    const { issues } = checked;
    const found = issues.length === 0 ? (this.vocabulary.applyRules?.(checked) ?? []) : issues;
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
}

function inOrder(issues: readonly Issue[]): readonly Issue[] {
  return issues
    .slice(0, maximalIssues)
    .sort((left, right) => left.line - right.line || left.column - right.column);
}

/** An error of planning, with the position of the part that cannot be planned. */
class PlanError extends CelError {
  /** The offset in the text in UTF-16 units. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}
