/** A valid argument of a call, and other values that the parameter accepts. */
export class Argument {
  readonly value: unknown;
  /** It may be left out. */
  readonly isOptional: boolean;
  /** Every value is valid: a value of JSON, of CEL, user input. */
  readonly takesAnything: boolean;
  /** All members that it may have are known, and each has a type. */
  readonly areOptions: boolean;

  constructor(value: unknown, facts: Partial<Omit<Argument, 'value'>> = {}) {
    this.value = value;
    this.isOptional = facts.isOptional ?? false;
    this.takesAnything = facts.takesAnything ?? false;
    this.areOptions = facts.areOptions ?? false;
  }
}

/** An argument that may be left out. */
export const maybe = (value: unknown): Argument => new Argument(value, { isOptional: true });

/** An argument that may be anything. */
export const anything = (value: unknown): Argument => new Argument(value, { takesAnything: true });

/** Options that may be left out. */
export const options = (value: object): Argument =>
  new Argument(value, { isOptional: true, areOptions: true });

/** Options that have to be there. */
export const required = (value: object): Argument => new Argument(value, { areOptions: true });

/** The arguments of a valid call; a value that is not an `Argument` stands for a parameter of exactly its kind. */
export type RightCall = readonly unknown[];

/** The arguments of a call, with the other values that each accepts. */
export function argumentsOf(call: RightCall): readonly Argument[] {
  return call.map((each) => (each instanceof Argument ? each : new Argument(each)));
}
