import { parseDuration } from '@kubeadmit/go';
import type { Shape } from '@kubeadmit/schemas/internal';
import { comparison, shapeOfJson } from '../cel/comparable.ts';
import { literal } from '../cel/literal.ts';
import {
  all,
  always,
  any,
  apply,
  binding,
  call,
  choice,
  member,
  never,
  not,
  operand,
  relation,
  type Term,
} from '../cel/term.ts';
import { holdsOf } from '../jmespath/translate.ts';
import { keyPresence, listOrEmpty, shapeOf, termOf, type Value } from '../jmespath/value.ts';
import { valueSatisfies } from '../pattern/scalar.ts';
import {
  computedWildcardTest,
  hasWildcard,
  holdsWildcard,
  oneOf,
  someWildcardTest,
  wildcardTest,
} from '../pattern/wildcard.ts';
import { Unsupported } from '../unsupported.ts';

const orders: Readonly<Record<string, string>> = {
  greaterthan: '>',
  greaterthanorequals: '>=',
  lessthan: '<',
  lessthanorequals: '<=',
  durationgreaterthan: '>',
  durationgreaterthanorequals: '>=',
  durationlessthan: '<',
  durationlessthanorequals: '<=',
};

/**
 * Whether a condition of Kyverno holds (`pkg/engine/variables/operator`).
 *
 * @param isExact whether it says what Kyverno says of rare texts in objects too: a `*` or `?` there is a wildcard, and a
 *   text that is a number counts as seconds where a duration is asked for.
 * @throws Unsupported for an operator, or operands, without an equal.
 */
export function conditionTest(
  operator: string,
  { key, value }: { readonly key: Value; readonly value: Value },
  isExact: boolean,
): Term {
  const isThere = presenceOf(key, value, operator);
  const test = new Condition(key, value, isExact).test(operator);
  return isThere.text === always.text ? test : all([isThere, test]);
}

/** Whether an object may hold a text with wildcards at a place: any, but for names, labels and keys. */
export function mayHoldWildcards(value: Value): boolean {
  switch (value.kind) {
    case 'projection':
      return mayHoldWildcards(value.item);
    case 'path':
      return isText(value.path.known.shape) && !plainPlace.test(value.path.term.text);
    case 'term':
      return (
        value.isName !== true &&
        isText(value.shape) &&
        !/^request\.|\.map\(key, key\)(?:\)?\.flatten\(\))?$/.test(value.term.text) &&
        !plainPlace.test(value.term.text)
      );
    default:
      return false;
  }
}

const plainPlace = /metadata\.\??(?:name|namespace|labels)\b/;

function isText(shape: Shape | undefined): boolean {
  const kind = shape?.kind === 'list' ? shape.element?.kind : shape?.kind;
  return kind === undefined || kind === 'string';
}

// An element that a list has not, and a list of what a place that is absent has, is null: no operator holds for it.
function presenceOf(key: Value, value: Value, operator: string): Term {
  const ofKey =
    key.kind === 'path' && key.path.isOfElement
      ? key.path.presence
      : key.kind === 'term' && key.isElement === true && key.absence !== undefined
        ? not(key.absence)
        : always;
  const isNegated = /notin$/i.test(operator);
  const ofSet =
    isNegated && value.kind === 'projection' ? (value.lenient?.presence ?? always) : always;
  return all([ofKey, ofSet]);
}

class Condition {
  readonly #key: Value;
  readonly #set: Value;
  readonly #value: Value;
  readonly #isExact: boolean;
  readonly #isWildKey: boolean;
  readonly #isWildSet: boolean;

  constructor(key: Value, value: Value, isExact: boolean) {
    this.#key = key;
    this.#value = value;
    this.#isExact = isExact;
    this.#isWildKey = isExact && mayHoldWildcards(key);
    this.#isWildSet = isExact && mayHoldWildcards(value);
    this.#set = this.#isWildKey ? ofList(key, value) : withStar(key, value);
  }

  test(operator: string): Term {
    const key = this.#key;
    const value = this.#value;
    const name = operator.toLowerCase();
    switch (name) {
      case 'equals':
      case 'equal':
        return this.#equals();
      case 'notequals':
      case 'notequal':
        return not(this.#equals());
      case 'anyin':
        return this.#hasKeys() ?? holdsOf(key, 'exists', (item) => this.#isIn(item));
      case 'in':
        return isList(key) ? holdsOf(key, 'all', this.#isListed) : this.#isIn(key);
      case 'notin':
        return isList(key)
          ? holdsOf(key, 'exists', (item) => not(this.#isListed(item)))
          : not(this.#isIn(key));
      case 'allin':
        return holdsOf(key, 'all', (item) => this.#isIn(item));
      case 'anynotin':
        return holdsOf(key, 'exists', (item) => not(this.#isIn(item)));
      case 'allnotin':
        return holdsOf(key, 'all', (item) => not(this.#isIn(item)));
      default:
        break;
    }
    const order = orders[name];
    if (order === undefined) throw new Unsupported(`the operator \`${operator}\` is not known`);
    const test = ordered(key, order, value);
    return this.#isExact ? withSeconds(test, { key, order, value }) : test;
  }

  // Whether a map has any of the keys that the rule names.
  #hasKeys(): Term | undefined {
    const set = this.#value;
    if (set.kind !== 'literal' || !Array.isArray(set.value)) return undefined;
    const tests = set.value.map((value) => keyPresence({ kind: 'literal', value }, this.#key));
    return tests.every((test) => test !== undefined) ? any(tests) : undefined;
  }

  // What is compared with a text of the object is a pattern there.
  #equals(): Term {
    const key = this.#key;
    const value = this.#value;
    const test = equals(key, value);
    const isTested = this.#isWildSet && shapeOf(value)?.kind === 'string' && isText(shapeOf(key));
    if (!isTested || key.kind === 'projection') return test;
    const pattern = termOf(value);
    return any([test, all([holdsWildcard(pattern), computedWildcardTest(termOf(key), pattern)])]);
  }

  // The old operators know no wildcards among the elements of a list.
  readonly #isListed = (item: Value): Term => {
    const value = this.#value;
    if (value.kind === 'literal' && !Array.isArray(value.value)) {
      throw new Unsupported('a list is looked for in a text', 'use `AllIn` or `AnyNotIn`');
    }
    return relation(asString(item), 'in', termOf(value));
  };

  #isIn(item: Value): Term {
    const test = isIn(item, this.#set, this.#isWildSet);
    if (!this.#isWildKey || shapeOf(item)?.kind === 'bool') return test;
    const own = asString(item);
    const isString = shapeOf(item) === undefined ? [isOfText(own)] : [];
    const pattern = (text: Term): Term =>
      all([...isString, holdsWildcard(own), computedWildcardTest(text, own)]);
    const set = this.#set;
    if (set.kind === 'literal') {
      // Alone, a text is the pattern of what it is compared with, and no more.
      if (!Array.isArray(set.value)) return test;
      const texts = literal(set.value.map((each) => (isPlain(each) ? String(each) : each)));
      const each = call(texts, 'exists', member('text'), computedWildcardTest(member('text'), own));
      return any([test, all([...isString, holdsWildcard(own), each])]);
    }
    if (set.kind !== 'projection' && shapeOf(set)?.kind !== 'list') return test;
    const list = set.kind === 'projection' ? listOrEmpty(set) : termOf(set);
    return any([test, call(list, 'exists', member('text'), pattern(member('text')))]);
  }
}

function isList(value: Value): boolean {
  const isLiteral = value.kind === 'literal' && Array.isArray(value.value);
  return isLiteral || value.kind === 'projection' || shapeOf(value)?.kind === 'list';
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
}

function isOfText(value: Term): Term {
  return relation(apply('type', value), '==', member('string'));
}

// A list is compared with a text as with a list of it, unless the text is a range or a list in JSON.
function ofList(key: Value, set: Value): Value {
  const isText = set.kind === 'literal' && typeof set.value === 'string';
  const isOne =
    isText && !/^\s*[[{"]|^\s*[\d.]+\w*\s*-|^(?:true|false|null)$/.test(String(set.value));
  return isList(key) && isOne ? { kind: 'literal', value: [set.value] } : set;
}

/** Numbers in texts are seconds, their fraction dropped. */
function withSeconds(
  test: Term,
  { key, order, value }: { readonly key: Value; readonly order: string; readonly value: Value },
): Term {
  if (!/\bduration\(/.test(test.text) || value.kind !== 'literal') return test;
  const limit = parseDuration(String(value.value));
  if (typeof limit !== 'bigint') return test;
  const number = apply('int', apply('double', termOf(key)));
  const seconds = Number(limit) / 1e9;
  const compared = Number.isInteger(seconds)
    ? relation(number, order, literal(seconds))
    : relation(apply('double', number), order, literal(seconds));
  return any([test, all([call(termOf(key), 'matches', literal(plainNumber)), compared])]);
}

// As large as can be a whole number.
const plainNumber = '^[+-]?(\\d{1,9}([.]\\d*)?|[.]\\d+)([eE][+-]?\\d)?$';

// The map whose keys a value is.
function mapOf(value: Value): Term | undefined {
  return value.kind === 'term' && /^(.+)\.map\(key, key\)$/.test(value.term.text)
    ? value.term
    : undefined;
}

function equals(key: Value, value: Value): Term {
  const isText = shapeOf(key)?.kind === 'string';
  // A text is no list.
  if (isText && value.kind === 'literal' && Array.isArray(value.value)) return never;
  if (key.kind === 'projection') {
    if (value.kind !== 'literal' || !Array.isArray(value.value)) {
      throw new Unsupported('a list is compared with something else');
    }
    return relation(termOf(key), '==', literal(value.value));
  }
  if (value.kind !== 'literal') return comparison(typed(key), '==', typed(value));
  const shape = shapeOf(key);
  if (typeof value.value === 'boolean') {
    const term = termOf(key);
    return shape?.kind === 'bool'
      ? value.value
        ? term
        : not(term)
      : equalsLiteral(term, shape, value.value);
  }
  if (typeof value.value !== 'string') return equalsLiteral(termOf(key), shape, value.value);
  return textEquals(termOf(key), shape, value.value);
}

function typed(value: Value): { readonly term: Term; readonly shape: Shape | undefined } {
  return { term: termOf(value), shape: shapeOf(value) };
}

function equalsLiteral(term: Term, shape: Shape | undefined, value: unknown): Term {
  const wanted = { term: literal(value), shape: shapeOfJson(value) };
  return comparison({ term, shape }, '==', wanted);
}

function textEquals(key: Term, shape: Shape | undefined, text: string): Term {
  if (text === '') return equalsLiteral(key, shape, '');
  if (/[|&]/.test(text) || /^[<>!]/.test(text)) return wildcardTest(key, text);
  return valueSatisfies(key, shape, text);
}

// Kyverno matches wildcards of both sides: a `*` among the verbs of a role is every verb.
function withStar(key: Value, set: Value): Value {
  if (!isList(key) || isOfNames(key)) return set;
  if (set.kind !== 'literal' || !Array.isArray(set.value)) return set;
  const hasTexts = set.value.every((each) => typeof each === 'string' && each !== '*');
  return hasTexts ? { kind: 'literal', value: [...set.value, '*'] } : set;
}

function isOfNames(value: Value): boolean {
  if (value.kind === 'projection') return isOfNames(value.item);
  return value.kind === 'term' && (value.isName === true || value.keysOf !== undefined);
}

function isIn(item: Value, set: Value, isWild: boolean): Term {
  if (set.kind === 'literal') return isInLiteral(item, set.value);
  if (set.kind === 'projection' || shapeOf(set)?.kind === 'list') {
    const list = set.kind === 'projection' ? listOrEmpty(set) : termOf(set);
    const element = set.kind === 'projection' ? shapeOf(set.item) : shapeOf(set)?.element;
    if (element?.kind === 'bool') {
      if (item.kind !== 'literal') return relation(termOf(item), 'in', list);
      return relation(literal(item.value === true || item.value === 'true'), 'in', list);
    }
    const hasKey = keyPresence(item, set);
    if (hasKey !== undefined) return hasKey;
    const isListed = relation(asString(item), 'in', list);
    if (mapOf(set) !== undefined || (!isWild && !mayHoldWildcards(set))) return isListed;
    if (!isWild) return any([isListed, relation(literal('*'), 'in', list)]);
    const pattern = member('pattern');
    const own = element === undefined ? [isOfText(pattern)] : [];
    const test = computedWildcardTest(asString(item), pattern);
    return any([
      isListed,
      call(list, 'exists', pattern, all([...own, holdsWildcard(pattern), test])),
    ]);
  }
  const term = operand(termOf(set), binding.relation);
  // Nothing is in null, and nothing out of it either.
  if (term.endsWith('.orValue(null)')) throw new Unsupported('a set that may be null');
  // A text of a ConfigMap may be a list in JSON.
  if (/^params\.\??data\b/.test(term)) {
    const texts = `${term}.findAll('"[^"]*"')`;
    const isListed = `'"' + ${operand(asString(item), binding.sum)} + '"' in ${texts}`;
    return any([
      relation(asString(item), '==', member(term)),
      ...(isWild ? [computedWildcardTest(asString(item), member(term))] : []),
      { text: isListed, binds: binding.relation },
    ]);
  }
  if (shapeOf(set)?.kind === 'string') {
    const isSame = relation(asString(item), '==', termOf(set));
    if (!isWild) return isSame;
    const test = computedWildcardTest(asString(item), termOf(set));
    return any([isSame, all([holdsWildcard(termOf(set)), test])]);
  }
  const isText = relation(apply('type', member(term)), '==', member('string'));
  return choice(
    isText,
    relation(asString(item), '==', member(term)),
    relation(asString(item), 'in', member(term)),
  );
}

function isInLiteral(item: Value, set: unknown): Term {
  if (typeof set === 'string') return valueSatisfies(asString(item), text, set);
  if (!Array.isArray(set)) return relation(termOf(item), '==', literal(set));
  const shape = shapeOf(item);
  if (shape?.kind === 'bool') {
    const wanted = set.map(String).filter((each) => each === 'true' || each === 'false');
    return any([...new Set(wanted)].map((each) => relation(termOf(item), '==', member(each))));
  }
  if (shape?.kind === 'int32' || shape?.kind === 'int64') {
    const numbers = set.map(Number);
    if (numbers.every(Number.isInteger)) return oneOf(termOf(item), numbers);
  }
  const texts = set.map((each) => (typeof each === 'string' ? each : String(each)));
  const patterns = texts.filter((each) => each !== '*' && hasWildcard(each));
  const plain = texts.filter((each) => !patterns.includes(each));
  const term = asString(item);
  return any([
    ...(plain.length === 0 ? [] : [oneOf(term, plain)]),
    ...someWildcardTest(term, patterns),
  ]);
}

const text: Shape = { kind: 'string', pointer: false, go: 'string' };

function asString(value: Value): Term {
  const term = termOf(value);
  switch (shapeOf(value)?.kind) {
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
    case 'intorstring':
      return apply('string', term);
    default:
      return term;
  }
}

function ordered(key: Value, order: string, value: Value): Term {
  if (key.kind === 'projection') throw new Unsupported('a list is put in an order');
  const term = termOf(key);
  const kind = shapeOf(key)?.kind;
  const isNumber = kind === 'int32' || kind === 'int64' || kind === 'float64';
  if (value.kind !== 'literal') {
    if (!isNumber) throw new Unsupported('two values are put in an order that may be of any type');
    return relation(term, order, termOf(value));
  }
  const given = value.value;
  if (typeof given === 'number' || typeof given === 'bigint')
    return relation(term, order, literal(given));
  if (typeof given !== 'string') throw new Unsupported('a value without an order');
  if (isNumber && /^-?\d+$/.test(given)) return relation(term, order, member(given));
  return valueSatisfies(term, shapeOf(key) ?? text, `${order}${given}`);
}
