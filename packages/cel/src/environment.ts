import type { CheckedExpression, CheckResult } from './check/checked-expression.ts';
import { check } from './check/checker.ts';
import { resolve } from './check/resolver.ts';
import type { Definitions } from './definitions.ts';
import { type EnvironmentDefinitions, listDefinitions } from './environment/list-definitions.ts';
import {
  type EnvironmentOptions,
  requireName,
  requireOptions,
  type StructProvider,
} from './environment/options.ts';
import { PlanError } from './environment/plan-error.ts';
import { Vocabulary } from './environment/vocabulary.ts';
import {
  type Evaluator,
  type EvaluatorOptions,
  makeEvaluator,
  type Variables,
} from './evaluator.ts';
import { bindVariable } from './host/bind.ts';
import { type HostFunction, hostFunction } from './host/host-function.ts';
import { operatorSignature } from './host/host-operator.ts';
import type { TypeDefinition } from './host/type-definition.ts';
import { readParts, wholePart } from './host/variable-paths.ts';
import { type PlanOptions, plan } from './plan/planner.ts';
import { PlanFailure } from './plan/planning.ts';
import { type BindVariables, Program } from './program.ts';
import { RecentTexts } from './recent-texts.ts';
import { functionSignature } from './standard/function-signature.ts';
import type { Expression } from './syntax/expression.ts';
import type { Issue } from './syntax/issue.ts';
import { type ParseResult, parseExpression } from './syntax/parser.ts';
import type { Source } from './syntax/source.ts';
import { dynType, type Type } from './types.ts';
import { convert } from './values/to-cel.ts';
import type { CelError, Value } from './values/value.ts';

/** A text checked, or why it cannot be. */
export interface CompileResult {
  readonly source: Source;
  /** Absent when there are issues. */
  readonly checked?: CheckedExpression;
  /** In the order of their places, at most 100. */
  readonly issues: readonly Issue[];
}

const maximalIssues = 100;
const mostRecentTexts = 500;
const mostRecentUnits = 500_000;

/**
 * The names, functions and rules with which expressions are read, checked and planned.
 *
 * Making one takes about a millisecond; it can be used for any number of expressions. The methods that begin with
 * `register` add to it, for what is read afterwards, and give it back; {@link extend} makes another one.
 */
export class Environment {
  private vocabulary: Vocabulary;
  private recent: RecentTexts<Evaluator> = recentTexts();

  constructor(options: EnvironmentOptions = {}, definitions?: Definitions) {
    requireOptions(options);
    this.vocabulary = new Vocabulary(options, { definitions });
  }

  /**
   * An environment with more of everything; what both have is taken from the options given here.
   *
   * Cheap when no libraries are added.
   */
  extend(more: EnvironmentOptions): Environment {
    requireOptions(more);
    const { options, definitions } = this.vocabulary;
    const libraries = [...(options.libraries ?? []), ...(more.libraries ?? [])];
    return new Environment(
      {
        ...options,
        ...more,
        libraries,
        variables: { ...options.variables, ...more.variables },
        constants: { ...options.constants, ...more.constants },
        types: { ...options.types, ...more.types },
        rules: [...(options.rules ?? []), ...(more.rules ?? [])],
      },
      more.libraries === undefined && more.types === undefined ? definitions : undefined,
    );
  }

  /**
   * Declares a variable; the type may name registered ones: `map<string, User>`.
   *
   * Throws a `TypeError` on a name or type that is none.
   */
  registerVariable(name: string, type: Type | string): this {
    requireName(name, 'variable');
    const { options } = this.vocabulary;
    const found = this.vocabulary.typeOf(type);
    return this.change(
      this.vocabulary.with({ variables: { ...options.variables, [name]: found } }),
    );
  }

  /** Declares a named constant: its value is that of JavaScript, or of CEL. Throws a `TypeError` where it has none. */
  registerConstant(name: string, value: unknown, type: Type | string = dynType): this {
    requireName(name, 'constant');
    const { options, hostTypes } = this.vocabulary;
    let constant: Value;
    try {
      constant = convert(value, this.vocabulary.typeOf(type), name, hostTypes);
    } catch (failure) {
      throw new TypeError(failure instanceof Error ? failure.message : String(failure));
    }
    return this.change(
      this.vocabulary.with({ constants: { ...options.constants, [name]: constant } }),
    );
  }

  /**
   * Declares a function by its signature: `greet(string) -> string`, `User.fullName() -> string` for one that is called
   * as a method. It gets and gives values of JavaScript.
   *
   * What it throws, and a result of another type, are errors of the evaluation that name it. Throws a `TypeError` on a
   * text that is no signature, on an overload that is there already, and on an asynchronous function.
   */
  registerFunction(signature: string, implementation: HostFunction): this {
    const { namedType, hostTypes } = this.vocabulary;
    const { name, overload } = functionSignature(signature, {}, namedType);
    const evaluate = hostFunction(name, implementation, overload.result, hostTypes);
    return this.change(this.vocabulary.withOverload(name, { ...overload, evaluate }));
  }

  /**
   * Declares an operator on types of its own: `Vector + Vector -> Vector`, `-Vector -> Vector`, `User in Team -> bool`.
   *
   * `==`, `!=`, `&&`, `||`, `!`, `?:` and `[]` mean the same for all types. Throws a `TypeError` for those, and for an
   * overload that is there already.
   */
  registerOperator(signature: string, implementation: HostFunction): this {
    const { namedType, hostTypes } = this.vocabulary;
    const { name, overload } = operatorSignature(signature, namedType);
    const evaluate = hostFunction(signature, implementation, overload.result, hostTypes);
    return this.change(this.vocabulary.withOverload(name, { ...overload, evaluate }));
  }

  /**
   * Declares an object type: by its fields, a class, or a JSON Schema. Signatures and variables can then name it.
   *
   * Throws a `TypeError` where it is none of these.
   */
  registerType(name: string, definition: TypeDefinition): this {
    requireName(name, 'type');
    return this.change(this.vocabulary.withType(name, definition));
  }

  /** Everything that is declared, sorted by name. */
  definitions(): EnvironmentDefinitions {
    return listDefinitions(this.vocabulary);
  }

  /**
   * Evaluates an expression with the values of its variables as JavaScript has them, and gives the result as such.
   *
   * Recent expressions are kept planned. Throws an `ExpressionError`.
   */
  evaluate(text: string, variables?: Variables, options?: EvaluatorOptions): unknown {
    return this.evaluator(text)(variables, options);
  }

  /** The expression as a function of its variables; see `parse`. Throws an `ExpressionError`. */
  evaluator(text: string): Evaluator {
    return this.recent.get(text, (given) => makeEvaluator(this, given));
  }

  /** The object types that the environment was given. */
  get structs(): StructProvider | undefined {
    return this.vocabulary.options.structs;
  }

  /** Reads a text. Throws only for what is no string. */
  parse(text: string): ParseResult {
    if (typeof text !== 'string') throw new TypeError('an expression is a string');
    const { options, parseOptions, definitions } = this.vocabulary;
    const { macros } = definitions;
    const result = parseExpression(wellFormed(text), { ...parseOptions, macros });
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

  /** Finds the types of a tree; does not apply the rules of the libraries. Never throws. */
  check(source: Source, expression: Expression): CheckResult {
    return check(source, expression, this.vocabulary.declarations);
  }

  /**
   * Finds what the names of a tree mean without finding its types, for trees that are to be evaluated
   * though the checker refuses them, or without paying for it. Never throws.
   */
  resolve(source: Source, expression: Expression): CheckedExpression {
    return resolve(source, expression, this.vocabulary.declarations);
  }

  /** Reads and checks a text, and applies the rules of the libraries. Throws only for what is no string. */
  compile(text: string): CompileResult {
    const parsed = this.parse(text);
    if (parsed.expression === undefined) {
      return { source: parsed.source, issues: inOrder(parsed.issues) };
    }
    const { source } = parsed;
    const { issues, ...checked } = this.check(source, parsed.expression);
    const found = issues.length === 0 ? this.applyRules(checked) : issues;
    return found.length === 0
      ? { source, checked, issues: [] }
      : { source, issues: inOrder(found) };
  }

  /**
   * Makes a program of a checked (or at least resolved) expression.
   *
   * What the checker cannot see and planning does, such as a constant that cannot be converted, is
   * given as an error with cel-go's text.
   */
  plan(checked: CheckedExpression, options: PlanOptions = {}): Program | CelError {
    try {
      const planned = plan(checked, this.vocabulary.planEnvironment, options);
      const type = checked.types[checked.expression.id];
      return new Program(planned, type, this.binders(checked, planned.variables.keys()));
    } catch (failure) {
      if (failure instanceof PlanFailure) {
        return new PlanError(failure.message, failure.position ?? -1);
      }
      throw failure;
    }
  }

  private binders(checked: CheckedExpression, names: Iterable<string>): BindVariables | undefined {
    const { options, variables, hostTypes } = this.vocabulary;
    if (options.bindingsAreValues === true) return undefined;
    const parts = readParts(checked);
    return Array.from(names, (name) =>
      bindVariable(name, variables.get(name) ?? dynType, parts.get(name) ?? wholePart, hostTypes),
    );
  }

  private change(vocabulary: Vocabulary): this {
    this.vocabulary = vocabulary;
    this.recent = recentTexts();
    return this;
  }

  private applyRules(checked: CheckedExpression): readonly Issue[] {
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

function recentTexts(): RecentTexts<Evaluator> {
  return new RecentTexts(mostRecentTexts, mostRecentUnits);
}

/** The text with U+FFFD for surrogates that are not in pairs, as decoding its UTF-8 would give. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function inOrder(issues: readonly Issue[]): readonly Issue[] {
  return issues
    .slice(0, maximalIssues)
    .sort((left, right) => left.line - right.line || left.column - right.column);
}
