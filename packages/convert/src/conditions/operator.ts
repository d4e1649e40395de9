import { isObject } from '@kubeadmit/apimachinery';
import { quantityOf } from '@kubeadmit/apimachinery/unstable-internal';
import { operatorOf } from '@kubeadmit/kyverno/unstable-internal';
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
import { computedWildcardTest, hasWildcard, holdsWildcard } from '../cel/wildcard.ts';
import { holdsOf } from '../jmespath/translate.ts';
import {
  endsWhereAbsent,
  isRead,
  keyPresence,
  leniently,
  listOrEmpty,
  shapeOf,
  termOf,
  type Value,
} from '../jmespath/value.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { isAmount, valueSatisfies } from '../pattern/scalar.ts';
import { durationTest } from './duration.ts';
import {
  asString,
  equals,
  isIn,
  isList,
  isOfText,
  isOpenText,
  isPlain,
  isText,
  mayHoldWildcards,
  ofList,
  withSeconds,
  withStar,
} from './equality.ts';
import { jsonScalar, looksLikeJson, stringsOfJson } from './json-text.ts';
import { constantOutcome, type KeyType, orderOperators, outcomeByType } from './known-outcome.ts';

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

// Kyverno ends in an error where a value is absent, also if the outcome does not depend on it.
function reading(test: Term, values: readonly Value[]): Term {
  if (!isConstant(test)) return test;
  const outcome = test.text === always.text;
  const open = values.filter(endsWhereAbsent).map((each) => readingTest(each, outcome));
  if (open.length === 0) return test;
  return outcome ? all(open) : any(open);
}

function durationOutcome(operator: string, key: Value, value: Value): Term | undefined {
  const isDuration = operator.startsWith('Duration') && orderOperators.has(operator);
  if (!isDuration || key.kind === 'literal' || value.kind !== 'literal') return undefined;
  const order = orders[operator.toLowerCase()] ?? '';
  return durationTest(key, order, value.value) ?? constantTest(key, false);
}

/** Whether an operator looks for its key in a set: `AnyIn`, `NotIn`. */
function isOfSet(operator: string): boolean {
  return /in$/i.test(operator);
}

/** The test of a condition whose outcome follows from constants and types alone. */
function knownTest(operator: string, key: Value, value: Value): Term | undefined {
  refuseObjectsInSets(operator, key);
  if (key.kind === 'literal' && value.kind === 'literal') {
    return truthOf(constantOutcome(operator, key.value, value.value));
  }
  if (value.kind === 'literal') {
    const { value: constant } = value;
    if (shapeOf(key)?.kind === 'bool') {
      return byBoolean(key, (each) => constantOutcome(operator, each, constant));
    }
    const type = typeOfKey(key);
    const outcome = type && outcomeByType(operator, type, constant);
    return outcome === undefined ? undefined : constantTest(key, outcome);
  }
  if (key.kind === 'literal') {
    const { value: constant } = key;
    if (isOfSet(operator) && (constant === null || isObject(constant))) return never;
    if (shapeOf(value)?.kind === 'bool') {
      return byBoolean(value, (each) => constantOutcome(operator, constant, each));
    }
    refuseOtherTypes(operator, constant, value);
  } else refuseUnlike(operator, key, value);
  refuseTextAsSet(operator, value);
  return undefined;
}

// Kyverno reads a text as JSON where it looks for something in it.
function refuseTextAsSet(operator: string, value: Value): void {
  const isText = value.kind !== 'literal' && !isList(value) && shapeOf(value)?.kind === 'string';
  if (!isText || !isOfSet(operator) || /^params\.\??data\b/.test(termOf(value).text)) return;
  if (mayHoldWildcards(value)) {
    throw new Unsupported(
      'a string of the object is used as a set, which Kyverno may read as JSON',
    );
  }
}

// Two fields are compared only if their types are known and compatible; otherwise the result is unknown.
function refuseUnlike(operator: string, key: Value, value: Value): void {
  const areBooleans = [key, value].map((each) => shapeOf(each)?.kind === 'bool');
  if (areBooleans.includes(true) && (areBooleans.includes(false) || isOfSet(operator))) {
    throw new Unsupported('a boolean is compared with a field of another type');
  }
  const [one, other] = [typeOfKey(key), typeOfKey(value)];
  if (one === undefined || other === undefined) return;
  const isKnown = isOfSet(operator)
    ? (one === 'text' || one === 'list') && (other === 'list' || other === 'text')
    : one === other;
  if (!isKnown) throw new Unsupported('two fields of different types are compared');
}

// Kyverno looks for the text that Go prints of an object.
function refuseObjectsInSets(operator: string, key: Value): void {
  if (!isOfSet(operator) || !isList(key)) return;
  const element = key.kind === 'projection' ? shapeOf(key.item) : shapeOf(key)?.element;
  if (element !== undefined && ['struct', 'map', 'list'].includes(element.kind)) {
    throw new Unsupported('a list of objects in a condition', 'compare a field of each element');
  }
}

function truthOf(outcome: boolean): Term {
  return outcome ? always : never;
}

function byBoolean(place: Value, outcome: (value: boolean) => boolean): Term {
  const [whenTrue, whenFalse] = [outcome(true), outcome(false)];
  if (whenTrue === whenFalse) return constantTest(place, whenTrue);
  const term = termOf(place);
  return whenTrue ? term : not(term);
}

// Kyverno ends in an error where the place is absent.
function constantTest(place: Value, outcome: boolean): Term {
  if (endsWhereAbsent(place)) return readingTest(place, outcome);
  // Null satisfies no operator.
  if (place.kind === 'projection' && outcome) return place.lenient?.presence ?? always;
  return truthOf(outcome);
}

/** A test with a constant outcome that reads a place, and so ends in an error where it is absent. */
function readingTest(place: Value, outcome: boolean): Term {
  const read = place.kind === 'choice' ? choiceTest(place) : termOf(place);
  return outcome ? isRead(read) : not(isRead(read));
}

function choiceTest({ test, whenTrue, whenFalse }: Extract<Value, { kind: 'choice' }>): Term {
  if ([whenTrue, whenFalse].some(endsWhereAbsent)) {
    throw new Unsupported(
      'a condition that is always or never true for a field that may be absent',
    );
  }
  return test;
}

function typeOfKey(key: Value): KeyType | undefined {
  if (isList(key)) return 'list';
  switch (shapeOf(key)?.kind) {
    case 'string':
    case 'quantity':
    case 'time':
      return 'text';
    case 'int32':
    case 'int64':
    case 'float64':
      return 'number';
    case 'map':
    case 'struct':
      return 'map';
    default:
      return undefined;
  }
}

// A constant key is compared with texts and lists of texts alone.
function refuseOtherTypes(operator: string, key: unknown, value: Value): void {
  const shape = shapeOf(value);
  if (shape === undefined && value.kind !== 'projection') return;
  const type = typeOfKey(value);
  const isText = typeof key === 'string';
  const isPattern = (Array.isArray(key) ? key : [key]).some((each) => hasWildcard(String(each)));
  if (isOfSet(operator) && isPattern) throw new Unsupported('a pattern is searched in a field');
  const isKnown = isOfSet(operator)
    ? type === 'list' || (type === 'text' && isText)
    : type === 'text'
      ? isText
      : type === 'number' && typeof key === 'number';
  if (!isKnown) throw new Unsupported('a constant is compared with a field of another type');
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
    const order = orders[name];
    if (order === undefined) throw new Unsupported(`unknown operator \`${operator}\``);
    // Kyverno finds these operators in any case, and then never holds those not spelt exactly.
    if (!orderOperators.has(operator))
      throw new Unsupported(`the operator \`${operator}\` is never true; its case is wrong`);
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
    if (['bool', 'int32', 'int64', 'float64'].includes(shapeOf(item)?.kind ?? '')) {
      throw new Unsupported(
        'Kyverno fails at `In` and `NotIn` of a list without strings',
        'use `AllIn` or `AnyNotIn`',
      );
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
    '`In` and `NotIn` never hold for a list without strings',
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
  if (key.kind === 'projection') throw new Unsupported('a list is ordered');
  const term = termOf(key);
  const kind = shapeOf(key)?.kind;
  const isNumber = kind === 'int32' || kind === 'int64' || kind === 'float64';
  if (value.kind !== 'literal') {
    if (!isNumber) throw new Unsupported('two values of unknown types are ordered');
    return relation(term, order, termOf(value));
  }
  const given = value.value;
  if (typeof given === 'number' || typeof given === 'bigint')
    return relation(term, order, literal(given));
  if (typeof given !== 'string') throw new Unsupported('a value without an order');
  if (!isNumber && !isAmount(given)) {
    throw new Unsupported('strings are ordered, which Kyverno supports only for versions');
  }
  if (isNumber && /^-?\d+$/.test(given)) return relation(term, order, member(given));
  return valueSatisfies(term, shapeOf(key) ?? stringShape, `${order}${given}`);
}
