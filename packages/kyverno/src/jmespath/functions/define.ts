import type { ArgumentType, ArgumentTypes, FunctionEntry, Run } from '../steps/step.ts';

/** The type of an argument, or those that it may have. */
type Parameter = ArgumentType | readonly ArgumentType[];

type Arguments<Parameters extends readonly Parameter[]> = {
  [At in keyof Parameters]: ArgumentTypes[Parameters[At] extends readonly ArgumentType[]
    ? Parameters[At][number]
    : Parameters[At] & ArgumentType];
};

/** A named function with arguments of its parameter types, and the resources that the evaluation may use. */
export function define<const Parameters extends readonly Parameter[]>(
  name: string,
  parameters: Parameters,
  apply: (...args: [...Arguments<Parameters>, Run]) => unknown,
): [string, FunctionEntry] {
  return [
    name,
    {
      parameters: parameters.map((types) => (typeof types === 'string' ? [types] : types)),
      apply: (args, run) =>
        apply(...([...args, run] as unknown as [...Arguments<Parameters>, Run])),
    },
  ];
}
