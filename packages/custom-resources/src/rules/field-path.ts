import { isObject, member } from '@kubeadmit/apimachinery';
import { childPath, keyPath } from '../schema/finding.ts';
import { innerOf, propertiesOf, propertyOf, type Schema, valuesOf } from '../schema/schema.ts';

/** The path that a `fieldPath` or `jsonPath` names, and the schema there. */
export interface FieldPath {
  readonly path: string;
  /** The first step of the path. */
  readonly root: string;
  readonly schema: Schema;
}

/** Why a path leads nowhere. */
export interface FieldPathProblem {
  readonly problem: string;
}

const escapes: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  "'": "'",
  '\\': '\\',
};

/**
 * Follows a path of fields and map keys such as `.spec.m['key']` through a schema (apiextensions, `cel.ValidFieldPath`).
 */
export function followFieldPath(
  text: string,
  start: Schema,
  allowsBrackets = true,
): FieldPath | FieldPathProblem {
  const tokens = tokensOf(text);
  const missing = { problem: 'does not refer to a valid field' };
  const ended = { problem: 'unexpected end of JSON path' };
  let at: { path: string; root: string; schema: Schema } = { path: '', root: '', schema: start };
  const step = (name: string): FieldPathProblem | undefined => {
    const { path, root, schema } = at;
    if (Object.keys(propertiesOf(schema)).length > 0) {
      const property = propertyOf(schema, name);
      if (!property) return missing;
      at = { path: childPath(path, name), root: root || name, schema: property };
      return undefined;
    }
    if (!hasAdditional(schema)) return missing;
    at = { path: keyPath(path, name), root: root || `[${name}]`, schema: valuesOf(schema) ?? {} };
    return undefined;
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as string;
    if (token === '.') {
      const name = tokens[++index];
      if (name === undefined) return ended;
      const problem = step(name);
      if (problem) return problem;
    } else if (token === '[') {
      if (!allowsBrackets) return { problem: 'array notation is not allowed' };
      const quoted = tokens[++index];
      if (quoted === undefined) return ended;
      if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) {
        return { problem: `expected single quoted string but got ${quoted}` };
      }
      const inner = quoted.slice(1, -1);
      const wrong = /\\[^abfnrtv'\\]/.exec(inner)?.[0];
      if (wrong) return { problem: `invalid string literal: invalid escape char ${wrong}` };
      const problem = step(inner.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? ''));
      if (problem) return problem;
      const closing = tokens[++index];
      if (closing === undefined) return ended;
      if (closing !== ']') return { problem: `expected ] but got ${closing}` };
    } else return { problem: `expected [ or . but got: ${token}` };
  }
  return at;
}

function hasAdditional(schema: Schema): boolean {
  const additional = member(schema, 'additionalProperties');
  return (
    innerOf(schema, 'additionalProperties') !== undefined ||
    isObject(additional) ||
    typeof additional === 'boolean'
  );
}

/** Splits a path into delimiters and the parts between them; a quoted string is one token. */
function tokensOf(text: string): readonly string[] {
  return text.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/gs) ?? [];
}
