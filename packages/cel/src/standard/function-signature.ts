import type { Overload } from '../declarations/function-declaration.ts';
import { type FindNamedType, overload, typeFrom } from '../declarations/signature.ts';

/** A function by its name, with one of its overloads. */
export interface FunctionSignature {
  readonly name: string;
  readonly overload: Overload;
}

/**
 * Parses `greet(string) -> string`, `string.greet(int) -> string` (a method), `texts.greet(string) -> string` (in a
 * namespace); `: string` is accepted for `-> string`.
 *
 * @throws TypeError for an invalid signature
 */
export function functionSignature(signature: string, named?: FindNamedType): FunctionSignature {
  if (typeof signature !== 'string') {
    throw new TypeError('a function needs a signature such as `greet(string) -> string`');
  }
  const text = signature.replace(/\)\s*(?:->|:)\s*/, ') -> ').trim();
  const start = text.indexOf('(');
  const head = text.slice(0, Math.max(start, 0));
  const dot = lastDot(head);
  const isMember = dot !== -1 && isType(head.slice(0, dot), named);
  const called = isMember ? head.slice(dot + 1) : head;
  const types = (isMember ? `${head.slice(0, dot)}.` : '') + text.slice(head.length);
  const [taken = ''] = text.split(' -> ');
  const id = taken.replace(/\W+/g, '_').replace(/_$/, '');
  if (!/^[A-Za-z_][\w.]*$/.test(called) || !/\) -> ./.test(types)) {
    throw new TypeError(
      `invalid signature \`${signature}\`; expected for example \`greet(string) -> string\``,
    );
  }
  return { name: called, overload: overload(id, types, {}, named) };
}

/** The last dot that is not within the parameters of a type. */
function lastDot(head: string): number {
  return head.endsWith('>') ? -1 : head.lastIndexOf('.');
}

function isType(text: string, named: FindNamedType | undefined): boolean {
  try {
    typeFrom(text, named);
    return true;
  } catch {
    return false;
  }
}
