import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { compileConditions } from './conditions/compile.ts';
import { evaluateConditions } from './conditions/evaluate.ts';
import { JsonContext } from './context/json-context.ts';
import { compileExpression, type SearchOptions } from './jmespath/expression.ts';
import { Failure } from './jmespath/steps/failure.ts';
import { Items } from './jmespath/steps/items.ts';
import { toJson } from './jmespath/steps/to-json.ts';
import { substitute } from './variables/substitute.ts';

/** A case of `kubeadmit kyverno jmespath`: one expression over some data. */
export interface JmesPathCase {
  readonly expression: string;
  readonly input?: unknown;
}

/** A value, or the text of an error, such as for NaN or an infinity, which JSON cannot represent. */
export type ValueAnswer = { readonly result: unknown } | { readonly error: string };

/** Evaluates an expression, in the shape of the machine interface. */
export function answerJmesPath(
  { expression, input }: JmesPathCase,
  options?: SearchOptions,
): ValueAnswer {
  const compiled = compileExpression(expression);
  if (compiled instanceof Failure) return { error: compiled.message };
  return valueAnswer(compiled.search(input ?? null, options));
}

function valueAnswer(value: unknown): ValueAnswer {
  if (value instanceof Failure) return { error: value.message };
  const result = jsonForm(value);
  const text = toJson(result);
  return text instanceof Failure ? { error: text.message } : { result };
}

/** A result as Go writes it: a result of `items` as a list, and a reference to an expression as an empty object. */
function jsonForm(value: unknown): unknown {
  if (value instanceof Items) return jsonForm(value.list);
  if (Array.isArray(value)) return value.map(jsonForm);
  if (typeof value !== 'object' || value === null) return value;
  const object: JsonObject = {};
  if (!isObject(value)) return object;
  for (const key of Object.keys(value)) setKey(object, key, jsonForm(value[key]));
  return object;
}

/** A case of `kubeadmit kyverno conditions`: a block of conditions over a context. */
export interface ConditionsCase {
  readonly context?: JsonObject | null;
  readonly conditions?: unknown;
}

/** The truth of a block of conditions. */
export interface ConditionsAnswer {
  readonly result: boolean;
  readonly message?: string;
  readonly error?: string;
}

/** Evaluates a block of conditions, in the shape of the machine interface. */
export function answerConditions(given: ConditionsCase, options?: SearchOptions): ConditionsAnswer {
  return prepareConditions(given, options)();
}

/** Reads a block of conditions once, to be evaluated many times. */
export function prepareConditions(
  { context, conditions }: ConditionsCase,
  options?: SearchOptions,
): () => ConditionsAnswer {
  const compiled = compileConditions(conditions);
  if (compiled instanceof Failure) return () => ({ result: false, error: compiled.message });
  return () => {
    const outcome = evaluateConditions(new JsonContext(() => context ?? {}, options), compiled);
    if (outcome instanceof Failure) return { result: false, error: outcome.message };
    return outcome.message === '' ? { result: outcome.result } : outcome;
  };
}

/** A case of `kubeadmit kyverno substitute`: a document with references and variables. */
export interface SubstituteCase {
  readonly context?: JsonObject | null;
  readonly document?: unknown;
}

/** A document with its references and variables replaced, in the shape of the machine interface. */
export function answerSubstitute(
  { context, document }: SubstituteCase,
  options?: SearchOptions,
): ValueAnswer {
  return valueAnswer(substitute(new JsonContext(() => context ?? {}, options), document ?? null));
}
