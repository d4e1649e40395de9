import type { Overload } from '../declarations/function-declaration.ts';
import { type FindNamedType, typeFrom } from '../declarations/signature.ts';
import type { Type } from '../values/types.ts';

const binary: ReadonlyMap<string, string> = new Map([
  ['+', '_+_'],
  ['-', '_-_'],
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>', '_>_'],
  ['>=', '_>=_'],
  ['in', '@in'],
]);

/** Operators that cannot be redefined. */
const fixed: ReadonlySet<string> = new Set(['==', '!=', '&&', '||', '!', '?', '[]', '?:']);

/**
 * Parses an operator on custom types: `Vector + Vector -> Vector`, `-Vector -> Vector`, `User in Team -> bool`; `:
 * Vector` is accepted for `-> Vector`.
 *
 * @throws TypeError for anything else
 */
export function operatorSignature(
  signature: string,
  named: FindNamedType,
): { readonly name: string; readonly overload: Omit<Overload, 'evaluate'> } {
  const text = typeof signature === 'string' ? signature : '';
  const [, taken = '', result = ''] = /^\s*(.*?)\s*(?:->|:)\s*([^:]*?)\s*$/.exec(text) ?? [];
  const [, left = '', symbol = '', right = ''] =
    /^(.*?)\s*(<=|>=|==|!=|&&|\|\||\[\]|[-+*/%!?]|(?<=\s)(?:<|>|in)(?=\s))\s*(.*)$/.exec(taken) ??
    [];
  if (fixed.has(symbol)) {
    throw new TypeError(
      `\`${signature}\`: the operator \`${symbol}\` has the same meaning for all types and cannot be overloaded`,
    );
  }
  const name = left === '' && symbol === '-' ? '-_' : binary.get(symbol);
  if (name === undefined || right === '' || (left === '' && symbol !== '-') || result === '') {
    throw new TypeError(
      `invalid operator signature \`${signature}\`; expected for example \`Vector + Vector -> Vector\` or \`-Vector -> Vector\``,
    );
  }
  const parameters: readonly Type[] = [...(left === '' ? [] : [left]), right].map((type) =>
    typeFrom(type, named),
  );
  const id = `${name}_${parameters.map(String).join('_')}`;
  return { name, overload: { id, parameters, result: typeFrom(result, named) } };
}
