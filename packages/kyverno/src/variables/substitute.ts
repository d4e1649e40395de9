import { Failure } from '../jmespath/failure.ts';
import { toJsonText } from '../values/json-text.ts';
import { isObject } from '../values/value.ts';
import { expressionForPlace } from './location.ts';
import { replaceFirst, resolveReferences, strayBytes } from './references.ts';
import { traverse } from './traverse.ts';

/** What variables are read from: the context of a request, or what stands for one. */
export interface VariableSource {
  /** The operation of the request, as far as it is known. */
  readonly operation: string;
  /** What a JMESPath expression gives. */
  query(text: string): unknown;
}

/** A failure whose text says everything; nothing is written before it. */
export class FinalFailure extends Failure {}

const startsWithVariable = /^\{\{(?:\{[^{}]*\}|[^{}])*\}\}/;
const variableText = /(?:^|[^\\])\{\{(?:\{[^{}]*\}|[^{}])*\}\}/g;

/** How many variables one string may expand to, one after the other. */
const expansionLimit = 10_000;
/** How long a string may get by expansion. */
const lengthLimit = 16 * 1024 * 1024;

/**
 * A document with its references `$(…)` and then its variables `{{ … }}` replaced, or a `Failure`.
 *
 * A string that is exactly one variable becomes the variable's value with its type. Documents without either
 * come back as they are.
 */
export function substitute(context: VariableSource, document: unknown): unknown {
  const needs = needsOf(document);
  const resolved = needs.references ? resolveReferences(document) : document;
  if (resolved instanceof Failure || !(needs.variables || needs.references)) return resolved;
  return substituteVariables(context, resolved);
}

/** A document with its variables replaced, references left alone. */
function substituteVariables(context: VariableSource, document: unknown): unknown {
  return traverse(document, (text, path) => substituteInText(context, text, path));
}

interface Needs {
  readonly variables: boolean;
  readonly references: boolean;
}

const needsOfDocuments = new WeakMap<object, Needs>();

function needsOf(document: unknown): Needs {
  if (typeof document === 'string') return needsOfText(document);
  if (typeof document !== 'object' || document === null) return nothing;
  const known = needsOfDocuments.get(document);
  if (known !== undefined) return known;
  const needs = scan(document);
  needsOfDocuments.set(document, needs);
  return needs;
}

const nothing: Needs = { variables: false, references: false };

function needsOfText(text: string): Needs {
  return { variables: text.includes('{{'), references: text.includes('$(') };
}

function scan(document: object): Needs {
  let variables = false;
  let references = false;
  const stack: unknown[] = [document];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'string') {
      variables ||= value.includes('{{');
      references ||= value.includes('$(');
    } else if (Array.isArray(value)) {
      for (const item of value) stack.push(item);
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) stack.push(key, value[key]);
    }
  }
  return { variables, references };
}

function substituteInText(context: VariableSource, text: string, path: string): unknown {
  if (!text.includes('{{')) return text;
  let value = text;
  let expansions = 0;
  for (let found = variablesIn(value); found.length > 0; found = variablesIn(value)) {
    const whole = value;
    let isShallow = false;
    for (const match of found) {
      if (++expansions > expansionLimit || value.length > lengthLimit) {
        return new Failure(`the variables at path ${path} expand without end`);
      }
      const prefix = startsWithVariable.test(match)
        ? ''
        : String.fromCodePoint(match.codePointAt(0) ?? 0);
      const variable = match.slice(prefix.length);
      const read = readVariable(context, variable, prefix, path);
      isShallow = read.isShallow;
      const result = context.query(read.expression);
      if (result instanceof FinalFailure) return result;
      if (result instanceof Failure) {
        return new Failure(
          `failed to resolve ${read.expression} at path ${path}: ${result.message}`,
        );
      }
      if (whole === variable) return result;
      const inserted = asText(result, isShallow);
      if (inserted instanceof Failure) {
        return new Failure(
          `failed to resolve ${read.expression} at path ${path}: ${inserted.message}`,
        );
      }
      value = replaceFirst(value, prefix + variable, prefix + inserted);
    }
    if (isShallow) break;
  }
  return value.replaceAll('\\{{', '{{');
}

function variablesIn(text: string): readonly string[] {
  return text.match(variableText) ?? [];
}

interface ReadVariable {
  readonly expression: string;
  readonly isShallow: boolean;
}

function readVariable(
  context: VariableSource,
  variable: string,
  prefix: string,
  path: string,
): ReadVariable {
  const inner = strayBytes(prefix) + variable.replaceAll('{{', '').replaceAll('}}', '');
  const trimmed = inner.trim();
  const isShallow = trimmed.startsWith('-');
  let expression = isShallow ? trimmed.slice(1).trim() : trimmed;
  if (expression === '@') expression = expressionForPlace(path, rootOfPlaces(context));
  if (context.operation === 'DELETE') {
    expression = expression.replaceAll('request.object', 'request.oldObject');
  }
  return { expression, isShallow };
}

function rootOfPlaces(context: VariableSource): readonly string[] {
  return context.query('target') instanceof Failure ? ['request', 'object'] : ['target'];
}

function asText(value: unknown, isShallow: boolean): string | Failure {
  if (isShallow && value !== null) {
    return typeof value === 'string'
      ? value.replaceAll('{{', '\\{{')
      : new Failure('a variable that begins with - must be a string');
  }
  if (typeof value === 'string') return value;
  return toJsonText(value) ?? new Failure('failed to marshal float64: unsupported value');
}
