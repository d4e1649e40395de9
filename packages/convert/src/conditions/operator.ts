import { literal } from '../cel/literal.ts';
import { stringShape } from '../cel/shapes.ts';
import { all, always, any, call, member, not, relation, type Term } from '../cel/term.ts';
import { holdsOf } from '../jmespath/translate.ts';
import { keyPresence, listOrEmpty, shapeOf, termOf, type Value } from '../jmespath/value.ts';
import { valueSatisfies } from '../pattern/scalar.ts';
import { computedWildcardTest, holdsWildcard } from '../pattern/wildcard.ts';
import { Unsupported } from '../unsupported.ts';
import {
  asString,
  equals,
  isIn,
  isList,
  isOfText,
  isPlain,
  isText,
  mayHoldWildcards,
  ofList,
  withSeconds,
  withStar,
} from './equality.ts';

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
  return valueSatisfies(term, shapeOf(key) ?? stringShape, `${order}${given}`);
}
