import { lazily } from '@kubeadmit/base';
import { CelError, formatIssues, type Program, type Type } from '@kubeadmit/cel';
import { boolType, isSameType, optionalOf, stringType } from '@kubeadmit/cel/types';
import type { CheckedExpression, ValueEnvironment } from '@kubeadmit/cel/unstable-internal';
import { baseEnvironment, newestMinor } from '@kubeadmit/engine';
import { type DeclaredType, declaredStructs } from '@kubeadmit/schemas/cel';
import type { Schema } from '../schema/schema.ts';
import { followFieldPath } from './field-path.ts';
import type { Rule } from './rule.ts';

/** The environments of the rules of one schema. */
export interface RuleEnvironments {
  readonly plain: ValueEnvironment;
  /** For rules with `optionalOldSelf`. */
  readonly optional: ValueEnvironment;
}

/** An expression ready to be evaluated. */
export interface CompiledExpression {
  readonly program: Program;
  readonly checked: CheckedExpression;
  /** The program that reports inner values, planned on first use. */
  readonly watched: () => Program;
}

/** A compiled rule, or the error. */
export interface CompiledRule {
  /** Why the rule cannot be used. */
  readonly problem?: string;
  /** Absent when the rule is empty or wrong. */
  readonly expression?: CompiledExpression;
  /** Whether the rule reads the old value. */
  readonly usesOldSelf: boolean;
  readonly message?: CompiledExpression;
  readonly messageProblem?: string;
  /** The path of failures, below that of the schema. */
  readonly fieldPath: string;
}

/**
 * The environments in which the rules of a type are compiled.
 *
 * @param minor the version whose libraries new rules have; without it all are there, as for stored ones.
 */
export function ruleEnvironments(declared: DeclaredType, minor?: number): RuleEnvironments {
  const base = baseEnvironment(minor);
  const structs = declaredStructs(declared, 'selfType', {
    plainKeywords: (minor ?? newestMinor) >= 31,
  });
  const of = (oldSelf: Type): ValueEnvironment =>
    base.extend({ structs, variables: { self: structs.type, oldSelf } });
  return { plain: of(structs.type), optional: of(optionalOf(structs.type)) };
}

/** Compiles one rule (apiextensions, `cel.Compile`). */
export function compileRule(
  schema: Schema,
  rule: Rule,
  environments: RuleEnvironments,
): CompiledRule {
  const none = { usesOldSelf: false, fieldPath: '' };
  if (rule.rule.trim() === '') return none;
  const environment = rule.optionalOldSelf ? environments.optional : environments.plain;
  const compiled = compile(environment, rule.rule, boolType);
  if ('problem' in compiled) {
    const problem =
      compiled.problem === wrongType ? 'cel expression must evaluate to a bool' : compiled.problem;
    return { ...none, problem, usesOldSelf: compiled.usesOldSelf };
  }
  const fieldPath = rule.fieldPath === '' ? undefined : followFieldPath(rule.fieldPath, schema);
  const result = {
    expression: compiled,
    usesOldSelf: usesOldSelf(compiled.checked),
    fieldPath: fieldPath && 'path' in fieldPath ? fieldPath.path : '',
  };
  if (rule.messageExpression === '') return result;
  const message = compile(environment, rule.messageExpression, stringType);
  if (!('problem' in message)) return { ...result, message };
  return {
    ...result,
    fieldPath: '',
    messageProblem:
      message.problem === wrongType
        ? 'messageExpression must evaluate to a string'
        : message.problem
            .replace(/^program/, 'messageExpression')
            .replace(/^compilation/, 'messageExpression compilation'),
  };
}

const wrongType = 'wrong type';

function compile(
  environment: ValueEnvironment,
  text: string,
  wanted: Type,
): CompiledExpression | { readonly problem: string; readonly usesOldSelf: boolean } {
  const { checked, issues, source } = environment.compile(text);
  if (checked === undefined) {
    return { problem: `compilation failed: ${formatIssues(source, issues)}`, usesOldSelf: false };
  }
  const type = checked.types[checked.expression.id];
  // A wrapper message does not count as a value of its type here.
  if (type === undefined || type.nullable || !isSameType(type, wanted)) {
    return { problem: wrongType, usesOldSelf: false };
  }
  const program = environment.plan(checked);
  return program instanceof CelError
    ? {
        problem: `program instantiation failed: ${program.message}`,
        usesOldSelf: usesOldSelf(checked),
      }
    : {
        program,
        checked,
        // INVARIANT: a rule that can be planned can also be planned with observation.
        watched: lazily(() => environment.plan(checked, { observe: true }) as Program),
      };
}

function usesOldSelf({ references }: CheckedExpression): boolean {
  return references.some(
    (reference) => reference?.kind === 'variable' && reference.name === 'oldSelf',
  );
}
