import type { JsonObject } from '@kubeadmit/apimachinery';
import { lazily } from '@kubeadmit/base';
import { CelError, formatIssues, type Program, type Type } from '@kubeadmit/cel';
import { childrenOf } from '@kubeadmit/cel/syntax';
import { boolType, isSameType, nullType, stringType, structType } from '@kubeadmit/cel/types';
import type { CheckedExpression, ValueEnvironment } from '@kubeadmit/cel/unstable-internal';
import type { ObserveEvaluation } from '@kubeadmit/engine';
import { evaluateObserved } from '@kubeadmit/engine/unstable-internal';
import { quote } from '@kubeadmit/go';
import { objectsField, stringField } from '../fields/fields.ts';

/** Something in a policy that cannot be compiled. */
export interface CompileProblem {
  /** The path of the expression: `spec.validations[0].expression`. */
  readonly path: string;
  readonly message: string;
}

/** An expression ready to be evaluated. */
export type CelProgram = Pick<Program, 'type' | 'evaluate'>;

/** The expression of a validation, and its message. */
export interface CompiledValidation {
  readonly program: CelProgram;
  readonly message: string;
  readonly messageExpression: CelProgram | undefined;
}

function isOneOf(types: readonly Type[], type: Type): boolean {
  return types.some((each) => isSameType(each, type));
}

function addNames(expression: CheckedExpression['expression'], names: Set<string>): void {
  if (expression.kind === 'identifier') names.add(expression.name);
  for (const child of childrenOf(expression)) addNames(child, names);
}

/** Compiles the expressions of one policy and collects their errors. */
export class ExpressionCompiler {
  readonly problems: CompileProblem[] = [];
  /** The names of variables that the expressions of the spec use. */
  readonly names: Set<string> = new Set();
  readonly #environment: ValueEnvironment;
  readonly #spec: JsonObject;
  readonly #observe: ObserveEvaluation | undefined;

  /**
   * @param spec the spec that contains the expressions.
   * @param observe receives every evaluation; evaluations then take longer.
   */
  constructor(environment: ValueEnvironment, spec: JsonObject, observe?: ObserveEvaluation) {
    this.#environment = environment;
    this.#spec = spec;
    this.#observe = observe;
  }

  /**
   * Compiles an expression. Reports an error and returns `undefined` if it is invalid or has another type.
   *
   * @param types the types that the expression may have; empty for any type.
   * @param isOwn whether it is part of the spec and is observed.
   */
  compile(
    expression: string,
    path: string,
    types: readonly Type[] = [],
    isOwn = true,
  ): CelProgram | undefined {
    const report = (reason: string): undefined => this.report(path, expression, reason);
    const compiled = this.#plan(expression, isOwn);
    if (typeof compiled === 'string') return report(compiled);
    const { program, checked } = compiled;
    if (types.length === 0 || isOneOf(types, program.type)) {
      return isOwn ? this.#observed(program, checked, path) : program;
    }
    const either = types.length === 1 ? '' : 'either ';
    return report(`output is expected to be ${either}of type ${types.join(' or ')}`);
  }

  /** Compiles an expression that is a part of a string of the spec; a string is the error. It is not observed. */
  compilePlaceholder(expression: string): CelProgram | string {
    const compiled = this.#plan(expression, true);
    return typeof compiled === 'string' ? compiled : compiled.program;
  }

  #plan(
    expression: string,
    isOwn: boolean,
  ): { readonly program: Program; readonly checked: CheckedExpression } | string {
    const { checked, issues, source } = this.#environment.compile(expression);
    if (checked === undefined) return formatIssues(source, issues);
    if (isOwn) addNames(checked.expression, this.names);
    const program = this.#environment.plan(checked);
    return program instanceof CelError ? program.message : { program, checked };
  }

  #observed(program: Program, checked: CheckedExpression, path: string): CelProgram {
    const observe = this.#observe;
    if (observe === undefined) return program;
    const home = { spec: this.#spec, path };
    // INVARIANT: a program that can be planned can also be planned with observation.
    const observed = lazily(() => this.#environment.plan(checked, { observe: true }) as Program);
    return {
      type: program.type,
      evaluate: (bindings, options) => {
        if (observe.wants?.(home) === false) return program.evaluate(bindings, options);
        const evaluation = evaluateObserved(observed(), checked, bindings ?? {}, options);
        observe({ ...evaluation, home });
        return evaluation;
      },
    };
  }

  /** Records an error of an expression. */
  report(path: string, expression: string, reason: string): undefined {
    const message = `${path}: Invalid value: ${quote(expression)}: ${reason}`;
    this.problems.push({ path, message });
  }

  /** The programs of named conditions, of the spec or of an exception to it, in order. */
  conditions(holder: JsonObject, field: string): readonly CelProgram[] {
    return objectsField(holder, field).flatMap((condition, index) => {
      const path = `spec.${field}[${index}].expression`;
      const expression = stringField(condition, 'expression');
      return this.compile(expression, path, [boolType], holder === this.#spec) ?? [];
    });
  }

  /** The programs of variables by name; each can read those before it, once its type is declared. */
  variables(spec: JsonObject, declared: Map<string, Type>): ReadonlyMap<string, CelProgram> {
    const programs = new Map<string, CelProgram>();
    for (const [index, variable] of objectsField(spec, 'variables').entries()) {
      const name = stringField(variable, 'name');
      const path = `spec.variables[${index}].expression`;
      const program = this.compile(stringField(variable, 'expression'), path);
      if (program === undefined) continue;
      declared.set(name, program.type);
      programs.set(name, program);
    }
    return programs;
  }

  /** The validations of a policy. */
  validations(spec: JsonObject): readonly CompiledValidation[] {
    return objectsField(spec, 'validations').flatMap((validation, index) => {
      const path = `spec.validations[${index}]`;
      const expression = stringField(validation, 'expression');
      const program = this.compile(expression, `${path}.expression`, [boolType]);
      const given = stringField(validation, 'messageExpression');
      const messageExpression =
        given === '' ? undefined : this.compile(given, `${path}.messageExpression`, [stringType]);
      if (program === undefined) return [];
      return [{ program, message: stringField(validation, 'message'), messageExpression }];
    });
  }

  /** The validations of a policy about requests to services: each returns a response or null. */
  responses(spec: JsonObject, response: string): readonly CompiledValidation[] {
    const types = [structType(response), nullType];
    return objectsField(spec, 'validations').flatMap((validation, index) => {
      const path = `spec.validations[${index}].expression`;
      const expression = stringField(validation, 'expression');
      const program = this.compile(expression, path);
      if (program === undefined) return [];
      if (isOneOf(types, program.type)) {
        return [{ program, message: '', messageExpression: undefined }];
      }
      this.report(path, expression, `rule response output is expected to be of type ${response}`);
      return [];
    });
  }

  /** The audit annotations of a policy by their keys. */
  auditAnnotations(spec: JsonObject): ReadonlyMap<string, CelProgram> {
    const programs = new Map<string, CelProgram>();
    for (const [index, annotation] of objectsField(spec, 'auditAnnotations').entries()) {
      const path = `spec.auditAnnotations[${index}].valueExpression`;
      const expression = stringField(annotation, 'valueExpression');
      const program = this.compile(expression, path, [stringType, nullType]);
      if (program !== undefined) programs.set(stringField(annotation, 'key'), program);
    }
    return programs;
  }
}
