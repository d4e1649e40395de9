import { quantityOf } from '@kubeadmit/apimachinery/quantity';
import { operatorOf } from '@kubeadmit/kyverno/patterns';
import { literal } from '../cel/literal.ts';
import { stringShape } from '../cel/shapes.ts';
import {
  all,
  always,
  any,
  apply,
  call,
  choice,
  isConstant,
  member,
  never,
  not,
  relation,
  type Term,
} from '../cel/term.ts';
import { computedWildcardTest, holdsWildcard } from '../cel/wildcard.ts';
import { isText, mayHoldWildcards } from '../jmespath/possible-strings.ts';
import {
  holdsOf,
  keyPresence,
  leniently,
  listOrEmpty,
  shapeOf,
  termOf,
  type Value,
} from '../jmespath/value.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { isAmount, valueSatisfies } from '../pattern/scalar.ts';
import { elapsedTest } from './duration.ts';
import {
  asString,
  equals,
  isIn,
  isList,
  isOfText,
  isOpenText,
  isPlain,
  ofList,
  withSeconds,
  withStar,
} from './equality.ts';
import { jsonScalar, looksLikeJson, stringsOfJson } from './json-text.ts';
import { constantOutcome, isOrder, orders } from './known-outcome.ts';
import { constantTest, durationOutcome, knownTest, reading } from './known-test.ts';

/**
 * Returns a term for whether a Kyverno condition holds (`pkg/engine/variables/operator`).
 *
 * @param isExact whether unusual strings in objects are treated as in Kyverno: `*` and `?` are wildcards, and a
 * numeric string counts as seconds where a duration is expected.
 * @throws Unsupported if the operator or its operands have no equivalent.
 */
export function conditionTest(
  operator: string,
  { key, value }: { readonly key: Value; readonly value: Value },
  isExact: boolean,
): Term {
  for (const name of ['key', 'value'] as const) {
    const operand = name === 'key' ? key : value;
    if (operand.kind !== 'choice') continue;
    const outcome = (chosen: Value): Term =>
      conditionTest(operator, { ...{ key, value }, [name]: chosen }, isExact);
    const { test, whenTrue, whenFalse, mayEnd } = operand;
    const [one, other] = [outcome(whenTrue), outcome(whenFalse)];
    const made =
      mayEnd === true && !(isConstant(one) && isConstant(other))
        ? choice(test, one, other)
        : any([all([test, one]), all([not(test), other])]);
    return isConstant(made) ? constantTest(operand, made.text === always.text) : made;
  }
  if (key.kind === 'term' && key.isDuration === true) {
    return elapsedTest(key.term, orders.get(operator), value);
  }
  const hasValue = value.kind === 'path' ? value.path.elementPresence : always;
  if (hasValue.text !== always.text) return testOfElement(operator, { key, value }, isExact);
  const hasElement = key.kind === 'path' ? key.path.elementPresence : always;
  const known = durationOutcome(operator, key, value) ?? knownTest(operator, key, value);
  const isElement = all([hasElement, computedElementPresence(key)]);
  if (known !== undefined) return all([isElement, reading(known, [key, value])]);
  const isThere = all([isElement, presenceOf(value, operator)]);
  const test = new Condition(key, value, isExact).test(operator);
  const made = reading(test, [key, value]);
  return isThere.text === always.text ? made : all([isThere, made]);
}

// A list without the element gives null.
function testOfElement(
  operator: string,
  { key, value }: { readonly key: Value; readonly value: Value },
  isExact: boolean,
): Term {
  if (key.kind !== 'literal' || value.kind !== 'path') {
    throw new Unsupported('a value is compared with an element by its index');
  }
  const { term, known, elementPresence } = value.path;
  const present = { kind: 'term', term, shape: known.shape, mayEnd: true } as const;
  const whenAbsent = constantOutcome(operator, key.value, null) ? always : never;
  return choice(
    elementPresence,
    conditionTest(operator, { key, value: present }, isExact),
    whenAbsent,
  );
}

// An element that a computed list has not is null: no operator holds for it.
function computedElementPresence(key: Value): Term {
  const isElement = key.kind === 'term' && key.isElement === true;
  return isElement && key.absence !== undefined ? not(key.absence) : always;
}

// A list of values of an absent field is null, too.
function presenceOf(value: Value, operator: string): Term {
  const isNegated = /notin$/i.test(operator);
  return isNegated && value.kind === 'projection' ? (value.lenient?.presence ?? always) : always;
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
        return this.#equals(true);
      case 'anyin':
        return this.#hasKeys() ?? holdsOf(key, 'exists', (item) => this.#isIn(item));
      case 'in':
        refuseOtherElements(value);
        return isList(key) ? holdsOf(key, 'all', this.#isListed) : this.#isIn(key, false);
      case 'notin':
        refuseOtherElements(value);
        if (value.kind !== 'literal' && !isList(value)) {
          throw new Unsupported('`NotIn` of a computed string', 'use `AnyNotIn`');
        }
        return isList(key)
          ? holdsOf(key, 'exists', (item) => not(this.#isListed(item)))
          : isAnswered(this.#set)
            ? this.#isOut(key)
            : never;
      case 'allin':
        return holdsOf(key, 'all', (item) => this.#isIn(item));
      case 'anynotin':
        // Only amounts of a list are outside a range.
        if (isList(key) && isRange(value)) {
          const isOutside = (item: Value): Term =>
            all([apply('isQuantity', asString(item)), this.#isOut(item)]);
          return holdsOf(key, 'exists', isOutside);
        }
        return holdsOf(key, 'exists', (item) => this.#isOut(item));
      case 'allnotin':
        return holdsOf(key, 'all', (item) => this.#isOut(item));
      default:
        break;
    }
    const order = orders.get(operator);
    if (order === undefined) {
      // Kyverno finds these operators in any case, and then never holds those not spelt exactly.
      throw new Unsupported(
        isOrder(operator)
          ? `the operator \`${operator}\` is never true; operators are case-sensitive`
          : `unknown operator \`${operator}\``,
      );
    }
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

  // Kyverno takes a text of the object for a pattern.
  #equals(isNegated = false): Term {
    const key = this.#key;
    const lenient = key.kind === 'projection' ? key.lenient : undefined;
    const test = this.#isEqual();
    const made = isNegated ? not(test) : test;
    // Null is neither equal nor unequal.
    return lenient === undefined ? made : all([lenient.presence, made]);
  }

  #isEqual(): Term {
    const key = this.#key.kind === 'projection' ? leniently(this.#key) : this.#key;
    const value = this.#value;
    const test = equals(key, value);
    // An amount equals amounts alone.
    const isAmountKey =
      key.kind === 'literal' &&
      typeof key.value === 'string' &&
      quantityOf(key.value) !== undefined;
    const isTested =
      this.#isWildSet && !isAmountKey && shapeOf(value)?.kind === 'string' && isText(shapeOf(key));
    if (!isTested || key.kind === 'projection') return test;
    const pattern = termOf(value);
    return any([test, all([holdsWildcard(pattern), computedWildcardTest(termOf(key), pattern)])]);
  }

  // The old operators know no wildcards among the elements of a list.
  readonly #isListed = (item: Value): Term => {
    const value = this.#value;
    if (value.kind === 'literal' && !Array.isArray(value.value)) {
      throw new Unsupported('a list is searched in a string', 'use `AllIn` or `AnyNotIn`');
    }
    return relation(asString(item), 'in', termOf(value));
  };

  #isOut(item: Value): Term {
    if (isOpenText(this.#set)) return never;
    const isOut = not(this.#isIn(item));
    const set = this.#set;
    const kind = shapeOf(set)?.kind ?? 'any';
    if (set.kind === 'literal' || isList(set) || !mayBeText.has(kind)) return isOut;
    // A number or another scalar of JSON has no answer either.
    const isScalar = call(termOf(set), 'matches', literal(jsonScalar));
    const isText = kind === 'any' ? [isOfText(termOf(set))] : [];
    return all([not(all([...isText, isScalar])), isOut]);
  }

  #isIn(item: Value, hasRanges = true): Term {
    const test = isIn(item, this.#set, { isWild: this.#isWildSet, hasRanges });
    if (!this.#isWildKey || shapeOf(item)?.kind === 'bool') return test;
    const own = asString(item);
    const isString = shapeOf(item) === undefined ? [isOfText(own)] : [];
    const pattern = (text: Term): Term =>
      all([...isString, holdsWildcard(own), computedWildcardTest(text, own)]);
    const set = this.#set;
    if (set.kind === 'literal') {
      // A single string is only the pattern for the other operand.
      if (!Array.isArray(set.value) || set.value.length === 0) return test;
      const texts = literal(set.value.map((each) => (isPlain(each) ? String(each) : each)));
      const each = call(texts, 'exists', member('text'), computedWildcardTest(member('text'), own));
      return any([test, all([...isString, holdsWildcard(own), each])]);
    }
    if (set.kind !== 'projection' && shapeOf(set)?.kind !== 'list') return test;
    const list = set.kind === 'projection' ? listOrEmpty(set) : termOf(set);
    return any([test, call(list, 'exists', member('text'), pattern(member('text')))]);
  }
}

function refuseOtherElements(value: Value): void {
  const element = shapeOf(value)?.element?.kind ?? 'any';
  if (mayBeText.has(element)) return;
  throw new Unsupported(
    '`In` and `NotIn` are never true for a list of other values than strings',
    'use `AnyIn` or `AnyNotIn`',
  );
}

function isRange(value: Value): boolean {
  return (
    value.kind === 'literal' && typeof value.value === 'string' && operatorOf(value.value) === '-'
  );
}

const mayBeText: ReadonlySet<string> = new Set(['string', 'quantity', 'any']);

// `NotIn` of a text has no answer for a set that is a text, unless it is a list in JSON.
function isAnswered(set: Value): boolean {
  if (set.kind !== 'literal' || typeof set.value !== 'string') return true;
  return looksLikeJson(set.value) && stringsOfJson(set.value) !== undefined;
}

function ordered(key: Value, order: string, value: Value): Term {
  if (key.kind === 'projection') throw new Unsupported('an order comparison of a list');
  const term = termOf(key);
  const kind = shapeOf(key)?.kind;
  const isNumber = kind === 'int32' || kind === 'int64' || kind === 'float64';
  if (value.kind !== 'literal') {
    if (!isNumber) throw new Unsupported('an order comparison of two values of unknown types');
    return relation(term, order, termOf(value));
  }
  const given = value.value;
  if (typeof given === 'number' || typeof given === 'bigint')
    return relation(term, order, literal(given));
  if (typeof given !== 'string')
    throw new Unsupported('an order comparison with a value that is not a number or string');
  if (!isNumber && !isAmount(given)) {
    throw new Unsupported(
      'an order comparison of strings, which Kyverno supports only for versions',
    );
  }
  if (isNumber && /^-?\d+$/.test(given)) return relation(term, order, member(given));
  return valueSatisfies(term, shapeOf(key) ?? stringShape, `${order}${given}`);
}
