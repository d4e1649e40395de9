import { memoize } from '@kubeadmit/base';
import {
  anyType,
  dynType,
  listOf,
  mapOf,
  optionalOf,
  standardTypes,
  type Type,
  typeOfType,
  typeParameter,
} from '../values/types.ts';
import type { Overload } from './function-declaration.ts';

const known: ReadonlyMap<string, Type> = new Map([
  ['any', anyType],
  ...[...standardTypes, dynType].flatMap((type): [string, Type][] => [
    [type.kind, type],
    [type.name, type],
  ]),
]);

/** Resolves the name of a type outside of the language, such as `User`; returns `undefined` if it is unknown. */
export type FindNamedType = (name: string) => Type | undefined;

/**
 * Parses a type such as `map<string, list<int>>`. Single capitals are type variables; `named` resolves further
 * names.
 *
 * @throws TypeError for an invalid type
 */
export function typeFrom(text: string, named?: FindNamedType): Type {
  if (typeof text !== 'string')
    throw new TypeError('a type must be a string such as `list<string>`');
  return known.get(text) ?? (named === undefined ? languageType(text) : readType(text, named));
}

const languageType = memoize((text) => readType(text, undefined));

function readType(text: string, named: FindNamedType | undefined): Type {
  const [name = '', rest] = splitOnce(text.trim(), '<');
  if (rest === undefined) {
    const type =
      known.get(name) ?? named?.(name) ?? (/^[A-Z]$/.test(name) ? typeParameter(name) : undefined);
    if (type === undefined) throw new TypeError(`invalid type \`${text}\``);
    return type;
  }
  const inner = splitTopLevel(rest.slice(0, -1));
  const count = name === 'map' ? 2 : 1;
  if (!rest.endsWith('>') || inner.length !== count) {
    throw new TypeError(`invalid type \`${text}\``);
  }
  const [first = dynType, second = dynType] = inner.map((part) => typeFrom(part, named));
  switch (name) {
    case 'list':
      return listOf(first);
    case 'map':
      return mapOf(first, second);
    case 'optional':
    case 'optional_type':
      return optionalOf(first);
    case 'type':
      return typeOfType(first);
    default:
      throw new TypeError(`invalid type \`${text}\``);
  }
}

/**
 * Builds an overload from its id and signature: `(string, int) -> string`, `string.(int) -> string`.
 *
 * @throws TypeError for an invalid signature
 */
export function overload(
  id: string,
  signature: string,
  details: Omit<Overload, 'id' | 'parameters' | 'result' | 'member'> = {},
  named?: FindNamedType,
): Overload {
  const [left = '', result = ''] = signature.split(' -> ');
  const member = !left.startsWith('(');
  const [receiver = '', rest = ''] = member ? splitOnce(left, '.(') : ['', left.slice(1)];
  const inner = rest.endsWith(')') ? rest.slice(0, -1) : rest;
  const listed = splitTopLevel(inner).map((text) => typeFrom(text, named));
  return {
    id,
    parameters: member ? [typeFrom(receiver, named), ...listed] : listed,
    result: typeFrom(result, named),
    ...(member ? { member } : {}),
    ...details,
  };
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

function splitTopLevel(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  for (const piece of text.split(',')) {
    parts.push(depth === 0 ? piece.trim() : `${parts.pop()},${piece}`);
    if (text.includes('<')) depth += piece.split('<').length - piece.split('>').length;
  }
  if (!parts.at(-1)) parts.pop();
  return parts;
}
