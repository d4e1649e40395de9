import type { JsonObject } from '@kubeadmit/apimachinery';
import { CelError, type Environment, formatIssues, type Program, type Type } from '@kubeadmit/cel';
import { boolType, isSameType, nullType, stringType } from '@kubeadmit/cel/internal';
import { quote } from '@kubeadmit/go';
import { objectsField, stringField } from '../policy/fields.ts';

/** Something in a policy that cannot be compiled. */
export interface CompileProblem {
  /** The path of the expression: `spec.validations[0].expression`. */
  readonly path: string;
  readonly message: string;
}

/** An expression of a validation, and how its message is made. */
export interface CompiledValidation {
  readonly program: Program;
  readonly message: string;
  readonly messageExpression: Program | undefined;
}

/** Compiles the expressions of one policy and collects what is wrong with them. */
export class ExpressionCompiler {
  readonly problems: CompileProblem[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** Compiles an expression; undefined for one with a problem, or of none of the types. */
  compile(expression: string, path: string, types: readonly Type[] = []): Program | undefined {
    const report = (reason: string): undefined => this.report(path, expression, reason);
    const { checked, issues, source } = this.#environment.compile(expression);
    if (checked === undefined) return report(formatIssues(source, issues));
    const program = this.#environment.plan(checked);
    if (program instanceof CelError) return report(program.message);
    if (types.length === 0 || types.some((type) => isSameType(type, program.type))) return program;
    const names = types.map(String);
    const expected = names.length === 1 ? names[0] : `either of type ${names.join(' or ')}`;
    return report(
      names.length === 1
        ? `output is expected to be of type ${expected}`
        : `output is expected to be ${expected}`,
    );
  }

  /** Notes what is wrong with an expression. */
  report(path: string, expression: string, reason: string): undefined {
    const message = `${path}: Invalid value: ${quote(expression)}: ${reason}`;
    this.problems.push({ path, message });
  }

  /** The programs of named conditions, in order. */
  conditions(holder: JsonObject, field: string): readonly Program[] {
    return objectsField(holder, field).flatMap((condition, index) => {
      const path = `spec.${field}[${index}].expression`;
      return this.compile(stringField(condition, 'expression'), path, [boolType]) ?? [];
    });
  }

  /** The programs of variables by name; each can read those before it, once its type is declared. */
  variables(spec: JsonObject, declared: Map<string, Type>): ReadonlyMap<string, Program> {
    const programs = new Map<string, Program>();
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

  /** The audit annotations of a policy by their keys. */
  auditAnnotations(spec: JsonObject): ReadonlyMap<string, Program> {
    const programs = new Map<string, Program>();
    for (const [index, annotation] of objectsField(spec, 'auditAnnotations').entries()) {
      const path = `spec.auditAnnotations[${index}].valueExpression`;
      const expression = stringField(annotation, 'valueExpression');
      const program = this.compile(expression, path, [stringType, nullType]);
      if (program !== undefined) programs.set(stringField(annotation, 'key'), program);
    }
    return programs;
  }
}
