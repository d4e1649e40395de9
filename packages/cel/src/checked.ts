import { type OptionKind, requireOptions, requireValue } from '@kubeadmit/go/internal';
import * as signature from './standard/signature.ts';
import type { ParseOptions } from './syntax/expression-parser.ts';
import * as parser from './syntax/parser.ts';
import type { Type } from './types.ts';
import * as json from './values/json.ts';
import * as js from './values/to-js.ts';
import type { Value } from './values/value.ts';

// Variants that check their options, for external callers.

const parseOptions: Readonly<Record<keyof ParseOptions, OptionKind>> = {
  macros: 'list',
  optionalSyntax: 'boolean',
  escapedIdentifiers: 'boolean',
};

/**
 * Parses an expression, with cel-go's limits for size and nesting.
 *
 * Unpaired surrogates count as U+FFFD, as decoding their UTF-8 would give. Parsing ends at the first syntax error;
 * `@kubeadmit/cel/syntax-errors` produces cel-go's messages and further errors.
 *
 * @throws TypeError if `given` is not a string or an option is unknown; never for the content of the string.
 */
export function parseExpression(given: string, options: ParseOptions = {}): parser.ParseResult {
  requireOptions('parseExpression', options, parseOptions);
  return parser.parseExpression(given, options);
}

const jsOptions: Readonly<Record<keyof js.ToJsOptions, OptionKind>> = {
  ints: ['number', 'bigint'],
  timestamps: ['date', 'text'],
  durations: ['value', 'text'],
  maps: ['object', 'map'],
};

/**
 * Converts a CEL value to JavaScript: numbers, strings, booleans, null, `Uint8Array`, `Date`, arrays, objects.
 *
 * Lists and maps are copied only if something in them changes. An optional becomes its value or `undefined`; a type
 * becomes its name.
 *
 * @throws TypeError for a `CelError`, and for an unknown option
 */
export function toJs(value: Value, options: js.ToJsOptions = {}): unknown {
  requireOptions('toJs', options, jsOptions);
  return js.toJs(value, options);
}

/**
 * Parses JSON to CEL values, exactly: ints beyond 2^53 are bigints, and beyond 64 bits doubles; lone surrogates
 * become U+FFFD.
 *
 * @throws JsonError with Go's message; TypeError if `text` is not a string or an option is unknown
 */
export function parseJson(text: string, options: json.JsonOptions = {}): Value {
  requireValue('parseJson', text, 'string', 'a text of JSON');
  requireOptions('parseJson', options, { wholeDoubles: 'boolean', uniqueKeys: 'boolean' });
  return json.parseJson(text, options);
}

/**
 * Parses a type such as `map<string, list<int>>`. Single capitals are type variables; `named` resolves further
 * names.
 *
 * @throws TypeError for an invalid type
 */
export function typeFrom(text: string, named?: signature.FindNamedType): Type {
  if (named !== undefined) requireValue('typeFrom', named, 'function', 'a function of names');
  return signature.typeFrom(text, named);
}
