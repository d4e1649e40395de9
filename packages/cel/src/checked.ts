import { type OptionKind, requireOptions, requireValue } from '@kubeadmit/go/internal';
import * as signature from './standard/signature.ts';
import type { ParseOptions } from './syntax/expression-parser.ts';
import * as parser from './syntax/parser.ts';
import type { Type } from './types.ts';
import * as json from './values/json.ts';
import * as js from './values/to-js.ts';
import type { Value } from './values/value.ts';

// What evaluation asks all the time, with a look at the options.

const parseOptions: Readonly<Record<keyof ParseOptions, OptionKind>> = {
  macros: 'list',
  optionalSyntax: 'boolean',
  escapedIdentifiers: 'boolean',
};

/**
 * Parses an expression, with the limits that cel-go has for size and nesting.
 *
 * Surrogates that are not in pairs count as U+FFFD, as decoding their UTF-8 would give. The first syntax error ends it:
 * the texts and further errors that cel-go gives are those of `@kubeadmit/cel/syntax-errors`.
 *
 * @throws TypeError for what is no string, for options that there are not, and nothing for what the text says.
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
 * The value of JavaScript for a value of CEL: numbers, strings, booleans, null, `Uint8Array`, `Date`, arrays, objects.
 *
 * Lists and maps are copied only where something in them changes. An optional gives its value, or `undefined`; a type
 * gives its name. Throws a `TypeError` for a `CelError`, which is a failure and no value, and for options that
 * there are not.
 */
export function toJs(value: Value, options: js.ToJsOptions = {}): unknown {
  requireOptions('toJs', options, jsOptions);
  return js.toJs(value, options);
}

/**
 * Reads JSON as CEL values, exactly: ints beyond 2^53 are bigints, and beyond 64 bits doubles; lone
 * surrogates become U+FFFD. Throws `JsonError` with Go's text, and a `TypeError` for what is no text, and for options
 * that there are not.
 */
export function parseJson(text: string, options: json.JsonOptions = {}): Value {
  requireValue('parseJson', text, 'string', 'a text of JSON');
  requireOptions('parseJson', options, { wholeDoubles: 'boolean', uniqueKeys: 'boolean' });
  return json.parseJson(text, options);
}

/**
 * Reads a type such as `map<string, list<int>>`; single capitals are type variables, `named` knows
 * further names.
 *
 * Throws a `TypeError` on a text that is no type, since such texts are part of a program.
 */
export function typeFrom(text: string, named?: signature.FindNamedType): Type {
  if (named !== undefined) requireValue('typeFrom', named, 'function', 'a function of names');
  return signature.typeFrom(text, named);
}
