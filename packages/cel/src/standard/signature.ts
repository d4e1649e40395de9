import type { Overload } from '../function-declaration.ts';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  type Type,
  timestampType,
  typeOfType,
  typeParameter,
  uintType,
} from '../types.ts';

const named: Readonly<Record<string, Type>> = {
  bool: boolType,
  bytes: bytesType,
  double: doubleType,
  duration: durationType,
  dyn: dynType,
  int: intType,
  null: nullType,
  string: stringType,
  timestamp: timestampType,
  uint: uintType,
  A: typeParameter('A'),
  B: typeParameter('B'),
};

/**
 * Reads a type such as `map<string, list<int>>`; `A` and `B` are type variables.
 *
 * Throws on a text that is no type, since such texts are part of a program.
 */
export function typeFrom(text: string): Type {
  const [name = '', rest] = splitOnce(text.trim(), '<');
  if (rest === undefined) {
    const type = named[name];
    if (type === undefined) throw new Error(`\`${text}\` is no type`);
    return type;
  }
  const parameters = splitTopLevel(rest.slice(0, -1)).map(typeFrom);
  const [first = dynType, second = dynType] = parameters;
  switch (name) {
    case 'list':
      return listOf(first);
    case 'map':
      return mapOf(first, second);
    case 'optional':
      return optionalOf(first);
    case 'type':
      return typeOfType(first);
    default:
      throw new Error(`\`${text}\` is no type`);
  }
}

/** An overload from its id and signature: `(string, int) -> string`, `string.(int) -> string`. */
export function overload(
  id: string,
  signature: string,
  details: Omit<Overload, 'id' | 'parameters' | 'result' | 'member'> = {},
): Overload {
  const [left = '', result = ''] = signature.split(' -> ');
  const member = !left.startsWith('(');
  const [receiver = '', rest = ''] = member ? splitOnce(left, '.(') : ['', left.slice(1)];
  const listed = splitTopLevel(rest.replace(/\)$/, '')).map(typeFrom);
  return {
    id,
    parameters: member ? [typeFrom(receiver), ...listed] : listed,
    result: typeFrom(result),
    ...(member ? { member } : {}),
    ...details,
  };
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

function splitTopLevel(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    depth += character === '<' ? 1 : character === '>' ? -1 : 0;
    if (character === ',' && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  const last = text.slice(start);
  return last.trim() === '' ? parts : [...parts, last];
}
