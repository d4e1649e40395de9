import { Failure } from '../steps/failure.ts';

/** A failure of one of Kyverno's own functions. */
export function functionFailure(name: string, message: string): Failure {
  return new Failure(`JMESPath function '${name}': ${message}`);
}

/** An argument, counted from 1, of a type that the function cannot use. */
export function wrongType(name: string, argument: number, type: string): Failure {
  return functionFailure(name, `argument #${argument} is not of type ${type}`);
}
