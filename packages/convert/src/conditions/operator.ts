import type { Shape } from '@kubeadmit/schemas/internal';
import { literal } from '../cel/literal.ts';
import {
  all,
  always,
  any,
  apply,
  binding,
  choice,
  member,
  never,
  not,
  operand,
  relation,
  type Term,
} from '../cel/term.ts';
import { holdsOf } from '../jmespath/translate.ts';
import { listOrEmpty, shapeOf, termOf, type Value } from '../jmespath/value.ts';
import { valueSatisfies } from '../pattern/scalar.ts';
import { hasWildcard, oneOf, someWildcardTest, wildcardTest } from '../pattern/wildcard.ts';
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
 * @throws Unsupported for an operator, or operands, without an equal.
 */
export function conditionTest(operator: string, key: Value, value: Value): Term {
  const isThere = presenceOf(key, value, operator);
  if (isThere.text === always.text) return presentTest(operator, key, value);
  return all([isThere, presentTest(operator, key, value)]);
}

// An element that a list has not, and a list of what a place that is absent has, is null: no operator holds for it.
function presenceOf(key: Value, value: Value, operator: string): Term {
  const ofKey = key.kind === 'path' && key.path.isOfElement ? key.path.presence : always;
  const isNegated = /notin$/i.test(operator);
  const ofSet =
    isNegated && value.kind === 'projection' ? (value.lenient?.presence ?? always) : always;
  return all([ofKey, ofSet]);
}

function presentTest(operator: string, key: Value, value: Value): Term {
  const name = operator.toLowerCase();
  const set = withStar(key, value);
  switch (name) {
    case 'equals':
    case 'equal':
      return equals(key, value);
    case 'notequals':
    case 'notequal':
      return not(equals(key, value));
    case 'anyin':
      return holdsOf(key, 'exists', (item) => isIn(item, set));
    case 'in':
    case 'allin':
      return holdsOf(key, 'all', (item) => isIn(item, set));
    case 'anynotin':
      return holdsOf(key, 'exists', (item) => not(isIn(item, set)));
    case 'notin':
    case 'allnotin':
      return holdsOf(key, 'all', (item) => not(isIn(item, set)));
    default:
      break;
  }
  const order = orders[name];
  if (order === undefined) throw new Unsupported(`the operator \`${operator}\` is not known`);
  return ordered(key, order, value);
}

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
  if (value.kind !== 'literal') return relation(termOf(key), '==', termOf(value));
  const shape = shapeOf(key);
  if (typeof value.value === 'boolean') {
    const term = termOf(key);
    return shape?.kind === 'bool'
      ? value.value
        ? term
        : not(term)
      : relation(term, '==', literal(value.value));
  }
  if (typeof value.value !== 'string') return relation(termOf(key), '==', literal(value.value));
  return textEquals(termOf(key), shape, value.value);
}

function textEquals(key: Term, shape: Shape | undefined, text: string): Term {
  if (text === '') return relation(key, '==', literal(''));
  if (/[|&]/.test(text) || /^[<>!]/.test(text)) return wildcardTest(key, text);
  return valueSatisfies(key, shape, text);
}

// Kyverno matches wildcards of both sides: a `*` among the verbs of a role is every verb.
function withStar(key: Value, set: Value): Value {
  const isList = key.kind === 'projection' || shapeOf(key)?.kind === 'list';
  if (!isList || set.kind !== 'literal' || !Array.isArray(set.value)) return set;
  const hasTexts = set.value.every((each) => typeof each === 'string' && each !== '*');
  return hasTexts ? { kind: 'literal', value: [...set.value, '*'] } : set;
}

function isIn(item: Value, set: Value): Term {
  if (set.kind === 'literal') return isInLiteral(item, set.value);
  if (set.kind === 'projection' || shapeOf(set)?.kind === 'list') {
    const list = set.kind === 'projection' ? listOrEmpty(set) : termOf(set);
    const element = set.kind === 'projection' ? shapeOf(set.item) : shapeOf(set)?.element;
    if (element?.kind === 'bool') {
      if (item.kind !== 'literal') return relation(termOf(item), 'in', list);
      return relation(literal(item.value === true || item.value === 'true'), 'in', list);
    }
    if (mapOf(set) !== undefined) return relation(asString(item), 'in', list);
    return any([relation(asString(item), 'in', list), relation(literal('*'), 'in', list)]);
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
      { text: isListed, binds: binding.relation },
    ]);
  }
  if (shapeOf(set)?.kind === 'string') return relation(asString(item), '==', termOf(set));
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
