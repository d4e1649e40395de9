import { hasWildcard } from '@kubeadmit/kyverno/patterns';
import { type Shape, structNamed } from '@kubeadmit/schemas/types';
import { literal } from '../cel/literal.ts';
import type { Path } from '../cel/path.ts';
import {
  all,
  always,
  any,
  apply,
  call,
  choice,
  member,
  never,
  not,
  relation,
  type Term,
} from '../cel/term.ts';
import { oneOf } from '../cel/wildcard.ts';
import { Unsupported } from '../notes/unsupported.ts';

/** The value of a JMESPath expression in CEL. */
export type Value =
  /** A place in an object, which may be absent. */
  | { readonly kind: 'path'; readonly path: Path }
  /** Something computed, which is always there. */
  | {
      readonly kind: 'term';
      readonly term: Term;
      readonly shape?: Shape | undefined;
      /** Whether it is a text of a form without wildcards for certain. */
      readonly isName?: boolean;
      /** When it is null instead. */
      readonly absence?: Term;
      /** Whether reading it ends in an error where it is absent. */
      readonly mayEnd?: boolean;
      /** Holds where reading it does not end in an error; absent if no expression tests that. */
      readonly readable?: Term;
      /** Whether it is an element of a list by its index, which is null where there are fewer. */
      readonly isElement?: boolean;
      /** The map whose keys it is. */
      readonly keysOf?: Path;
      /** Whether it is a duration of CEL, which JMESPath has as a string. */
      readonly isDuration?: boolean;
      /** The same as an optional. */
      readonly optional?: Term;
    }
  | { readonly kind: 'literal'; readonly value: unknown }
  /** One of two values of different types. */
  | {
      readonly kind: 'choice';
      readonly test: Term;
      readonly whenTrue: Value;
      readonly whenFalse: Value;
      /** Whether the test ends in an error where something is absent. */
      readonly mayEnd?: boolean;
      /** Whether JMESPath takes the chosen value for true, where that is shorter than by its branches. */
      readonly truth?: Term;
    }
  /** The variable `images`, or those of lists of containers. */
  | { readonly kind: 'images'; readonly places: readonly Path[] | undefined }
  | { readonly kind: 'image'; readonly reference: Term }
  | Projection;

/** A projection: a value for each element of a list. */
export interface Projection {
  readonly kind: 'projection';
  /** A list that has to be there. */
  readonly list: Term;
  /** The same with an empty one where it is absent, and whether it is there; nothing for one that is always there. */
  readonly lenient?: { readonly list: Term; readonly presence: Term };
  /** Whether reading it ends in an error where the list is absent. */
  readonly mayEnd?: boolean;
  /** The loop variable. */
  readonly name: string;
  /** Which elements count; all for `undefined`. */
  readonly filter: Term | undefined;
  readonly item: Value;
  /** The map whose keys the list is. */
  readonly keysOf?: Path;
  /** The place that the list is, where it is one and its elements are given as they are. */
  readonly source?: Path | undefined;
}

/** The value as a term; a place that is absent ends its evaluation, as it ends that of the rule in Kyverno. */
export function termOf(value: Value): Term {
  switch (value.kind) {
    case 'path':
      return value.path.term;
    case 'term':
      return value.term;
    case 'literal':
      return literal(value.value);
    case 'projection':
      return projectedList(value);
    case 'choice':
      return chosenTerm(value);
    case 'images':
    case 'image':
      throw new Unsupported('the parts of an image as one value');
  }
}

// Null is left out: the other branch ends the evaluation where it is absent, as Kyverno's error does.
function chosenTerm({ test, whenTrue, whenFalse }: Extract<Value, { kind: 'choice' }>): Term {
  const isNull = whenFalse.kind === 'literal' && whenFalse.value === null;
  if (isNull) return termOf(whenTrue);
  if (
    shapeOf(whenTrue)?.kind === undefined ||
    shapeOf(whenTrue)?.kind !== shapeOf(whenFalse)?.kind
  ) {
    throw new Unsupported('a default of another type than its value is used in an expression');
  }
  return choice(test, termOf(whenTrue), termOf(whenFalse));
}

/** The value with another one where it is absent. */
export function termOr(value: Value, otherwise: Term): Term {
  return value.kind === 'path' ? value.path.orValue(otherwise) : termOf(value);
}

/** Whether a value ends the evaluation where it is absent, as it ends that of the rule in Kyverno. */
export function endsWhereAbsent(value: Value): boolean {
  switch (value.kind) {
    case 'path':
      return value.path.mayEnd;
    case 'projection':
    case 'term':
      return value.mayEnd === true;
    case 'choice':
      return value.mayEnd === true || [value.whenTrue, value.whenFalse].some(endsWhereAbsent);
    default:
      return false;
  }
}

/** Whether reading a value does not end in an error; `undefined` if no expression tells that. */
export function readability(value: Value): Term | undefined {
  if (value.kind === 'projection') {
    return value.lenient?.presence ?? (value.mayEnd === true ? undefined : always);
  }
  if (!endsWhereAbsent(value)) return always;
  switch (value.kind) {
    case 'path':
      return value.path.presence;
    case 'term':
      return value.readable;
    case 'choice': {
      const [one, other] = [value.whenTrue, value.whenFalse].map(readability);
      if (value.mayEnd === true || one === undefined || other === undefined) return undefined;
      return any([all([value.test, one]), all([not(value.test), other])]);
    }
    default:
      return undefined;
  }
}

/** Returns the shape of the value in its schema. */
export function shapeOf(value: Value): Shape | undefined {
  switch (value.kind) {
    case 'path':
      return value.path.known.shape;
    case 'term':
      return value.shape;
    case 'choice': {
      const shape = shapeOf(value.whenTrue);
      const other = shapeOf(value.whenFalse);
      const isNull = value.whenFalse.kind === 'literal' && value.whenFalse.value === null;
      return isNull || shape?.kind === other?.kind ? shape : undefined;
    }
    default:
      return undefined;
  }
}

/** A projection of an empty list where its own is absent. */
export function leniently(projection: Projection): Projection {
  const { lenient, ...rest } = projection;
  return lenient === undefined ? projection : { ...rest, list: lenient.list };
}

// Whether a condition holds for any (or every) element of a projection; absent elements are ignored.
function quantify(
  { list, name, filter, item }: Projection,
  quantifier: 'exists' | 'all',
  test: (item: Value) => Term,
): Term {
  const conditions = [...(filter === undefined ? [] : [filter]), presenceOf(item)];
  const holds = test(present(item));
  const body =
    quantifier === 'exists' ? all([...conditions, holds]) : any([...conditions.map(not), holds]);
  return call(list, quantifier, member(name), body);
}

/** Whether something holds of a value, or of any (of every) element that it is a projection of. */
export function holdsOf(
  value: Value,
  quantifier: 'exists' | 'all',
  test: (item: Value) => Term,
): Term {
  if (value.kind === 'projection') {
    const holds = quantify(leniently(value), quantifier, test);
    // Null is in nothing, and not out of anything either.
    return quantifier === 'all' && value.lenient !== undefined
      ? all([value.lenient.presence, holds])
      : holds;
  }
  if (value.kind === 'literal' && Array.isArray(value.value)) {
    const each: Value = { kind: 'term', term: member('each') };
    return call(literal(value.value), quantifier, member('each'), test(each));
  }
  const shape = shapeOf(value);
  if (shape?.kind !== 'list' || value.kind === 'literal') return test(value);
  const item: Value = { kind: 'term', term: member('each'), shape: shape.element };
  return call(listOf(value), quantifier, member('each'), test(item));
}

/** Whether a value is not null. */
export function presenceOf(value: Value): Term {
  switch (value.kind) {
    case 'path':
      return value.path.presence;
    case 'term':
      return value.absence === undefined ? always : not(value.absence);
    case 'literal':
      return value.value === null ? never : always;
    case 'choice': {
      const { test, whenTrue, whenFalse } = value;
      const [one, other] = [whenTrue, whenFalse].map(presenceOf) as [Term, Term];
      if (one.text === always.text) return any([test, other]);
      return any([all([test, one]), all([not(test), other])]);
    }
    default:
      return always;
  }
}

function present(value: Value): Value {
  return value.kind === 'path'
    ? { kind: 'term', term: value.path.term, shape: value.path.known.shape }
    : value;
}

function projectedList({ list, name, filter, item }: Projection): Term {
  const conditions = all([...(filter === undefined ? [] : [filter]), presenceOf(item)]);
  const kept = conditions.text === 'true' ? list : call(list, 'filter', member(name), conditions);
  const { text } = termOf(present(item));
  return text === name ? kept : call(kept, 'map', member(name), member(text));
}

/** Whether JMESPath takes the value for true: it is there, and neither empty nor false. */
export function isTrue(value: Value): Term {
  const test = truthTest(value);
  // A required value is read also where every value is true.
  return test.text === always.text && endsWhereAbsent(value) ? isRead(termOf(value)) : test;
}

/** A test that always holds, and ends in an error where the term does. */
export function isRead(term: Term): Term {
  const size = apply('size', member(`[dyn(${term.text})]`));
  return relation(size, '==', literal(1));
}

/**
 * One of two conditions by a test that may end in an error, which `&&` and `||` would lose where the other side decides.
 */
export function chosen(test: Term, whenTrue: Term, whenFalse: Term): Term {
  if (whenTrue.text !== whenFalse.text) return choice(test, whenTrue, whenFalse);
  return whenTrue.text === never.text ? not(isRead(test)) : all([isRead(test), whenTrue]);
}

function truthTest(value: Value): Term {
  switch (value.kind) {
    case 'literal':
      return literal(isTruthy(value.value));
    case 'term':
      return all([presenceOf(value), truthOf(value.term, value.shape)]);
    case 'choice': {
      const { test, whenTrue, whenFalse } = value;
      if (value.truth !== undefined) return value.truth;
      if (value.mayEnd === true) return chosen(test, isTrue(whenTrue), isTrue(whenFalse));
      return any([all([test, isTrue(whenTrue)]), all([not(test), isTrue(whenFalse)])]);
    }
    case 'images':
    case 'image':
      throw new Unsupported('images used as a condition');
    case 'projection':
      return quantify(leniently(value), 'exists', () => member('true'));
    case 'path': {
      const { path } = value;
      if (path.known.shape?.kind === 'bool') return path.orValue(literal(false));
      if (path.known.shape?.kind === 'struct') return all([path.presence, hasAnyField(path)]);
      return all([path.presence, truthOf(path.term, path.known.shape)]);
    }
  }
}

// An object without fields is false to JMESPath.
function hasAnyField(path: Path): Term {
  const { shape, schemas } = path.known;
  const struct = shape?.struct === undefined ? undefined : structNamed(schemas, shape.struct);
  const fields = struct?.fields ?? [];
  if (fields.length === 0)
    throw new Unsupported('an object of an unknown type used as a condition');
  if (fields.some(({ name }) => path.select(name).isSure)) return member('true');
  return any(fields.map(({ name }) => path.present.select(name).presence));
}

function truthOf(term: Term, shape: Shape | undefined): Term {
  switch (shape?.kind) {
    case 'bool':
      return term;
    case 'string':
    case 'quantity':
      return relation(term, '!=', literal(''));
    case 'list':
    case 'map':
      return { text: `size(${term.text}) > 0`, binds: 3 };
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intorstring':
      return always;
    case 'struct':
      return relation(apply('dyn', term), '!=', literal({}));
    default:
      return not(oneOf(term, [null, false, '', [], {}]));
  }
}

/** Whether JMESPath takes a JSON value for true. */
export function isTruthy(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === '') return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

/** A list that has to be there: where it is absent, evaluation ends in an error, as that of the rule in Kyverno. */
export function listOf(value: Value): Term {
  refuseScalar(value);
  return termOf(value);
}

/** Returns a list as a term in which absent values are left out; an absent list is empty. */
export function listOrEmpty(value: Value): Term {
  refuseScalar(value);
  return value.kind === 'projection' ? termOf(leniently(value)) : termOr(value, literal([]));
}

function refuseScalar(value: Value): void {
  if (value.kind === 'literal' && !Array.isArray(value.value)) {
    throw new Unsupported('a value that is not a list is converted to a list');
  }
}

/** Whether a map has a literal key, for conditions that test whether the key is in `keys()` of the map. */
export function keyPresence(key: Value, keys: Value): Term | undefined {
  const map = mapOfKeys(keys);
  if (map === undefined || key.kind !== 'literal') return undefined;
  if (typeof key.value !== 'string' || hasWildcard(key.value)) return undefined;
  const { presence } = map.select(key.value);
  // A key is there that has null.
  return presence.text.endsWith('!= null') ? undefined : presence;
}

function mapOfKeys(value: Value): Path | undefined {
  if (value.kind === 'term') return value.keysOf;
  if (value.kind !== 'projection' || value.filter !== undefined) return undefined;
  const isWhole = value.item.kind === 'term' && value.item.term.text === value.name;
  return isWhole ? value.keysOf : undefined;
}

/** Whether a field may be absent; the name of the object never counts as absent. */
export function mayBeAbsent(path: Path): boolean {
  return !path.isSure && !path.isObjectName;
}
