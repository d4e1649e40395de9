import type { Overload } from '@kubeadmit/cel';
import { CelError, type FunctionDeclaration, type Type } from '@kubeadmit/cel';

type Evaluate = NonNullable<Overload['evaluate']>;

/** An overload called as `f(x)`. */
export function plain(
  id: string,
  parameters: readonly Type[],
  result: Type,
  evaluate: Evaluate,
): Overload {
  return { id, parameters, result, evaluate };
}

/** An overload called as `x.f(y)`; the receiver is the first parameter. */
export function member(
  id: string,
  parameters: readonly Type[],
  result: Type,
  evaluate: Evaluate,
): Overload {
  return { id, parameters, result, member: true, evaluate };
}

/** A function with its overloads, in the order in which they are tried. */
export function declare(name: string, ...overloads: readonly Overload[]): FunctionDeclaration {
  return { name, overloads };
}

/** The error of kube-apiserver's functions for a value of another kind (`MaybeNoSuchOverloadErr`). */
export function noSuchOverload(): CelError {
  return new CelError('no such overload');
}
