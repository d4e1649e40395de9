import type { Definitions } from '../declarations/definitions.ts';
import { type HostFunction, hostFunction } from '../host/host-function.ts';
import { operatorSignature } from '../host/host-operator.ts';
import { noObjectTypes, type ObjectTypes } from '../host/object-types.ts';
import type { TypeDefinition } from '../host/type-definition.ts';
import { functionSignature } from '../standard/function-signature.ts';
import { reasonOf } from '../values/host-limit.ts';
import { convert } from '../values/to-cel.ts';
import { dynType, type Type } from '../values/types.ts';
import type { Value } from '../values/value.ts';
import type { Compiler } from './compiler.ts';
import { CompilingEnvironment } from './compiling-environment.ts';
import { EvaluatingCompiler } from './evaluating-compiler.ts';
import type { Evaluator, EvaluatorOptions, Variables } from './evaluator.ts';
import { vocabularyOf, withOptions, withOverload, withType } from './extend-vocabulary.ts';
import { type EnvironmentOptions, requireEnvironmentOptions, requireName } from './options.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * The names, functions and rules that read, check and plan expressions.
 *
 * Creating one takes about a millisecond; it serves any number of expressions. The `register…` methods change the
 * environment for later expressions and return it; {@link extend} returns a new one.
 */
export class Environment extends CompilingEnvironment {
  #compiler: EvaluatingCompiler<Vocabulary>;

  /**
   * @throws TypeError for unknown options, and for names of variables, constants and types that are invalid in
   * expressions
   */
  constructor(options: EnvironmentOptions = {}, definitions?: Definitions) {
    super();
    // `extend` has checked its own options.
    if (definitions === undefined) requireEnvironmentOptions('new Environment', options);
    this.#compiler = new EvaluatingCompiler(vocabularyOf(options, definitions));
  }

  protected override get compiler(): Compiler<Vocabulary> {
    return this.#compiler;
  }

  /**
   * Returns an environment with additional options; the options given here win.
   *
   * Cheap if no libraries are added. Throws a `TypeError` as the constructor does.
   */
  extend(more: EnvironmentOptions): Environment {
    requireEnvironmentOptions('extend', more);
    return new Environment(
      this.extended(more),
      more.libraries === undefined && more.types === undefined
        ? this.#vocabulary.definitions
        : undefined,
    );
  }

  /**
   * Declares a variable; the type may name registered ones: `map<string, User>`.
   *
   * @throws TypeError for an invalid name or type
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
    const { options } = this.#vocabulary;
    let constant: Value;
    try {
      constant = convert(value, this.#vocabulary.typeOf(type), name, this.#types);
    } catch (failure) {
      throw new TypeError(reasonOf(failure));
    }
    return this.#change(
      withOptions(this.#vocabulary, { constants: { ...options.constants, [name]: constant } }),
    );
  }

  /**
   * Declares a function by its signature: `greet(string) -> string`, or `User.fullName() -> string` for a method.
   * Arguments and results are JavaScript values.
   *
   * Exceptions, and results of another type, become evaluation errors that name the function.
   *
   * @throws TypeError for an invalid signature, an existing overload or an asynchronous function
   */
  registerFunction(signature: string, implementation: HostFunction): this {
    const { namedType } = this.#vocabulary;
    const { name, overload } = functionSignature(signature, namedType);
    const evaluate = hostFunction(name, implementation, overload.result, this.#types);
    return this.#change(withOverload(this.#vocabulary, name, { ...overload, evaluate }));
  }

  /**
   * Declares an operator on custom types: `Vector + Vector -> Vector`, `-Vector -> Vector`, `User in Team -> bool`.
   *
   * `==`, `!=`, `&&`, `||`, `!`, `?:` and `[]` cannot be redefined.
   *
   * @throws TypeError for those, and for an existing overload
   */
  registerOperator(signature: string, implementation: HostFunction): this {
    const { namedType } = this.#vocabulary;
    const { name, overload } = operatorSignature(signature, namedType);
    const evaluate = hostFunction(signature, implementation, overload.result, this.#types);
    return this.#change(withOverload(this.#vocabulary, name, { ...overload, evaluate }));
  }

  /**
   * Declares an object type by its fields, a class, or a JSON Schema. Signatures and variables can then name it.
   *
   * @throws TypeError for any other definition
   */
  registerType(name: string, definition: TypeDefinition): this {
    requireName(name, 'type');
    return this.#change(withType(this.#vocabulary, name, definition));
  }

  /**
   * Evaluates an expression with the values of its variables as JavaScript has them, and returns the result as such.
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

  get #vocabulary(): Vocabulary {
    return this.#compiler.vocabulary;
  }

  get #types(): ObjectTypes {
    return this.#vocabulary.hostTypes ?? noObjectTypes;
  }

  #change(vocabulary: Vocabulary): this {
    this.#compiler = new EvaluatingCompiler(vocabulary);
    return this;
  }
}
