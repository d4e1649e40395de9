import { compileExpression, type SearchOptions } from './jmespath/expression.ts';
import { Failure } from './jmespath/failure.ts';

/** A case of `kubeadmit kyverno jmespath`: one expression over some data. */
export interface JmesPathCase {
  readonly expression: string;
  readonly input?: unknown;
}

/** A value, or the text of what went wrong. */
export type ValueAnswer = { readonly result: unknown } | { readonly error: string };

/** What an expression gives, in the shape of the machine interface. */
export function answerJmesPath({ expression, input }: JmesPathCase, options?: SearchOptions): ValueAnswer {
  const compiled = compileExpression(expression);
  if (compiled instanceof Failure) return { error: compiled.message };
  const result = compiled.search(input ?? null, options);
  return result instanceof Failure ? { error: result.message } : { result };
}
