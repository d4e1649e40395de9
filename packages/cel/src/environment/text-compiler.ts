import { lazily } from '@kubeadmit/base';
import { optionalLibrary } from '../standard/optionals.ts';
import type { Environment } from './environment.ts';
import { EvaluatingCompiler } from './evaluating-compiler.ts';
import { requireOptions } from './evaluator.ts';
import type { EnvironmentOptions } from './options.ts';
import { noOptions } from './program.ts';
import { textVocabulary } from './standard-vocabulary.ts';

/** Where an expression is read: the names and functions that it may use. */
export interface TextOptions {
  /**
   * Declares names for expressions. By default they have the standard library and optionals, and every name that is not
   * declared is a variable.
   */
  readonly environment?: Environment;
}

/** The options of expressions that are parsed without an environment. */
export const standardOptions: EnvironmentOptions = {
  libraries: [optionalLibrary],
  unlistedVariablesAreDyn: true,
};

/** The compiler of expressions without an environment, so that bundles omit the code for declarations. */
const standardCompiler = lazily(() => new EvaluatingCompiler(textVocabulary()));

/** Returns the environment of the options, or the standard one. Throws a `TypeError` for invalid options. */
export function compilerFor(options: TextOptions): Pick<Environment, 'evaluator'> {
  const environment = options === noOptions ? undefined : environmentOf(options);
  return environment ?? standardCompiler();
}

/** Returns the environment among the options. Throws a `TypeError` if it is not an environment. */
export function environmentOf(options: TextOptions): Environment | undefined {
  requireOptions(options);
  const { environment } = options;
  if (environment === undefined || typeof environment?.evaluator === 'function') return environment;
  throw new TypeError('`environment` must be an `Environment`');
}
