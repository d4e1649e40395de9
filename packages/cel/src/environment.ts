import type { CheckedExpression, CheckResult } from './check/checked-expression.ts';
import { resolve } from './check/resolver.ts';
import type { Definitions } from './definitions.ts';
import { type CompileResult, Compiler } from './environment/compiler.ts';
import {
  vocabularyOf,
  withOptions,
  withOverload,
  withType,
} from './environment/extend-vocabulary.ts';
import { type EnvironmentDefinitions, listDefinitions } from './environment/list-definitions.ts';
import {
  type EnvironmentOptions,
  requireName,
  requireOptions,
  type StructProvider,
} from './environment/options.ts';
import type { Vocabulary } from './environment/vocabulary.ts';
import type { Evaluator, EvaluatorOptions, Variables } from './evaluator.ts';
import { type HostFunction, hostFunction } from './host/host-function.ts';
import { operatorSignature } from './host/host-operator.ts';
import type { TypeDefinition } from './host/type-definition.ts';
import type { PlanOptions } from './plan/planner.ts';
import type { Program } from './program.ts';
import { functionSignature } from './standard/function-signature.ts';
import type { Expression } from './syntax/expression.ts';
import type { ParseResult } from './syntax/parser.ts';
import type { Source } from './syntax/source.ts';
import { dynType, type Type } from './types.ts';
import { convert } from './values/to-cel.ts';
import type { CelError, Value } from './values/value.ts';

export type { CompileResult } from './environment/compiler.ts';

/**
 * The names, functions and rules with which expressions are read, checked and planned.
 *
 * Making one takes about a millisecond; it can be used for any number of expressions. The methods that begin with
 * `register` add to it, for what is read afterwards, and give it back; {@link extend} makes another one.
 */
export class Environment {
  #compiler: Compiler;

  constructor(options: EnvironmentOptions = {}, definitions?: Definitions) {
    requireOptions(options);
    this.#compiler = new Compiler(vocabularyOf(options, definitions));
  }

  /**
   * An environment with more of everything; what both have is taken from the options given here.
   *
   * Cheap when no libraries are added.
   */
  extend(more: EnvironmentOptions): Environment {
    requireOptions(more);
    const { options, definitions } = this.#vocabulary;
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
    const { options } = this.#vocabulary;
    const found = this.#vocabulary.typeOf(type);
    return this.#change(
      withOptions(this.#vocabulary, { variables: { ...options.variables, [name]: found } }),
    );
  }

  /** Declares a named constant: its value is that of JavaScript, or of CEL. Throws a `TypeError` where it has none. */
  registerConstant(name: string, value: unknown, type: Type | string = dynType): this {
    requireName(name, 'constant');
    const { options, hostTypes } = this.#vocabulary;
    let constant: Value;
    try {
      constant = convert(value, this.#vocabulary.typeOf(type), name, hostTypes);
    } catch (failure) {
      throw new TypeError(failure instanceof Error ? failure.message : String(failure));
    }
    return this.#change(
      withOptions(this.#vocabulary, { constants: { ...options.constants, [name]: constant } }),
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
    const { namedType, hostTypes } = this.#vocabulary;
    const { name, overload } = functionSignature(signature, {}, namedType);
    const evaluate = hostFunction(name, implementation, overload.result, hostTypes);
    return this.#change(withOverload(this.#vocabulary, name, { ...overload, evaluate }));
  }

  /**
   * Declares an operator on types of its own: `Vector + Vector -> Vector`, `-Vector -> Vector`, `User in Team -> bool`.
   *
   * `==`, `!=`, `&&`, `||`, `!`, `?:` and `[]` mean the same for all types. Throws a `TypeError` for those, and for an
   * overload that is there already.
   */
  registerOperator(signature: string, implementation: HostFunction): this {
    const { namedType, hostTypes } = this.#vocabulary;
    const { name, overload } = operatorSignature(signature, namedType);
    const evaluate = hostFunction(signature, implementation, overload.result, hostTypes);
    return this.#change(withOverload(this.#vocabulary, name, { ...overload, evaluate }));
  }

  /**
   * Declares an object type: by its fields, a class, or a JSON Schema. Signatures and variables can then name it.
   *
   * Throws a `TypeError` where it is none of these.
   */
  registerType(name: string, definition: TypeDefinition): this {
    requireName(name, 'type');
    return this.#change(withType(this.#vocabulary, name, definition));
  }

  /** Everything that is declared, sorted by name. */
  definitions(): EnvironmentDefinitions {
    return listDefinitions(this.#vocabulary);
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
    return this.#compiler.evaluator(text);
  }

  /** The object types that the environment was given. */
  get structs(): StructProvider | undefined {
    return this.#vocabulary.options.structs;
  }

  /** Reads a text. Throws only for what is no string. */
  parse(text: string): ParseResult {
    return this.#compiler.parse(text);
  }

  /** Finds the types of a tree; does not apply the rules of the libraries. Never throws. */
  check(source: Source, expression: Expression): CheckResult {
    return this.#compiler.check(source, expression);
  }

  /**
   * Finds what the names of a tree mean without finding its types, for trees that are to be evaluated
   * though the checker refuses them, or without paying for it. Never throws.
   */
  resolve(source: Source, expression: Expression): CheckedExpression {
    return resolve(source, expression, this.#vocabulary.declarations);
  }

  /** Reads and checks a text, and applies the rules of the libraries. Throws only for what is no string. */
  compile(text: string): CompileResult {
    return this.#compiler.compile(this.#compiler.parse(text));
  }

  /**
   * Makes a program of a checked (or at least resolved) expression.
   *
   * What the checker cannot see and planning does, such as a constant that cannot be converted, is
   * given as an error with cel-go's text.
   */
  plan(checked: CheckedExpression, options: PlanOptions = {}): Program | CelError {
    return this.#compiler.plan(checked, options);
  }

  get #vocabulary(): Vocabulary {
    return this.#compiler.vocabulary;
  }

  #change(vocabulary: Vocabulary): this {
    this.#compiler = new Compiler(vocabulary);
    return this;
  }
}
