import { errorText } from '@kubeadmit/base';
import { type Node, parse } from '@kubeadmit/kyverno/jmespath';
import type { Shape } from '@kubeadmit/schemas/types';
import { literal } from '../cel/literal.ts';
import { Path } from '../cel/path.ts';
import {
  all,
  any,
  binding,
  call,
  choice,
  member,
  never,
  not,
  relation,
  type Term,
} from '../cel/term.ts';
import { differenceNotes } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { elapsed } from './elapsed.ts';
import { translateCall } from './functions.ts';
import { eachImage, imagePart, imagesOf, namedImage } from './images.ts';
import { bothOf, comparisonOf, eitherOf, notOf } from './logic.ts';
import { isAlwaysRead, requiredIn } from './required-variables.ts';
import {
  endsWhereAbsent,
  isTrue,
  leniently,
  listOf,
  listOrEmpty,
  mayBeAbsent,
  type Projection,
  readability,
  shapeOf,
  termOf,
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
        `Kyverno requires a value for the variable \`${name}\` even where the expression \`${expression}\` does not read it`,
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
        return eitherOf(...this.#both(node, context));
      case 'and':
        return bothOf(...this.#both(node, context));
      case 'not':
        return notOf(this.#plain(children(node)[0], context));
      case 'comparator':
        return comparisonOf(String(node.value), ...this.#both(node, context));
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
    if (name === 'time_since' && this.#variables.hasClock === true) return elapsed(values);
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

// Fields, labels and the like have names without wildcards.
function isOfKeys(value: Value): boolean {
  return value.kind === 'term' && value.keysOf !== undefined;
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
