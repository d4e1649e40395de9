import type { Definitions } from '../declarations/definitions.ts';
import { valuePaths } from '../plan/value-path.ts';
import { Compiler } from './compiler.ts';
import { CompilingEnvironment } from './compiling-environment.ts';
import type { EnvironmentOptions } from './options.ts';
import { Vocabulary } from './vocabulary.ts';

/** The options of such an environment. */
export type ValueEnvironmentOptions = Omit<EnvironmentOptions, 'types' | 'bindingsAreValues'>;

/**
 * An environment for hosts whose data is already CEL values, such as JSON. It does not load the conversion of
 * JavaScript values.
 */
export class ValueEnvironment extends CompilingEnvironment {
  protected override readonly compiler: Compiler<Vocabulary>;

  constructor(options: ValueEnvironmentOptions = {}, definitions?: Definitions) {
    super();
    this.compiler = new Compiler(new Vocabulary(options, { definitions, paths: valuePaths }));
  }

  /** Returns an environment with additional options; the options given here win. */
  extend(more: ValueEnvironmentOptions): ValueEnvironment {
    const { definitions } = this.compiler.vocabulary;
    const known = more.libraries === undefined ? definitions : undefined;
    return new ValueEnvironment(this.extended(more), known);
  }

  /** The same environment without its rules for checked trees; those of libraries stay. */
  withoutRules(): ValueEnvironment {
    const { options, definitions } = this.compiler.vocabulary;
    return new ValueEnvironment({ ...options, rules: [] }, definitions);
  }
}
