import type { JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { formatType, formatValue } from '@kubeadmit/go';
import { Failure } from '../jmespath/steps/failure.ts';
import { toJson } from '../jmespath/steps/to-json.ts';
import type { RuleTracer } from '../trace/rule-trace.ts';
import { expressionForPlace } from './location.ts';
import { replaceFirst, resolveReferences } from './references.ts';
import { readVariables, type Template, templateOf, type Variable } from './template.ts';
import { mayChange, traverse } from './traverse.ts';

/** The source of variables: the context of a request, or a substitute for one. */
export interface VariableSource {
  /** The operation of the request, if it is known. */
  readonly operation: string;
  /** Records which variables are read. */
  readonly trace?: RuleTracer | undefined;
  /** Evaluates a JMESPath expression. */
  query(text: string): unknown;
}

/** A failure whose text says everything; nothing is written before it. */
export class FinalFailure extends Failure {}

/** How many variables one string may expand to, one after the other. */
const expansionLimit = 10_000;
/** How long a string may get by expansion. */
const lengthLimit = 16 * 1024 * 1024;

/**
 * Substitutes references `$(…)` and then variables `{{ … }}` in a document, or returns a `Failure`.
 *
 * A string that is exactly one variable becomes the variable's value with its type. Parts without either are
 * returned unchanged, and values of variables too; callers must not modify the result.
 */
export function substitute(context: VariableSource, document: unknown): unknown {
  const template = templateOf(document);
  if (template.kind === 'constant') return template.value;
  if (template.kind !== 'references') return fill(context, template, '');
  const resolved = resolveReferences(template.document);
  return resolved instanceof Failure ? resolved : substituteInValue(context, resolved);
}

/** Replaces the variables in a document that was not there beforehand. */
function substituteInValue(context: VariableSource, value: unknown, path = '', depth = 0): unknown {
  return traverse(
    value,
    (text, place) =>
      text.includes('{{') ? substituteInText(context, text, readVariables(text), place) : text,
    path,
    depth,
  );
}

/** A template with its variables replaced. */
function fill(context: VariableSource, template: Template, path: string): unknown {
  switch (template.kind) {
    case 'constant':
      return template.value;
    case 'failure':
      return template.failure;
    case 'text': {
      const { text, variables, depth } = template;
      const result = substituteInText(context, text, variables, path);
      return typeof result === 'object' && result !== null && mayChange(result)
        ? substituteInValue(context, result, path, depth)
        : result;
    }
    case 'list': {
      const list: unknown[] = [];
      for (let at = 0; at < template.items.length; at++) {
        const item = fill(context, template.items[at] as Template, `${path}/${at}`);
        if (item instanceof Failure) return item;
        list.push(item);
      }
      return list;
    }
    case 'map':
      return fillMap(context, template, path);
    default:
      return template.document;
  }
}

function fillMap(
  context: VariableSource,
  { members }: Extract<Template, { kind: 'map' }>,
  path: string,
): unknown {
  const object: JsonObject = {};
  for (const { key, keyVariables, step, value } of members) {
    const newKey =
      keyVariables === undefined ? key : substituteInText(context, key, keyVariables, path);
    if (newKey instanceof Failure) return newKey;
    const written = newKey ?? key;
    if (typeof written !== 'string') {
      return new Failure(`expected string after substituting variables in key "${key}"`);
    }
    const filled = fill(context, value, path + step);
    if (filled instanceof Failure) return filled;
    setKey(object, written, filled);
  }
  return object;
}

function substituteInText(
  context: VariableSource,
  text: string,
  variables: readonly Variable[],
  path: string,
): unknown {
  let value = text;
  let expansions = 0;
  for (let found = variables; found.length > 0; found = readVariables(value)) {
    const whole = value;
    let isShallow = false;
    for (const variable of found) {
      if (++expansions > expansionLimit || value.length > lengthLimit) {
        return new Failure(`the variables at path ${path} expand without end`);
      }
      isShallow = variable.isShallow;
      const expression = expressionOf(context, variable, path);
      const result = context.query(expression);
      context.trace?.variable(expression, result);
      if (result instanceof FinalFailure) return result;
      if (result instanceof Failure) {
        return new Failure(`failed to resolve ${expression} at path ${path}: ${result.message}`);
      }
      if (whole === variable.text) return result;
      const inserted = asText(result, isShallow);
      if (inserted instanceof Failure) {
        return new Failure(`failed to resolve ${expression} at path ${path}: ${inserted.message}`);
      }
      const { prefix } = variable;
      value = replaceFirst(value, prefix + variable.text, prefix + inserted);
    }
    if (isShallow) break;
  }
  return value.includes('\\{{') ? value.replaceAll('\\{{', '{{') : value;
}

function expressionOf(
  context: VariableSource,
  { expression: written }: Variable,
  path: string,
): string {
  const expression = written === '@' ? expressionForPlace(path, rootOfPlaces(context)) : written;
  return context.operation === 'DELETE'
    ? expression.replaceAll('request.object', 'request.oldObject')
    : expression;
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
  const text = toJson(value);
  return text instanceof Failure
    ? new Failure(`failed to marshal ${formatType(value)}: ${formatValue(value)}`)
    : text;
}
