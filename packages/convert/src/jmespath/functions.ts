import { isObject } from '@kubeadmit/apimachinery';
import { literal } from '../cel/literal.ts';
import {
  boolShape,
  doubleShape,
  intShape,
  listShape,
  stringShape,
  stringsShape,
} from '../cel/shapes.ts';
import {
  always,
  apply,
  binding,
  call,
  choice,
  member,
  not,
  relation,
  type Term,
} from '../cel/term.ts';
import { oneOf } from '../cel/wildcard.ts';
import { Unsupported } from '../notes/unsupported.ts';
import {
  keyPresence,
  leniently,
  listOf,
  presenceOf,
  shapeOf,
  termOf,
  termOr,
  type Value,
} from './value.ts';

type Translation = (values: readonly Value[]) => Value;

/** The functions of JMESPath and Kyverno that CEL has too, by their names. */
const functions: Readonly<Record<string, Translation>> = {
  length: ([value]) => result(apply('size', sized(given(value))), intShape),
  starts_with: ([text, part]) => result(method(text, 'startsWith', part), boolShape),
  ends_with: ([text, part]) => result(method(text, 'endsWith', part), boolShape),
  contains: ([within, part]) => result(contains(given(within), given(part)), boolShape),
  to_string: ([value]) => result(stringOrNull(given(value)), stringShape),
  to_upper: ([text]) => result(method(text, 'upperAscii'), stringShape),
  to_lower: ([text]) => result(method(text, 'lowerAscii'), stringShape),
  trim: ([text, cut]) => trimmed(given(text), cut),
  split: ([text, separator]) => result(method(text, 'split', separator), stringsShape),
  join: ([separator, list]) =>
    result(call(listOf(given(list)), 'join', termOf(given(separator))), stringShape),
  replace_all: ([text, from, to]) => result(method(text, 'replace', from, to), stringShape),
  regex_match: ([pattern, text]) =>
    result(call(asString(given(text)), 'matches', termOf(given(pattern))), boolShape),
  keys: ([map]) => keysOf(given(map)),
  values: ([map]) => valuesOf(given(map)),
  to_array: ([value]) => arrayOf(given(value)),
  // To the type checker, elements of any type become ints when they are sorted.
  sort: ([list]) => result(apply('dyn', call(listOf(given(list)), 'sort')), stringsShape),
  divide: ([left, right]) => quotient(given(left), given(right)),
  merge: ([map, other]) => withoutKeys(given(map), other),
  sum: ([list]) => result(call(listOf(given(list)), 'sum')),
  abs: ([value]) => result(apply('math.abs', termOf(given(value)))),
  ceil: ([value]) => result(apply('math.ceil', termOf(given(value)))),
  floor: ([value]) => result(apply('math.floor', termOf(given(value)))),
};

/**
 * Translates a call of a JMESPath function to CEL; arguments that are references to expressions are `undefined`.
 *
 * @throws Unsupported if the function has no equivalent.
 */
export function translateCall(name: string, values: readonly (Value | undefined)[]): Value {
  const translation = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (name === 'max' || name === 'min') {
    throw new Unsupported(`\`${name}\` of a list, which is null if the list is empty`);
  }
  if (translation === undefined || values.includes(undefined)) {
    throw new Unsupported(`the function \`${name}\` has no equivalent in CEL`);
  }
  if (name !== 'to_string' && values.some(isNull)) {
    throw new Unsupported(`\`${name}\` of null, which is an error in Kyverno`);
  }
  return translation(values.map(given));
}

function isNull(value: Value | undefined): boolean {
  return value?.kind === 'literal' && value.value === null;
}

function result(term: Term, shape?: Extract<Value, { kind: 'term' }>['shape']): Value {
  return { kind: 'term', term, shape };
}

function given(value: Value | undefined): Value {
  if (value === undefined) throw new Unsupported('a function with too few arguments');
  return value;
}

function method(target: Value | undefined, name: string, ...values: (Value | undefined)[]): Term {
  return call(asString(given(target)), name, ...values.map((value) => termOf(given(value))));
}

function asString(value: Value): Term {
  if (value.kind === 'literal') {
    return literal(typeof value.value === 'string' ? value.value : JSON.stringify(value.value));
  }
  switch (shapeOf(value)?.kind) {
    case 'string':
    case 'quantity':
      return termOf(value);
    case 'list':
    case 'map':
    case 'struct':
      throw new Unsupported('a list or map is converted to a string: CEL cannot write JSON');
    default:
      if (value.kind === 'projection') {
        throw new Unsupported('a list or map is converted to a string: CEL cannot write JSON');
      }
      return apply('string', termOf(value));
  }
}

// The string of an absent value is `null`.
function stringOrNull(value: Value): Term {
  const presence = presenceOf(value);
  if (value.kind !== 'path' || presence.text === always.text) return asString(value);
  const text = choice(presence, asString(value), literal('null'));
  return member(`(${text.text})`);
}

function sized(value: Value): Term {
  const kind = shapeOf(value)?.kind ?? '';
  const isScalar = value.kind === 'literal' && ['number', 'boolean'].includes(typeof value.value);
  if (isScalar || kind === 'bool' || /^(?:int|float)/.test(kind)) {
    throw new Unsupported('the length of a number or boolean, which is an error in Kyverno');
  }
  return termOf(value);
}

function contains(within: Value, part: Value): Term {
  const hasKey = keyPresence(part, within);
  if (hasKey !== undefined) return hasKey;
  const isList = within.kind === 'projection' || shapeOf(within)?.kind === 'list';
  if (isList) return relation(termOf(part), 'in', listOf(within));
  if (shapeOf(within)?.kind === 'string') return call(termOf(within), 'contains', termOf(part));
  if (shapeOf(within)?.kind === 'map') return relation(termOf(part), 'in', termOf(within));
  // The value may be a string or a list.
  const term = termOf(within);
  const isText = relation(apply('type', term), '==', member('string'));
  const found = termOf(part);
  return {
    text: `(${isText.text} ? ${call(term, 'contains', found).text} : ${relation(found, 'in', term).text})`,
    binds: binding.member,
  };
}

function trimmed(text: Value, cut: Value | undefined): Value {
  const blanks = cut?.kind === 'literal' && cut.value === ' ';
  if (!blanks) throw new Unsupported('`trim` of characters other than spaces');
  return result(call(asString(text), 'trim'), stringShape);
}

function keysOf(map: Value): Value {
  const term = call(mapOr(map), 'map', member('key'), member('key'));
  return { ...result(term, stringsShape), ...(map.kind === 'path' ? { keysOf: map.path } : {}) };
}

// To the type checker, an object with known fields is not a map.
function mapOr(map: Value): Term {
  if (shapeOf(map)?.kind !== 'struct') return termOr(map, literal({}));
  if (map.kind !== 'path' || map.path.isSure) return apply('dyn', termOf(map));
  return call(apply('dyn', member(map.path.optional)), 'orValue', literal({}));
}

// Null where there is no map.
function absenceOf(map: Value): { readonly absence?: Term } {
  return map.kind === 'path' && !map.path.isSure ? { absence: not(map.path.presence) } : {};
}

function valuesOf(map: Value): Value {
  const term = termOf(map);
  const shape = shapeOf(map);
  const element = shape?.kind === 'map' ? shape.element : undefined;
  const list = call(term, 'map', member('key'), member(`${term.text}[key]`));
  return {
    kind: 'term',
    term: list,
    shape: element ? listShape('[]string', element) : listShape('list'),
    ...absenceOf(map),
  };
}

function arrayOf(value: Value): Value {
  // Null becomes a list of nothing that matters.
  if (value.kind === 'projection') return leniently(value);
  if (shapeOf(value)?.kind === 'list') return value;
  throw new Unsupported('`to_array` of a value that may be a list already');
}

// Two quantities give a number.
function quotient(left: Value, right: Value): Value {
  const amounts = [left, right].map((value) => {
    const kind = shapeOf(value)?.kind;
    if (kind === 'int32' || kind === 'int64') return call(termOf(value), 'double');
    const isText = kind === 'string' || kind === 'quantity' || value.kind === 'literal';
    const text = isText ? termOf(value) : apply('string', termOf(value));
    return call(apply('quantity', text), 'asApproximateFloat');
  });
  const [dividend = member('0'), divisor = member('1')] = amounts;
  const text = `${dividend.text} / ${divisor.text}`;
  return result({ text, binds: binding.sum }, doubleShape);
}

// `merge(@, {key: null})`, by which rules leave out keys before they compare.
function withoutKeys(map: Value, other: Value | undefined): Value {
  const keys = other?.kind === 'literal' && isObject(other.value) ? Object.keys(other.value) : [];
  const isOpen = other?.kind === 'literal' && isObject(other.value);
  if (!isOpen || Object.values(other.value as object).some((value) => value !== null)) {
    throw new Unsupported('`merge` of two maps');
  }
  const [key, value] = ['key', 'value'].map(member);
  const kept = not(oneOf(member('key'), keys));
  if (key === undefined || value === undefined) throw new Unsupported('`merge` without arguments');
  return result(call(termOf(map), 'transformMap', key, value, kept, value), shapeOf(map));
}
