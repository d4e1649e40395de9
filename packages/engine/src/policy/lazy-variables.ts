import { CelError, Type, type Value } from '@kubeadmit/cel';
import type { GoFormOf } from '@kubeadmit/cel/unstable-internal';
import { noOverload, StructValue } from '@kubeadmit/cel/values';
import { quote } from '@kubeadmit/go';
import type { Bindings, CompiledExpression, CompiledVariables, Lookup } from './program.ts';

/** The type of `variables`. */
export const variablesType: Type = new Type('struct', 'kubernetes.variables');

/**
 * The value of `variables`: each variable is evaluated when it is first read, and at most once
 * (apiserver plugin/cel/composition.go).
 *
 * INVARIANT: one instance lives for one group of expressions over the same bindings.
 */
export class LazyVariables extends StructValue {
  override readonly isMapToGo: boolean = true;
  readonly #compiled: CompiledVariables;
  readonly #bindings: Bindings;
  readonly #formOf: GoFormOf | undefined;
  /** Those that were evaluated, and those that are being: `undefined`. */
  readonly #values: Map<string, Value | undefined> = new Map();
  #unpaidCost: number = 0;

  constructor(compiled: CompiledVariables, bindings: Bindings, formOf: GoFormOf | undefined) {
    super();
    this.#compiled = compiled;
    this.#bindings = bindings;
    this.#formOf = formOf;
  }

  /** The bindings of all expressions of the group, and this object as `variables`. */
  // A field, since V8 allocates a function that a constructor assigns to a property in the old generation, from where
  // it would keep the request's young objects alive.
  readonly lookup: Lookup = (name) => {
    if (name === 'variables') return this;
    const bindings = this.#bindings;
    if (typeof bindings === 'function') return bindings(name);
    return Object.hasOwn(bindings, name) ? bindings[name] : undefined;
  };

  get type(): Type {
    return variablesType;
  }

  /** The cost of the evaluations since the last call. */
  takeCost(): number {
    const cost = this.#unpaidCost;
    this.#unpaidCost = 0;
    return cost;
  }

  get(name: string): Value | undefined {
    const values = this.#values;
    const known = values.get(name);
    if (known !== undefined) return known;
    const variable = this.#compiled.get(name);
    if (variable === undefined) return undefined;
    // Of two of one name, the later is read where the first was meant: kube-apiserver 1.37 runs out of its stack here,
    // and ends.
    if (values.has(name)) return failedVariable(name, 'evaluate', 'it refers to itself');
    values.set(name, undefined);
    const value = this.#evaluate(name, variable);
    values.set(name, value);
    return value;
  }

  has(name: string): boolean | CelError {
    const value = this.get(name);
    return value instanceof CelError ? value : value !== undefined;
  }

  // The server compares it with nothing but itself (apiserver pkg/cel/lazy/lazy.go).
  equals(other: Value): boolean | CelError {
    return this === other || noOverload();
  }

  #evaluate(name: string, { problem, program }: CompiledExpression): Value {
    if (problem !== undefined || program === undefined) {
      return failedVariable(name, 'compile', problem?.detail ?? '');
    }
    const { value, cost } = program.evaluate(this.lookup, this.#formOf);
    this.#unpaidCost += cost;
    return value instanceof CelError ? failedVariable(name, 'evaluate', value.message) : value;
  }
}

function failedVariable(name: string, to: 'compile' | 'evaluate', why: string): CelError {
  return new CelError(`composited variable ${quote(name)} fails to ${to}: ${why}`);
}
