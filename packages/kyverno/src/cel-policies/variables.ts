import { CelError, Type, type Value } from '@kubeadmit/cel';
import { StructValue } from '@kubeadmit/cel/values';
import type { CelProgram } from './compile-expressions.ts';

/** The type of `variables`. */
export const variablesType: Type = new Type('struct', 'kyverno.variables');

/** Finds the value of a variable of the environment by its name. */
export type Lookup = (name: string) => Value | undefined;

/** The value of `variables`: each is evaluated when it is first read, and at most once. */
export class PolicyVariables extends StructValue {
  readonly #programs: ReadonlyMap<string, CelProgram>;
  readonly #lookup: Lookup;
  readonly #values = new Map<string, Value>();

  constructor(programs: ReadonlyMap<string, CelProgram>, lookup: Lookup) {
    super();
    this.#programs = programs;
    this.#lookup = lookup;
  }

  get type(): Type {
    return variablesType;
  }

  get(name: string): Value | undefined {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const value = this.#programs.get(name)?.evaluate(this.#lookup).value;
    if (value !== undefined) this.#values.set(name, value);
    return value;
  }

  has(name: string): boolean | CelError {
    const value = this.get(name);
    return value instanceof CelError ? value : value !== undefined;
  }

  equals(other: Value): boolean {
    return this === other;
  }
}
