import { isObject } from '@kubeadmit/apimachinery';
import { quantityOf } from '@kubeadmit/apimachinery/unstable-internal';
import { errorText } from '@kubeadmit/base';
import { matcherOf, type Node, parse } from '@kubeadmit/kyverno/unstable-internal';
import type { Shape } from '@kubeadmit/schemas/unstable-internal';
import { comparison, shapeOfJson } from '../cel/comparable.ts';
import { literal } from '../cel/literal.ts';
import { Path } from '../cel/path.ts';
import { boolShape } from '../cel/shapes.ts';
import {
  all,
  always,
  any,
  apply,
  binding,
  call,
  choice,
  isConstant,
  member,
  never,
  not,
  relation,
  type Term,
} from '../cel/term.ts';
import { hasWildcard } from '../cel/wildcard.ts';
import { differenceNotes } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { translateCall } from './functions.ts';
import { eachImage, imagePart, imagesOf, namedImage } from './images.ts';
import {
  chosen,
  endsWhereAbsent,
  isTrue,
  isTruthy,
  leniently,
  listOf,
  listOrEmpty,
  type Projection,
  presenceOf,
  quantify,
  readability,
  shapeOf,
  termOf,
  termOr,
  type Value,
} from './value.ts';
import { type RequestValue, requestMember, type Variables, variable } from './variables.ts';

/**
 * Translates a JMESPath expression of Kyverno to CEL.
 *
 * @throws Unsupported if CEL has no equivalent.
 */
export function translate(expression: string, variables: Variables): Value {
  const node = parsed(expression);
  for (const name of requiredIn(expression, variables)) {
    if (!isAlwaysRead(node, name)) {
      throw new Unsupported(
        `the variable \`${name}\` has to have a value also where the expression \`${expression}\` does not read it`,
        `give \`${name}\` a default`,
      );
    }
  }
  const value = new Translator(variables).value(node, undefined);
  if (value.kind === 'request') throw new Unsupported('the complete request is used as a value');
  return value;
}

function parsed(expression: string): Node {
  try {
    return parse(expression);
  } catch (error) {
    const problem = errorText(error);
    throw new Unsupported(`invalid JMESPath \`${expression}\`: ${problem}`);
  }
}

/**
 * The variables of an expression that end it in an error where they have no value. Kyverno loads each one that the text
 * mentions before it evaluates the expression (`deferredLoader`).
 */
export function requiredIn(expression: string, { named }: Variables): readonly string[] {
  return [...named].flatMap(([name, value]) => {
    return endsWhereAbsent(value) && mentions(expression, name) ? [name] : [];
  });
}

/** Whether Kyverno loads a variable of the context for a text. */
export function mentions(text: string, name: string): boolean {
  return matcherOf(name)?.(text) === true;
}

// Whether the evaluation of an expression reads a variable whatever the values of others are.
function isAlwaysRead({ kind, value, children: parts }: Node, name: string): boolean {
  const [first, second] = parts;
  switch (kind) {
    case 'field':
      return value === name;
    case 'call':
      return parts.some((part) => isAlwaysRead(part, name));
    case 'comparator':
      return first !== undefined && second?.kind === 'literal' && isAlwaysRead(first, name);
    case 'list':
    case 'hash':
      return false;
    default:
      return first !== undefined && isAlwaysRead(first, name);
  }
}

function mayBeAbsent(path: Path): boolean {
  return !path.isSure && !path.isObjectName;
}

type Context = Value | undefined;

class Translator {
  readonly #variables: Variables;
  #loops = 0;

  constructor(variables: Variables) {
    this.#variables = variables;
  }

  value(node: Node, context: Context): Value | RequestValue {
    switch (node.kind) {
      case 'field':
        return this.#field(String(node.value), context);
      case 'identity':
      case 'current':
        if (context === undefined) throw new Unsupported('`@` outside of a projection');
        return context;
      case 'literal':
        return (
          this.#variables.quoted?.get(String(node.value)) ?? { kind: 'literal', value: node.value }
        );
      case 'subexpression':
        return this.#subexpression(node, context);
      case 'pipe': {
        const [left, right] = children(node);
        return this.value(right, this.#plain(left, context));
      }
      case 'indexed':
        return this.#indexed(node, context);
      case 'projection':
        return this.#projection(node, context);
      case 'filter':
        return this.#filtered(node, context);
      case 'or':
        return this.#or(node, context);
      case 'and':
        return this.#and(node, context);
      case 'not': {
        const value = this.#plain(children(node)[0], context);
        return { ...truth(not(isTrue(value))), ...ending(value) };
      }
      case 'comparator':
        return this.#comparison(node, context);
      case 'list':
        return this.#list(node, context);
      case 'call':
        return this.#called(node, context);
      case 'hash':
        return constantMap(node);
      case 'values':
        return this.#eachImage(node, context);
      default:
        throw new Unsupported(`JMESPath's ${node.kind} expressions have no equivalent in CEL`);
    }
  }

  #called(node: Node, context: Context): Value {
    const { isIdiomatic, isOfPatch, notes } = this.#variables;
    const values = node.children.map((child) =>
      child.kind === 'reference' ? undefined : this.#plain(child, context),
    );
    const isAbsent = (value: Context): boolean =>
      value?.kind === 'path'
        ? mayBeAbsent(value.path)
        : value?.kind === 'projection' && value.lenient !== undefined;
    const name = String(node.value);
    const isLenient = lenientFunctions.has(name) && values.some(isAbsent);
    // These functions find nothing in absent values, for which Kyverno ends in an error or finds null.
    const mayDecide = isIdiomatic || isOfPatch === true || name === 'to_array';
    if (isLenient && mayDecide) notes.add(differenceNotes.absence);
    const asked = values.map((value) => {
      if (value === undefined) return undefined;
      // The next step of a patch evaluates fields again that the patch removed.
      if (isOfPatch === true) return orEmpty(value);
      return isLenient && !mayDecide ? unconditionally(value) : value;
    });
    const made = callOf(name, asked);
    // The string of an absent field is `null`.
    const isOpenValue = (value: Value | undefined): boolean =>
      name === 'to_string' && value?.kind === 'path' && !value.path.isSure
        ? false
        : isAbsent(value) || (value !== undefined && endsWhereAbsent(value));
    const isOpen = asked.some(isOpenValue);
    if (!isOpen || made.kind !== 'term') return made;
    const readable = values.flatMap((value) => (value === undefined ? [] : [readability(value)]));
    const isKnown = readable.every((each) => each !== undefined);
    return { ...made, mayEnd: true, ...(isKnown ? { readable: all(readable) } : {}) };
  }

  #eachImage(node: Node, context: Context): Value {
    const [left, right] = children(node);
    const base = this.#plain(left, context);
    if (base.kind !== 'images' || base.places === undefined) {
      throw new Unsupported('the values of a map');
    }
    const every = eachImage(base.places);
    return { ...every, item: this.#plain(right, every.item) };
  }

  #plain(node: Node, context: Context): Value {
    const value = this.value(node, context);
    if (value.kind === 'request') throw new Unsupported('the complete request is used as a value');
    return value;
  }

  #both(node: Node, context: Context): readonly [Value, Value] {
    const [left, right] = children(node);
    return [this.#plain(left, context), this.#plain(right, context)];
  }

  #field(name: string, context: Context): Value | RequestValue {
    // The empty key is a key that nothing has.
    if (context === undefined && name === '') return { kind: 'literal', value: null };
    if (context === undefined) return variable(this.#variables, name);
    const quoted = this.#variables.quoted?.get(name);
    if (context.kind === 'images') {
      if (context.places === undefined) return imagesOf(this.#pod(), name);
      return namedImage(context.places, quoted === undefined ? literal(name) : termOf(quoted));
    }
    if (quoted !== undefined) return this.#computedMember(context, quoted);
    return memberOf(context, name);
  }

  // The pod whose images `images` holds.
  #pod(): Path {
    const { object } = this.#variables;
    const spec = object.select('spec');
    const template = [object, spec.select('template')].concat(
      spec.select('jobTemplate').select('spec').select('template'),
    );
    const pod = template.find((each) => each.select('spec').select('containers').known.shape);
    if (pod === undefined) throw new Unsupported('the variable `images` of other kinds than pods');
    return pod;
  }

  // A member whose name is a variable.
  #computedMember(context: Value, name: Value): Value {
    if (context.kind !== 'path') throw new Unsupported('a computed member of a computed value');
    const { path } = context;
    const { shape } = path.known;
    const key = termOf(name).text;
    const term = member(`${path.term.text}[${key}]`);
    const isThere = all([path.presence, relation(member(key), 'in', path.term)]);
    const element = shape?.kind === 'map' ? shape.element : undefined;
    const optional = member(`${path.optional}[?${key}]`);
    return { kind: 'term', term, shape: element, absence: not(isThere), optional };
  }

  #subexpression(node: Node, context: Context): Value | RequestValue {
    const [left, right] = children(node);
    const base = this.value(left, context);
    if (base.kind !== 'request') {
      const value = this.value(right, base);
      const isOpen = right.kind === 'call' && base.kind === 'path' && !base.path.isSure;
      if (!isOpen || value.kind !== 'term') return value;
      // Where the base is absent the function is left out, and the result is absent as well.
      return { ...value, absence: any([not(base.path.presence), value.absence ?? never]) };
    }
    if (right.kind !== 'field') throw new Unsupported('the complete request is used as a value');
    return requestMember(this.#variables, String(right.value));
  }

  #indexed(node: Node, context: Context): Value {
    const [left, right] = children(node);
    const base = this.#plain(left, context);
    if (right.kind !== 'index') return this.#plain(right, base);
    const at = Number(right.value);
    if (base.kind === 'path' && at >= 0) return { kind: 'path', path: base.path.index(at) };
    // An element of a missing value is null, too.
    const list = listOrEmpty(base);
    const text = at >= 0 ? `${list.text}[${at}]` : `${list.text}[size(${list.text}) - ${-at}]`;
    const isThere = `size(${list.text}) ${at >= 0 ? `> ${at}` : `>= ${-at}`}`;
    const absence = not({ text: isThere, binds: binding.relation });
    const shape = base.kind === 'projection' ? shapeOf(base.item) : shapeOf(base)?.element;
    return { kind: 'term', term: member(text), absence, isElement: true, shape };
  }

  #projection(node: Node, context: Context): Value {
    const [left, right] = children(node);
    const images = this.#imagesIn(left, context);
    if (images !== undefined) return this.#plain(right, images);
    const base = this.#sequence(left, context);
    const item = this.#plain(right, base.item);
    if (item.kind === 'projection') return flattened(base, item);
    return { ...base, item, source: right.kind === 'identity' ? base.source : undefined };
  }

  // `images.[containers, initContainers][]` is the images of both.
  #imagesIn(node: Node, context: Context): Value | undefined {
    if (node.kind !== 'flatten') return undefined;
    const [source] = children(node);
    if (source.kind !== 'subexpression' && source.kind !== 'list') return undefined;
    const value = this.#plain(source, context);
    return value.kind === 'images' ? value : undefined;
  }

  // The list that a projection goes through, with a loop variable for its elements.
  #sequence(node: Node, context: Context): Projection {
    const source = node.kind === 'flatten' ? children(node)[0] : node;
    const value = this.#plain(source, context);
    if (value.kind !== 'projection') {
      const isNested =
        node.kind === 'flatten' && value.kind === 'term' && value.shape === undefined;
      const list = isNested ? call(listOf(value), 'flatten') : listOf(value);
      const made = this.#loop(list, shapeOf(value), isOfKeys(value));
      if (value.kind === 'term' && value.absence !== undefined) {
        const { absence, term } = value;
        const list = member(`(${choice(not(absence), term, literal([])).text})`);
        return { ...made, lenient: { list, presence: not(absence) } };
      }
      if (value.kind === 'term' && value.keysOf !== undefined) {
        return { ...made, keysOf: value.keysOf };
      }
      if (value.kind !== 'path') return made;
      const { path } = value;
      if (path.isSure) return { ...made, source: path };
      const lenient = { list: path.orValue(literal([])), presence: path.presence };
      return { ...made, source: path, lenient };
    }
    // Lists within the list become one.
    const items = node.kind === 'flatten' ? shapeOf(value.item) : undefined;
    if (items?.kind !== 'list') return value;
    const made = this.#loop(call(termOf(value), 'flatten'), items, isOfKeys(value.item));
    if (value.lenient === undefined) return made;
    const list = call(termOf(leniently(value)), 'flatten');
    return { ...made, lenient: { ...value.lenient, list } };
  }

  #loop(list: Term, shape: Shape | undefined, isOfNames: boolean): Projection {
    const element = shape?.kind === 'list' ? shape.element : undefined;
    const name = this.#loops++ === 0 ? 'item' : `item${this.#loops}`;
    const known = { ...this.#variables.known, shape: element };
    const item: Value = isOfNames
      ? { kind: 'term', term: member(name), shape: element, isName: true }
      : { kind: 'path', path: new Path(member(name), known) };
    return { kind: 'projection', list, name, filter: undefined, item };
  }

  #filtered(node: Node, context: Context): Value {
    const [left, right, test] = node.children;
    if (left === undefined || right === undefined || test === undefined) {
      throw new Unsupported('a filter without its parts');
    }
    const base = this.#sequence(left, context);
    const filter = isTrue(this.#plain(test, base.item));
    const item = this.#plain(right, base.item);
    const filtered = {
      ...base,
      filter: base.filter === undefined ? filter : all([base.filter, filter]),
    };
    return item.kind === 'projection' ? flattened(filtered, item) : { ...filtered, item };
  }

  #or(node: Node, context: Context): Value {
    const [left, right] = this.#both(node, context);
    if (left.kind === 'literal') return isTruthy(left.value) ? left : orNull(right);
    if (termOf(left).text === 'request.operation') return left;
    if (right.kind !== 'literal' && [left, right].every((each) => shapeOf(each)?.kind === 'bool')) {
      const isEither =
        ending(left).mayEnd === true
          ? chosen(isTrue(left), always, isTrue(right))
          : any([isTrue(left), isTrue(right)]);
      return { ...truth(isEither), ...ending(left), ...ending(right) };
    }
    // A default with wildcards is a pattern, which no value of the object is.
    const isWild = right.kind === 'literal' && hasWildcard(String(right.value));
    if (right.kind === 'literal' && (isWild || isOfOtherType(left, right.value))) {
      const test = isTrue(left);
      return { kind: 'choice', test, whenTrue: truthyOf(left), whenFalse: right, ...ending(left) };
    }
    // If an empty value equals the default, only absence matters.
    if (right.kind === 'literal' && !isTruthy(right.value)) {
      if (left.kind === 'projection') return leniently(left);
      const shape = shapeOf(left);
      const empty = shape?.kind === 'list' ? [] : shape?.kind === 'map' ? {} : right.value;
      const otherwise = literal(empty);
      if (left.kind === 'term' && left.absence !== undefined) {
        const term =
          left.optional === undefined
            ? choice(not(left.absence), left.term, otherwise)
            : member(`${left.optional.text}.orValue(${otherwise.text})`);
        return { kind: 'term', term, shape, ...ending(left) };
      }
      return { kind: 'term', term: termOr(left, otherwise), shape, ...ending(left) };
    }
    if (right.kind === 'literal') {
      const term = choice(isTrue(left), termOf(left), termOf(right));
      return { kind: 'term', term, shape: shapeOf(left), ...ending(left) };
    }
    if (left.kind === 'path' && right.kind === 'path') return eitherPath(left, right.path);
    throw new Unsupported('a choice between two computed values');
  }

  // The first value where JMESPath takes it for false, else the second one.
  #and(node: Node, context: Context): Value {
    const [left, right] = this.#both(node, context);
    if (left.kind === 'literal') return isTruthy(left.value) ? right : left;
    const mayEnd = ending(left).mayEnd === true;
    const both = mayEnd
      ? chosen(isTrue(left), isTrue(right), never)
      : all([isTrue(left), isTrue(right)]);
    if ([left, right].every(isTruthValue)) {
      return { ...truth(both), ...ending(left), ...ending(right) };
    }
    const [whenTrue, whenFalse] = [right, orNull(left)];
    return {
      kind: 'choice',
      test: isTrue(left),
      whenTrue,
      whenFalse,
      truth: both,
      ...ending(left),
    };
  }

  #comparison(node: Node, context: Context): Value {
    const [left, right] = this.#both(node, context);
    const ends = { ...ending(left), ...ending(right) };
    const test = this.#compared(node, left, right);
    if (ends.mayEnd && (isConstant(test) || test.joined !== undefined)) {
      throw new Unsupported(
        'a comparison that may end in an error with a value that may be absent',
      );
    }
    return { ...truth(test), ...ends };
  }

  #compared({ value }: Node, left: Value, right: Value): Term {
    const operator = String(value);
    const symbol = symbols[operator] ?? operator;
    // An absent value equals only another absent value.
    if (left.kind === 'path' && right.kind === 'path' && /[!=]=/.test(symbol)) {
      const one = { term: optionalOf(left.path), shape: shapeOf(left) };
      const other = { term: optionalOf(right.path), shape: shapeOf(right) };
      return comparison(one, symbol, other);
    }
    const compared = /[!=]=/.test(symbol)
      ? comparison(typed(left), symbol, typed(right))
      : relation(termOf(left), symbol, termOf(right));
    const presences = [left, right].map(presenceOf);
    return symbol === '!=' ? any([...presences.map(not), compared]) : all([...presences, compared]);
  }

  #list(node: Node, context: Context): Value {
    const values = node.children.map((child) => this.#plain(child, context));
    const places = values.map((value) => (value.kind === 'images' ? value.places : undefined));
    if (places.every((each) => each !== undefined))
      return { kind: 'images', places: places.flat() };
    const shapes = values.map(shapeOf);
    const [shape] = shapes;
    // `[containers, initContainers][]` goes through one after the other.
    if (shape !== undefined && shapes.every((each) => each?.kind === 'list')) {
      const term = { text: values.map((value) => listOrEmpty(value).text).join(' + '), binds: 4 };
      return { kind: 'term', term, shape };
    }
    // Absent values are omitted.
    const items = values.map((value) =>
      value.kind === 'path' && !value.path.isSure ? `?${value.path.optional}` : termOf(value).text,
    );
    return { kind: 'term', term: member(`[${items.join(', ')}]`) };
  }
}

const symbols: Readonly<Record<string, string>> = {
  tEQ: '==',
  tNE: '!=',
  tLT: '<',
  tLTE: '<=',
  tGT: '>',
  tGTE: '>=',
};

// A required value ends the evaluation where it is absent, also before a default.
function ending(value: Value): { readonly mayEnd?: true } {
  const isRequired = value.kind === 'path' ? value.path.isSure : true;
  return isRequired && endsWhereAbsent(value) ? { mayEnd: true } : {};
}

// A place, or another one that may be absent as well; then it is null.
function eitherPath(left: Value, right: Path): Value {
  const shape = right.known.shape;
  const there: Value = { kind: 'term', term: right.term, shape };
  const whenFalse: Value = mayBeAbsent(right)
    ? {
        kind: 'choice',
        test: right.presence,
        whenTrue: there,
        whenFalse: { kind: 'literal', value: null },
      }
    : there;
  const test = isTrue(left);
  return { kind: 'choice', test, whenTrue: truthyOf(left), whenFalse, ...ending(left) };
}

// A function of one of two values is one of two results.
function callOf(name: string, values: readonly (Value | undefined)[]): Value {
  const at = values.findIndex((value) => value?.kind === 'choice');
  const chosen = values[at];
  if (chosen?.kind !== 'choice') return translateCall(name, values);
  const { test, whenTrue, whenFalse, mayEnd } = chosen;
  const [one, other] = [whenTrue, whenFalse].map((each) => callOf(name, values.with(at, each)));
  if (one === undefined || other === undefined)
    throw new Unsupported('a function without arguments');
  if (shapeOf(one)?.kind === undefined || shapeOf(one)?.kind !== shapeOf(other)?.kind) {
    throw new Unsupported('a default of another type than its value is used in an expression');
  }
  const term = choice(test, termOf(one), termOf(other));
  const isOpen = mayEnd === true || [one, other].some(endsWhereAbsent);
  return { kind: 'term', term, shape: shapeOf(one), ...(isOpen ? { mayEnd: true } : {}) };
}

// A value that ends in an error where it is absent.
function unconditionally(value: Value): Value {
  if (value.kind === 'path') return { kind: 'path', path: value.path.present };
  if (value.kind !== 'projection') return value;
  const { lenient, ...rest } = value;
  return lenient === undefined ? value : { ...rest, mayEnd: true };
}

const lenientFunctions: ReadonlySet<string> = new Set(['keys', 'to_array']);

// A list or map with an empty one where it is absent.
function orEmpty(value: Value): Value {
  if (value.kind === 'projection') return leniently(value);
  const shape = shapeOf(value);
  if (value.kind !== 'path' || (shape?.kind !== 'list' && shape?.kind !== 'map')) return value;
  const term = value.path.orValue(literal(shape.kind === 'list' ? [] : {}));
  return { kind: 'term', term, shape };
}

// Whether a default cannot stand in the place of a value that is empty or absent.
export function isOfOtherType(value: Value, otherwise: unknown): boolean {
  if (value.kind === 'projection') return !Array.isArray(otherwise) || otherwise.length > 0;
  const shape = shapeOf(value);
  switch (shape?.kind) {
    case undefined:
    case 'any':
      return false;
    case 'bool':
      return typeof otherwise !== 'boolean';
    case 'int32':
    case 'int64':
    case 'float64':
      return typeof otherwise !== 'number' && typeof otherwise !== 'bigint';
    case 'intorstring':
      return typeof otherwise !== 'string' && typeof otherwise !== 'number';
    case 'quantity':
      return typeof otherwise !== 'string' || quantityOf(otherwise) === undefined;
    case 'string':
    case 'time':
      return typeof otherwise !== 'string';
    case 'list':
      return !Array.isArray(otherwise);
    case 'map':
      return !isObject(otherwise);
    default:
      return true;
  }
}

// The value where it is known to be there.
function truthyOf(value: Value): Value {
  if (value.kind === 'projection') return leniently(value);
  if (value.kind === 'path') {
    return { kind: 'term', term: value.path.term, shape: value.path.known.shape };
  }
  if (value.kind !== 'term') return value;
  const { absence: _, mayEnd: _end, ...rest } = value;
  return rest;
}

// The value, and null where it is absent.
function orNull(value: Value): Value {
  if (value.kind === 'choice') {
    const { whenTrue, whenFalse } = value;
    return { ...value, whenTrue: orNull(whenTrue), whenFalse: orNull(whenFalse) };
  }
  if (value.kind !== 'path' || value.path.isSure) return truthyOf(value);
  const whenFalse: Value = { kind: 'literal', value: null };
  return { kind: 'choice', test: value.path.presence, whenTrue: truthyOf(value), whenFalse };
}

// Whether a value is true or false, and never null.
function isTruthValue(value: Value): boolean {
  return value.kind === 'term' && value.shape?.kind === 'bool' && value.absence === undefined;
}

function typed(value: Value): Parameters<typeof comparison>[0] {
  const shape = value.kind === 'literal' ? shapeOfJson(value.value) : shapeOf(value);
  return { term: termOf(value), shape };
}

// Fields, labels and the like have names without wildcards.
function isOfKeys(value: Value): boolean {
  return value.kind === 'term' && value.keysOf !== undefined;
}

function optionalOf(path: Path): Term {
  return path.isSure ? apply('optional.of', path.term) : member(path.optional);
}

function truth(term: Term): Extract<Value, { kind: 'term' }> {
  return { kind: 'term', term, shape: boolShape };
}

function children(node: Node): readonly [Node, Node] {
  const [left, right = left] = node.children;
  if (left === undefined || right === undefined) throw new Unsupported(`an empty ${node.kind}`);
  return [left, right];
}

// `{key: null}`
function constantMap(node: Node): Value {
  const entries = node.children.map((pair) => {
    const [value] = pair.children;
    const isNull = value?.kind === 'field' && value.value === 'null';
    if (value?.kind !== 'literal' && !isNull) throw new Unsupported('a map that is computed');
    return [String(pair.value), isNull ? null : value?.value] as const;
  });
  return { kind: 'literal', value: Object.fromEntries(entries) };
}

function memberOf(context: Value, name: string): Value {
  switch (context.kind) {
    case 'path':
      return { kind: 'path', path: context.path.select(name) };
    case 'projection':
      return { ...context, item: memberOf(context.item, name) };
    case 'image':
      return imagePart(context.reference, name);
    case 'images':
      throw new Unsupported('a list of images');
    case 'literal':
      throw new Unsupported('a member of a literal');
    case 'choice':
    case 'term':
      throw new Unsupported(`a member \`${name}\` of a computed value`);
  }
}

// A projection within a projection gives one list; one that is absent in an element counts as none.
function flattened(outer: Projection, inner: Projection): Projection {
  const within = leniently(inner);
  const made = (list: Term): Term => {
    const kept =
      outer.filter === undefined ? list : call(list, 'filter', member(outer.name), outer.filter);
    return call(call(kept, 'map', member(outer.name), within.list), 'flatten');
  };
  const { source: _, ...rest } = within;
  if (outer.lenient === undefined) return { ...rest, list: made(outer.list) };
  const lenient = { ...outer.lenient, list: made(outer.lenient.list) };
  return { ...rest, list: made(outer.list), lenient };
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
