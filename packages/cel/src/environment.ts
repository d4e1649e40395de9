import type { CheckedExpression, CheckResult } from './check/checked-expression.ts';
import { check } from './check/checker.ts';
import { resolve } from './check/resolver.ts';
import type { Declarations } from './check/scope.ts';
import { Definitions } from './definitions.ts';
import type { CallCost, Library, TreeRule } from './library.ts';
import { type PlanOptions, plan } from './plan/planner.ts';
import { type PlanEnvironment, PlanFailure } from './plan/planning.ts';
import { Program } from './program.ts';
import { standardCost } from './standard/costs.ts';
import { mixedComparisons } from './standard/operators.ts';
import { typeFrom } from './standard/signature.ts';
import { wellKnownConstants, wellKnownField, wellKnownTypes } from './standard/well-known.ts';
import { createWellKnown } from './standard/well-known-values.ts';
import type { Expression } from './syntax/expression.ts';
import type { ParseOptions } from './syntax/expression-parser.ts';
import type { Issue } from './syntax/issue.ts';
import { type ParseResult, parse } from './syntax/parser.ts';
import type { Source } from './syntax/source.ts';
import type { Type } from './types.ts';
import { CelError, type Value } from './values/value.ts';

/** Object types that an environment has besides those of its libraries. */
export interface StructProvider {
  /** Whether there is an object type of the name. */
  has(name: string): boolean;
  /** The type of a field; `undefined` where the object type has no such field. */
  fieldType(name: string, field: string): Type | undefined;
  /** Makes the value of `Name{field: value}`; without it such literals fail. */
  create?(name: string, fields: ReadonlyMap<string, Value>): Value;
}

/** Finds all that is wrong with a text, given the syntax that the environment knows. */
export type DescribeSyntaxErrors = (
  text: string,
  syntax: {
    /** Signatures of the macros, such as `has(1)` and `.all(2)`. */
    readonly macros: readonly string[];
    readonly optionalSyntax: boolean;
    readonly escapedIdentifiers: boolean;
  },
) => readonly Pick<Issue, 'line' | 'column' | 'message'>[];

/** What an {@link Environment} is made of. */
export interface EnvironmentOptions extends Omit<ParseOptions, 'macros'> {
  /** Libraries besides the standard one. */
  readonly libraries?: readonly Library[];
  /** Variables with their types, as types or as texts such as `map<string, list<int>>`. */
  readonly variables?: Readonly<Record<string, Type | string>>;
  /** Named constants. */
  readonly constants?: Readonly<Record<string, Value>>;
  /** The namespace in which names are looked up first, such as `google.protobuf`. */
  readonly container?: string;
  readonly structs?: StructProvider;
  /** Whether `1 < 2.0` is allowed; true unless said otherwise. */
  readonly mixedComparisons?: boolean;
  /** Further rules for checked trees; they report before those of the libraries. */
  readonly rules?: readonly TreeRule[];
  /** Costs of calls that win over cel-go's; `undefined` where those hold. */
  readonly callCost?: (name: string, overload: string) => CallCost | undefined;
  /**
   * Describes what is wrong with a text that does not parse, in place of the parser's own one issue;
   * `describeSyntaxErrors` of `@kubeadmit/cel/syntax-errors` gives cel-go's texts.
   */
  readonly describeSyntaxErrors?: DescribeSyntaxErrors;
}

/** A text checked, or why it cannot be. */
export interface CompileResult {
  readonly source: Source;
  /** Absent when there are issues. */
  readonly checked?: CheckedExpression;
  /** In the order of their places, at most 100. */
  readonly issues: readonly Issue[];
}

const maximalIssues = 100;

/**
 * The names, functions and rules with which expressions are read, checked and planned.
 *
 * Making one takes about a millisecond; it never changes and can be used for any number of
 * expressions.
 */
export class Environment {
  private readonly options: EnvironmentOptions;
  private readonly definitions: Definitions;
  private readonly variables: ReadonlyMap<string, Type>;
  private readonly parseOptions: ParseOptions;
  private readonly rules: readonly TreeRule[];
  private readonly declarations: Declarations;
  private readonly planEnvironment: PlanEnvironment;

  constructor(options: EnvironmentOptions = {}, definitions?: Definitions) {
    this.options = options;
    this.definitions = definitions ?? new Definitions(options.libraries ?? []);
    this.variables = new Map(
      Object.entries(options.variables ?? {}).map(([name, type]) => [
        name,
        typeof type === 'string' ? typeFrom(type) : type,
      ]),
    );
    this.parseOptions = {
      macros: this.definitions.macros,
      ...(options.optionalSyntax === undefined ? {} : { optionalSyntax: options.optionalSyntax }),
      ...(options.escapedIdentifiers === undefined
        ? {}
        : { escapedIdentifiers: options.escapedIdentifiers }),
    };
    this.rules = [...(options.rules ?? []), ...this.definitions.rules];
    this.declarations = this.makeDeclarations();
    this.planEnvironment = this.makePlanEnvironment();
  }

  /**
   * An environment with more of everything; what both have is taken from the options given here.
   *
   * Cheap when no libraries are added.
   */
  extend(more: EnvironmentOptions): Environment {
    const { options } = this;
    const libraries = [...(options.libraries ?? []), ...(more.libraries ?? [])];
    return new Environment(
      {
        ...options,
        ...more,
        libraries,
        variables: { ...options.variables, ...more.variables },
        constants: { ...options.constants, ...more.constants },
        rules: [...(options.rules ?? []), ...(more.rules ?? [])],
      },
      more.libraries === undefined ? this.definitions : undefined,
    );
  }

  /** The object types that the environment was given. */
  get structs(): StructProvider | undefined {
    return this.options.structs;
  }

  /** Reads a text. Never throws. */
  parse(text: string): ParseResult {
    const result = parse(wellFormed(text), this.parseOptions);
    const { describeSyntaxErrors } = this.options;
    if (result.issues.length === 0 || describeSyntaxErrors === undefined) return result;
    const { source } = result;
    const described = describeSyntaxErrors(source.text, {
      macros: this.definitions.macros.map(
        ({ name, arity, member }) => `${member ? '.' : ''}${name}(${arity})`,
      ),
      optionalSyntax: this.options.optionalSyntax ?? true,
      escapedIdentifiers: this.options.escapedIdentifiers ?? true,
    });
    if (described.length === 0) return result;
    const issues = described.map(
      (issue): Issue => ({ ...issue, code: 'syntax', position: source.offset(issue) }),
    );
    return { source, issues };
  }

  /** Finds the types of a tree; does not apply the rules of the libraries. Never throws. */
  check(source: Source, expression: Expression): CheckResult {
    return check(source, expression, this.declarations);
  }

  /**
   * Finds what the names of a tree mean without finding its types, for trees that are to be evaluated
   * though the checker refuses them, or without paying for it. Never throws.
   */
  resolve(source: Source, expression: Expression): CheckedExpression {
    return resolve(source, expression, this.declarations);
  }

  /** Reads and checks a text, and applies the rules of the libraries. Never throws. */
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
      const planned = plan(checked, this.planEnvironment, options);
      const type = checked.types[checked.expression.id];
      return new Program(planned, type);
    } catch (failure) {
      if (failure instanceof PlanFailure) return new CelError(failure.message);
      throw failure;
    }
  }

  private applyRules(checked: CheckedExpression): readonly Issue[] {
    const issues: Issue[] = [];
    for (const rule of this.rules) {
      rule(checked, (at, message, code = 'literal') => {
        issues.push(checked.source.issue(code, at.position, message));
      });
    }
    const internal = issues.find(({ code }) => code === 'internal');
    return internal === undefined ? issues : [internal];
  }

  private makeDeclarations(): Declarations {
    const { structs, constants, container = '' } = this.options;
    const allowsMixed = this.options.mixedComparisons ?? true;
    return {
      container,
      variableType: (name) => this.variables.get(name),
      findFunction: (name) => {
        const found = this.definitions.functions.get(name);
        return found?.internal === true ? undefined : found;
      },
      namedType: (name) => this.definitions.types.get(name),
      hasStruct: (name) => structs?.has(name) === true || wellKnownTypes.has(name),
      fieldType: (struct, field) =>
        structs?.has(struct) === true
          ? structs.fieldType(struct, field)
          : wellKnownField(struct, field),
      constant: (name) =>
        constants !== undefined && Object.hasOwn(constants, name)
          ? constants[name]
          : wellKnownConstants.get(name),
      isDisabled: (overload) => !allowsMixed && mixedComparisons.has(overload),
    };
  }

  private makePlanEnvironment(): PlanEnvironment {
    const { structs, callCost } = this.options;
    return {
      typeValue: (name) =>
        this.definitions.evaluableTypes.has(name) || structs?.has(name) === true
          ? this.definitions.types.get(name)
          : undefined,
      hasStruct: (name) => structs?.has(name) === true || wellKnownTypes.has(name),
      structMaker: (name) => {
        const create = structs?.has(name) === true ? structs.create : undefined;
        return create === undefined
          ? (fields) => createWellKnown(name, fields)
          : (fields) => create.call(structs, name, fields);
      },
      callCost: (name, overload) =>
        this.definitions.overloadCosts.get(overload) ??
        callCost?.(name, overload) ??
        standardCost(overload),
    };
  }
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
