import type { FunctionImplementation } from '../function-declaration.ts';
import type { Library } from '../library.ts';
import { overload, typeFrom } from './signature.ts';

/**
 * A library of functions by their signatures: `greet(string) -> string`, `string.greet(int) -> string`
 * for one that is called as a method, `greetings.greet(string) -> string` for one in a namespace.
 *
 * An implementation gets arguments of the types that its signature names, and gives a `CelError` for
 * what goes wrong. Throws on a text that is no signature, since such texts are part of a program.
 */
export function libraryFrom(
  name: string,
  functions: Readonly<Record<string, FunctionImplementation>>,
): Library {
  return {
    name,
    functions: Object.entries(functions).map(([signature, evaluate]) => {
      const start = signature.indexOf('(');
      const head = signature.slice(0, Math.max(start, 0));
      const dot = head.lastIndexOf('.');
      const isMember = dot !== -1 && isType(head.slice(0, dot));
      const called = isMember ? head.slice(dot + 1) : head;
      const types = (isMember ? `${head.slice(0, dot)}.` : '') + signature.slice(head.length);
      const [taken = ''] = signature.split(' -> ');
      const id = taken.replace(/\W+/g, '_').replace(/_$/, '');
      if (called === '' || !/\) -> ./.test(types)) {
        throw new Error(`\`${signature}\` is no signature`);
      }
      return { name: called, overloads: [overload(id, types, { evaluate })] };
    }),
  };
}

function isType(text: string): boolean {
  try {
    typeFrom(text);
    return true;
  } catch {
    return false;
  }
}
