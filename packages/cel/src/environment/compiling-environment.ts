import { type OptionKind, requireArgument, requireOptions } from '@kubeadmit/base';
import { resolve } from '../check/resolver.ts';
import type { CheckedExpression, CheckResult } from '../declarations/checked-expression.ts';
import type { PlanOptions } from '../plan/planner.ts';
import type { Expression } from '../syntax/expression.ts';
import type { ParseResult } from '../syntax/parser.ts';
import type { Source } from '../syntax/source.ts';
import type { CelError } from '../values/value.ts';
import type { CompileResult, Compiler } from './compiler.ts';
import { type EnvironmentDefinitions, listDefinitions } from './list-definitions.ts';
import type { EnvironmentOptions, StructProvider } from './options.ts';
import type { Program } from './program.ts';
import type { Vocabulary } from './vocabulary.ts';

const planOptions: Readonly<Record<keyof PlanOptions, OptionKind>> = {
  observe: 'boolean',
  tellsSums: 'boolean',
  countsCosts: 'boolean',
};

function requireTree(call: string, source: Source, expression: Expression): void {
  requireArgument(call, source, { what: 'the `source` that `parse` gave', has: 'text' });
  requireArgument(call, expression, { what: 'the `expression` that `parse` gave', has: 'kind' });
}

/** The common part of all environments: parses, checks and plans expressions. */
export abstract class CompilingEnvironment {
  protected abstract readonly compiler: Compiler<Vocabulary>;

  /** Everything that is declared, sorted by name. */
  definitions(): EnvironmentDefinitions {
    return listDefinitions(this.compiler.vocabulary);
  }

  /** The object types that the environment was given. */
  get structs(): StructProvider | undefined {
    return this.compiler.vocabulary.options.structs;
  }

  /** Parses an expression. Throws only if `text` is not a string. */
  parse(text: string): ParseResult {
    return this.compiler.parse(text);
  }

  /** Finds the types of a tree; does not apply the rules of the libraries. Never throws. */
  check(source: Source, expression: Expression): CheckResult {
    requireTree('check', source, expression);
    return this.compiler.check(source, expression);
  }

  /**
   * Resolves the names of a tree without its types, for trees that are evaluated although the checker
   * rejects them, or without the cost of checking. Never throws.
   */
  resolve(source: Source, expression: Expression): CheckedExpression {
    requireTree('resolve', source, expression);
    return resolve(source, expression, this.compiler.vocabulary.declarations);
  }

  /**
   * Parses and checks an expression, and applies the rules of the libraries. Throws only if `text` is not a string.
   */
  compile(text: string): CompileResult {
    return this.compiler.compile(this.compiler.parse(text));
  }

  /**
   * Plans a checked (or at least resolved) expression as a program.
   *
   * Errors that only planning finds, such as a constant that cannot be converted, are returned with cel-go's text.
   */
  plan(checked: CheckedExpression, options: PlanOptions = {}): Program | CelError {
    requireArgument('plan', checked, {
      what: 'the `checked` that `compile` gave',
      has: 'expression',
    });
    requireOptions('plan', options, planOptions);
    return this.compiler.plan(checked, options);
  }

  /** Merges options of an environment; the given options win. */
  protected extended(more: EnvironmentOptions): EnvironmentOptions {
    const { options } = this.compiler.vocabulary;
    return {
      ...options,
      ...more,
      libraries: [...(options.libraries ?? []), ...(more.libraries ?? [])],
      variables: { ...options.variables, ...more.variables },
      constants: { ...options.constants, ...more.constants },
      types: { ...options.types, ...more.types },
      rules: [...(options.rules ?? []), ...(more.rules ?? [])],
    };
  }
}
