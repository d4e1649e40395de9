import type { CheckedExpression, CheckResult } from './check/checked-expression.ts';
import { check } from './check/checker.ts';
import { resolve } from './check/resolver.ts';
import type { Declarations } from './check/scope.ts';
import { Definitions, isSameCall } from './definitions.ts';
import {
  type Evaluator,
  type EvaluatorOptions,
  makeEvaluator,
  type Variables,
} from './evaluator.ts';
import type { Overload } from './function-declaration.ts';
import { bindVariable } from './host/bind.ts';
import { type HostFunction, hostFunction } from './host/host-function.ts';
import { operatorSignature } from './host/host-operator.ts';
import { type ObjectType, ObjectTypes } from './host/object-types.ts';
import { defineType, type TypeDefinition } from './host/type-definition.ts';
import { readParts, wholePart } from './host/variable-paths.ts';
import type { CallCost, Library, TreeRule } from './library.ts';
import { type PlanOptions, plan } from './plan/planner.ts';
import { type PlanEnvironment, PlanFailure } from './plan/planning.ts';
import { type BindVariables, Program } from './program.ts';
import { RecentTexts } from './recent-texts.ts';
import { standardCost } from './standard/costs.ts';
import { functionSignature } from './standard/function-signature.ts';
import { mixedComparisons } from './standard/operators.ts';
import { type FindNamedType, typeFrom } from './standard/signature.ts';
import { wellKnownConstants, wellKnownField, wellKnownTypes } from './standard/well-known.ts';
import { createWellKnown } from './standard/well-known-values.ts';
import type { Expression } from './syntax/expression.ts';
import type { ParseOptions } from './syntax/expression-parser.ts';
import type { Issue } from './syntax/issue.ts';
import { type ParseResult, parseExpression } from './syntax/parser.ts';
import type { Source } from './syntax/source.ts';
import { dynType, structType, Type } from './types.ts';
import { convert } from './values/to-cel.ts';
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
  /** Object types by their names, as for {@link Environment.registerType}. */
  readonly types?: Readonly<Record<string, TypeDefinition>>;
  /** Whether every name that is not declared is a variable of type `dyn`. */
  readonly unlistedVariablesAreDyn?: boolean;
  /**
   * Whether variables are bound to values of CEL as they are, without being converted or held against their types: for
   * hosts that know their data to be JSON.
   */
  readonly bindingsAreValues?: boolean;
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
const mostRecentTexts = 500;
const mostRecentUnits = 500_000;

/** A failure of planning, with the place of what cannot be planned. */
export class PlanError extends CelError {
  /** The offset in the text in UTF-16 units. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** A declaration of an environment, as `Environment.definitions` lists them. */
export interface EnvironmentDefinitions {
  readonly variables: readonly { readonly name: string; readonly type: string }[];
  readonly constants: readonly { readonly name: string; readonly value: Value }[];
  /** With their signatures, such as `startsWith: string.(string) -> bool`. */
  readonly functions: readonly { readonly name: string; readonly signatures: readonly string[] }[];
  readonly macros: readonly { readonly name: string; readonly arity: number | 'any' }[];
  readonly types: readonly string[];
}

/**
 * The names, functions and rules with which expressions are read, checked and planned.
 *
 * Making one takes about a millisecond; it can be used for any number of expressions. The methods that begin with
 * `register` add to it, for what is read afterwards, and give it back; {@link extend} makes another one.
 */
export class Environment {
  private options: EnvironmentOptions;
  private known: Definitions | undefined;
  private variables: ReadonlyMap<string, Type>;
  private types: ReadonlyMap<string, ObjectType>;
  private readonly parseOptions: ParseOptions;
  private readonly declarations: Declarations;
  private readonly planEnvironment: PlanEnvironment;
  private recent: RecentTexts<Evaluator> = recentTexts();

  constructor(options: EnvironmentOptions = {}, definitions?: Definitions) {
    requireOptions(options);
    this.options = options;
    this.types = new Map();
    this.variables = new Map();
    this.known = definitions;
    const types = new Map<string, ObjectType>();
    for (const [name, type] of Object.entries(options.types ?? {})) defineType(types, name, type);
    this.types = types;
    this.variables = new Map(
      Object.entries(options.variables ?? {}).map(([name, type]) => [name, this.typeOf(type)]),
    );
    this.parseOptions = {
      ...(options.optionalSyntax === undefined ? {} : { optionalSyntax: options.optionalSyntax }),
      ...(options.escapedIdentifiers === undefined
        ? {}
        : { escapedIdentifiers: options.escapedIdentifiers }),
    };
    // What libraries declare is put together now, so that mistakes in it are told of here.
    if (options.libraries !== undefined) this.known ??= this.define();
    this.declarations = this.makeDeclarations();
    this.planEnvironment = this.makePlanEnvironment();
  }

  /**
   * An environment with more of everything; what both have is taken from the options given here.
   *
   * Cheap when no libraries are added.
   */
  extend(more: EnvironmentOptions): Environment {
    requireOptions(more);
    const { options } = this;
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
      more.libraries === undefined && more.types === undefined ? this.declared : undefined,
    );
  }

  /**
   * Declares a variable; the type may name registered ones: `map<string, User>`.
   *
   * Throws a `TypeError` on a name or type that is none.
   */
  registerVariable(name: string, type: Type | string): this {
    requireName(name, 'variable');
    const found = this.typeOf(type);
    return this.change({ variables: { ...this.options.variables, [name]: found } });
  }

  /** Declares a named constant: its value is that of JavaScript, or of CEL. Throws a `TypeError` where it has none. */
  registerConstant(name: string, value: unknown, type: Type | string = dynType): this {
    requireName(name, 'constant');
    let constant: Value;
    try {
      constant = convert(value, this.typeOf(type), name, this.hostTypes);
    } catch (failure) {
      throw new TypeError(failure instanceof Error ? failure.message : String(failure));
    }
    return this.change({ constants: { ...this.options.constants, [name]: constant } });
  }

  /**
   * Declares a function by its signature: `greet(string) -> string`, `User.fullName() -> string` for one that is called
   * as a method. It gets and gives values of JavaScript.
   *
   * What it throws, and a result of another type, are errors of the evaluation that name it. Throws a `TypeError` on a
   * text that is no signature, on an overload that is there already, and on an asynchronous function.
   */
  registerFunction(signature: string, implementation: HostFunction): this {
    const { name, overload } = functionSignature(signature, {}, this.namedType);
    const evaluate = hostFunction(name, implementation, overload.result, this.hostTypes);
    return this.addFunction(name, { ...overload, evaluate });
  }

  /**
   * Declares an operator on types of its own: `Vector + Vector -> Vector`, `-Vector -> Vector`, `User in Team -> bool`.
   *
   * `==`, `!=`, `&&`, `||`, `!`, `?:` and `[]` mean the same for all types. Throws a `TypeError` for those, and for an
   * overload that is there already.
   */
  registerOperator(signature: string, implementation: HostFunction): this {
    const { name, overload } = operatorSignature(signature, this.namedType);
    const evaluate = hostFunction(signature, implementation, overload.result, this.hostTypes);
    return this.addFunction(name, { ...overload, evaluate });
  }

  /**
   * Declares an object type: by its fields, a class, or a JSON Schema. Signatures and variables can then name it.
   *
   * Throws a `TypeError` where it is none of these.
   */
  registerType(name: string, definition: TypeDefinition): this {
    requireName(name, 'type');
    if (this.declared.types.has(name)) throw new TypeError(`there is a type \`${name}\` already`);
    const types = new Map(this.types);
    defineType(types, name, definition);
    this.types = types;
    this.known = undefined;
    return this.change({ types: { ...this.options.types, [name]: definition } });
  }

  /** Everything that is declared, sorted by name. */
  definitions(): EnvironmentDefinitions {
    const { functions, macros, types } = this.declared;
    const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
      left.name < right.name ? -1 : left.name > right.name ? 1 : 0;
    return {
      variables: Array.from(this.variables, ([name, type]) => ({ name, type: String(type) })).sort(
        byName,
      ),
      constants: Object.entries(this.options.constants ?? {})
        .map(([name, value]) => ({ name, value }))
        .sort(byName),
      functions: [...functions.values()]
        .filter(({ internal }) => internal !== true)
        .map(({ name, overloads }) => ({ name, signatures: overloads.map(signatureText) }))
        .sort(byName),
      macros: macros.map(({ name, arity }) => ({ name, arity })).sort(byName),
      types: [...types.keys()].sort(),
    };
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
    return this.options.structs;
  }

  /** Reads a text. Throws only for what is no string. */
  parse(text: string): ParseResult {
    if (typeof text !== 'string') throw new TypeError('an expression is a string');
    const { macros } = this.declared;
    const result = parseExpression(wellFormed(text), { ...this.parseOptions, macros });
    const { describeSyntaxErrors } = this.options;
    if (result.issues.length === 0 || describeSyntaxErrors === undefined) return result;
    const { source } = result;
    const described = describeSyntaxErrors(source.text, {
      macros: macros.map(({ name, arity, member }) => `${member ? '.' : ''}${name}(${arity})`),
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
      const planned = plan(checked, this.planEnvironment, options);
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
    if (this.options.bindingsAreValues === true) return undefined;
    const parts = readParts(checked);
    return Array.from(names, (name) =>
      bindVariable(
        name,
        this.variables.get(name) ?? dynType,
        parts.get(name) ?? wholePart,
        this.hostTypes,
      ),
    );
  }

  private get hostTypes(): ObjectTypes {
    return new ObjectTypes(this.types);
  }

  private get declared(): Definitions {
    this.known ??= this.define();
    return this.known;
  }

  private define(): Definitions {
    const types = Array.from(this.types.keys(), structType);
    const libraries = this.options.libraries ?? [];
    return new Definitions(
      types.length === 0 ? libraries : [...libraries, { name: 'registered types', types }],
    );
  }

  private readonly namedType: FindNamedType = (name) =>
    this.types.has(name) || this.options.structs?.has(name) === true
      ? structType(name)
      : this.declared.types.get(name);

  private typeOf(type: Type | string): Type {
    return type instanceof Type ? type : typeFrom(type, this.namedType);
  }

  /** Adds a function of the host, which may not take the place of another. */
  private addFunction(name: string, overload: Overload): this {
    const known = this.declared.functions.get(name);
    const same = known?.overloads.find((other) => isSameCall(other, overload));
    if (same !== undefined) {
      throw new TypeError(`\`${name}\` has an overload for ${signatureText(overload)} already`);
    }
    const library: Library = { name, functions: [{ name, overloads: [overload] }] };
    const libraries = [...(this.options.libraries ?? []), library];
    const definitions = new Definitions([
      ...libraries,
      { name: 'registered types', types: Array.from(this.types.keys(), structType) },
    ]);
    this.known = definitions;
    return this.change({ libraries });
  }

  private change(options: EnvironmentOptions): this {
    this.options = { ...this.options, ...options };
    const { variables = {} } = this.options;
    this.variables = new Map(
      Object.entries(variables).map(([name, type]) => [name, this.typeOf(type)]),
    );
    this.recent = recentTexts();
    return this;
  }

  private applyRules(checked: CheckedExpression): readonly Issue[] {
    const issues: Issue[] = [];
    for (const rule of [...(this.options.rules ?? []), ...this.declared.rules]) {
      rule(checked, (at, message, code = 'literal') => {
        issues.push(checked.source.issue(code, at.position, message));
      });
    }
    const internal = issues.find(({ code }) => code === 'internal');
    return internal === undefined ? issues : [internal];
  }

  private makeDeclarations(): Declarations {
    const { container = '' } = this.options;
    const allowsMixed = this.options.mixedComparisons ?? true;
    const hasStruct = (name: string): boolean => this.hasStruct(name);
    const namedType = (name: string): Type | undefined => this.declared.types.get(name);
    const constant = (name: string): Value | undefined => {
      const { constants } = this.options;
      return constants !== undefined && Object.hasOwn(constants, name)
        ? constants[name]
        : wellKnownConstants.get(name);
    };
    const isFree = (name: string): boolean =>
      this.options.unlistedVariablesAreDyn === true &&
      !name.includes('.') &&
      namedType(name) === undefined &&
      constant(name) === undefined &&
      !hasStruct(name);
    return {
      container,
      variableType: (name) => this.variables.get(name) ?? (isFree(name) ? dynType : undefined),
      findFunction: (name) => {
        const found = this.declared.functions.get(name);
        return found?.internal === true ? undefined : found;
      },
      namedType,
      hasStruct,
      fieldType: (struct, field) => {
        const { structs } = this.options;
        if (structs?.has(struct) === true) return structs.fieldType(struct, field);
        return this.types.has(struct)
          ? this.hostTypes.fieldType(struct, field)
          : wellKnownField(struct, field);
      },
      constant,
      isDisabled: (overload) => !allowsMixed && mixedComparisons.has(overload),
    };
  }

  private hasStruct(name: string): boolean {
    return (
      this.options.structs?.has(name) === true || this.types.has(name) || wellKnownTypes.has(name)
    );
  }

  private makePlanEnvironment(): PlanEnvironment {
    return {
      typeValue: (name) =>
        this.declared.evaluableTypes.has(name) || this.options.structs?.has(name) === true
          ? this.declared.types.get(name)
          : undefined,
      hasStruct: (name) => this.hasStruct(name),
      structMaker: (name) => {
        const { structs } = this.options;
        const create = structs?.has(name) === true ? structs.create : undefined;
        if (create !== undefined) return (fields) => create.call(structs, name, fields);
        const types = this.types.has(name) ? this.hostTypes : undefined;
        return (fields) =>
          types === undefined ? createWellKnown(name, fields) : types.create(name, fields);
      },
      callCost: (name, overload) =>
        this.declared.overloadCosts.get(overload) ??
        this.options.callCost?.(name, overload) ??
        standardCost(overload),
    };
  }
}

function recentTexts(): RecentTexts<Evaluator> {
  return new RecentTexts(mostRecentTexts, mostRecentUnits);
}

function signatureText({ parameters, result, member }: Overload): string {
  const [first, ...rest] = parameters.map(String);
  return member === true
    ? `${first}.(${rest.join(', ')}) -> ${result}`
    : `(${parameters.join(', ')}) -> ${result}`;
}

function requireName(name: string, what: string): void {
  if (typeof name !== 'string' || !/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(name)) {
    throw new TypeError(`a ${what} needs a name such as \`user\``);
  }
}

function requireOptions(options: EnvironmentOptions): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError('the options of an environment are an object such as `{ variables }`');
  }
  const { variables } = options;
  if (variables !== undefined && (typeof variables !== 'object' || Array.isArray(variables))) {
    throw new TypeError("`variables` are types by names, such as `{ user: 'map<string, dyn>' }`");
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
