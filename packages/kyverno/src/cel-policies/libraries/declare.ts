import type { FunctionDeclaration, Overload, Type } from '@kubeadmit/cel';

type Evaluate = NonNullable<Overload['evaluate']>;

/** One form of a function: what it takes, what it gives and what it does. */
export interface Form {
  readonly id: string;
  readonly parameters: readonly Type[];
  readonly result: Type;
  readonly evaluate: Evaluate;
}

/** A function called as `f(x)`, under each of its names. */
export function functionsNamed(
  names: readonly string[],
  ...forms: readonly Form[]
): readonly FunctionDeclaration[] {
  return names.map((name, index) => ({
    name,
    overloads: forms.map((form) => numbered(form, index)),
  }));
}

/** A function called as `x.f(y)`, under each of its names; the receiver is the first parameter. */
export function membersNamed(
  names: readonly string[],
  ...forms: readonly Form[]
): readonly FunctionDeclaration[] {
  return names.map((name, index) => ({
    name,
    overloads: forms.map((form) => ({ ...numbered(form, index), member: true })),
  }));
}

/** Overloads have ids of their own under each name. */
function numbered({ id, ...rest }: Form, index: number): Overload {
  return { id: index === 0 ? id : `${id}_${index}`, ...rest };
}
