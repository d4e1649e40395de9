import { type Node, parse } from '@kubeadmit/kyverno/internal';
import type { Shape } from '@kubeadmit/schemas/internal';
import { literal } from '../cel/literal.ts';
import { Path } from '../cel/path.ts';
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
import { Unsupported } from '../unsupported.ts';
import { translateCall } from './functions.ts';
import {
  isTrue,
  isTruthy,
  leniently,
  listOf,
  listOrEmpty,
  type Projection,
  quantify,
  shapeOf,
  termOf,
  termOr,
  type Value,
} from './value.ts';
import { type RequestValue, requestMember, type Variables, variable } from './variables.ts';

/**
 * What a JMESPath expression of Kyverno is in CEL.
 *
 * @throws Unsupported where CEL has no equal.
 */
export function translate(expression: string, variables: Variables): Value {
  const value = new Translator(variables).value(parse(expression), undefined);
  if (value.kind === 'request') throw new Unsupported('the whole request is used as a value');
  return value;
}

type Context = Value | undefined;

class Translator {
  private readonly variables: Variables;
  private loops = 0;

  constructor(variables: Variables) {
    this.variables = variables;
  }

  value(node: Node, context: Context): Value | RequestValue {
    switch (node.kind) {
      case 'field':
        return this.field(String(node.value), context);
      case 'identity':
      case 'current':
        if (context === undefined) throw new Unsupported('`@` outside of a projection');
        return context;
      case 'literal':
        return (
          this.variables.quoted?.get(String(node.value)) ?? { kind: 'literal', value: node.value }
        );
      case 'subexpression':
        return this.subexpression(node, context);
      case 'pipe': {
        const [left, right] = children(node);
        return this.value(right, this.plain(left, context));
      }
      case 'indexed':
        return this.indexed(node, context);
      case 'projection':
        return this.projection(node, context);
      case 'filter':
        return this.filtered(node, context);
      case 'or':
        return this.or(node, context);
      case 'and': {
        const [left, right] = this.both(node, context);
        return truth(all([isTrue(left), isTrue(right)]));
      }
      case 'not':
        return truth(not(isTrue(this.plain(children(node)[0], context))));
      case 'comparator':
        return this.comparison(node, context);
      case 'list':
        return this.list(node, context);
      case 'call': {
        const values = node.children.map((child) =>
          child.kind === 'reference' ? undefined : this.plain(child, context),
        );
        return translateCall(String(node.value), values);
      }
      default:
        throw new Unsupported(`JMESPath's ${node.kind} expressions have no equal in CEL`);
    }
  }

  private plain(node: Node, context: Context): Value {
    const value = this.value(node, context);
    if (value.kind === 'request') throw new Unsupported('the whole request is used as a value');
    return value;
  }

  private both(node: Node, context: Context): readonly [Value, Value] {
    const [left, right] = children(node);
    return [this.plain(left, context), this.plain(right, context)];
  }

  private field(name: string, context: Context): Value | RequestValue {
    return context === undefined ? variable(this.variables, name) : memberOf(context, name);
  }

  private subexpression(node: Node, context: Context): Value | RequestValue {
    const [left, right] = children(node);
    const base = this.value(left, context);
    if (base.kind !== 'request') return this.value(right, base);
    if (right.kind !== 'field') throw new Unsupported('the whole request is used as a value');
    return requestMember(this.variables, String(right.value));
  }

  private indexed(node: Node, context: Context): Value {
    const [left, right] = children(node);
    const base = this.plain(left, context);
    if (right.kind !== 'index') return this.plain(right, base);
    const at = Number(right.value);
    if (base.kind === 'path' && at >= 0) return { kind: 'path', path: base.path.index(at) };
    const list = listOf(base);
    const text = at >= 0 ? `${list.text}[${at}]` : `${list.text}[size(${list.text}) - ${-at}]`;
    return { kind: 'term', term: member(text) };
  }

  private projection(node: Node, context: Context): Value {
    const [left, right] = children(node);
    const base = this.sequence(left, context);
    const item = this.plain(right, base.item);
    if (item.kind === 'projection') return flattened(base, item);
    return { ...base, item, source: right.kind === 'identity' ? base.source : undefined };
  }

  // The list that a projection goes through, with a loop variable for its elements.
  private sequence(node: Node, context: Context): Projection {
    const source = node.kind === 'flatten' ? children(node)[0] : node;
    const value = this.plain(source, context);
    if (value.kind !== 'projection') {
      const made = this.loop(listOf(value), shapeOf(value));
      if (value.kind !== 'path') return made;
      const { path } = value;
      if (path.isSure) return { ...made, source: path };
      const lenient = { list: path.orValue(literal([])), presence: path.presence };
      return { ...made, source: path, lenient };
    }
    // Lists within the list become one.
    const items = node.kind === 'flatten' ? shapeOf(value.item) : undefined;
    if (items?.kind !== 'list') return value;
    const made = this.loop(call(termOf(value), 'flatten'), items);
    if (value.lenient === undefined) return made;
    const list = call(termOf(leniently(value)), 'flatten');
    return { ...made, lenient: { ...value.lenient, list } };
  }

  private loop(list: Term, shape: Shape | undefined): Projection {
    const element = shape?.kind === 'list' ? shape.element : undefined;
    const name = this.loops++ === 0 ? 'item' : `item${this.loops}`;
    const known = { ...this.variables.known, shape: element };
    const item: Value = { kind: 'path', path: new Path(member(name), known) };
    return { kind: 'projection', list, name, filter: undefined, item };
  }

  private filtered(node: Node, context: Context): Value {
    const [left, right, test] = node.children;
    if (left === undefined || right === undefined || test === undefined) {
      throw new Unsupported('a filter without its parts');
    }
    const base = this.sequence(left, context);
    const filter = isTrue(this.plain(test, base.item));
    const item = this.plain(right, base.item);
    const filtered = {
      ...base,
      filter: base.filter === undefined ? filter : all([base.filter, filter]),
    };
    return item.kind === 'projection' ? flattened(filtered, item) : { ...filtered, item };
  }

  private or(node: Node, context: Context): Value {
    const [left, right] = this.both(node, context);
    if (termOf(left).text === 'request.operation') return left;
    if (right.kind !== 'literal' && shapeOf(left)?.kind === 'bool') {
      return truth(any([isTrue(left), isTrue(right)]));
    }
    // Where what is empty and what stands for it are the same, only absence counts.
    if (right.kind === 'literal' && !isTruthy(right.value)) {
      if (left.kind === 'projection') return leniently(left);
      const shape = shapeOf(left);
      const empty = shape?.kind === 'list' ? [] : shape?.kind === 'map' ? {} : right.value;
      return { kind: 'term', term: termOr(left, literal(empty)), shape };
    }
    if (right.kind === 'literal' || left.kind === 'path') {
      const absence =
        right.kind === 'path' ? all([not(isTrue(left)), not(right.path.presence)]) : never;
      const term = choice(isTrue(left), termOf(left), termOf(right));
      const shape = shapeOf(left)?.kind === shapeOf(right)?.kind ? shapeOf(left) : undefined;
      return { kind: 'term', term, shape, ...(absence.text === 'false' ? {} : { absence }) };
    }
    return truth(any([isTrue(left), isTrue(right)]));
  }

  private comparison(node: Node, context: Context): Value {
    const [left, right] = this.both(node, context);
    const operator = String(node.value);
    const symbol = symbols[operator] ?? operator;
    // What is absent equals only what is absent, too.
    if (left.kind === 'path' && right.kind === 'path' && /[!=]=/.test(symbol)) {
      return truth(relation(optionalOf(left.path), symbol, optionalOf(right.path)));
    }
    const compared = relation(termOf(left), symbol, termOf(right));
    const presences = [left, right].map((value) =>
      value.kind === 'path' ? value.path.presence : always,
    );
    return truth(
      symbol === '!=' ? any([...presences.map(not), compared]) : all([...presences, compared]),
    );
  }

  private list(node: Node, context: Context): Value {
    const values = node.children.map((child) => this.plain(child, context));
    const shapes = values.map(shapeOf);
    const [shape] = shapes;
    // `[containers, initContainers][]` goes through one after the other.
    if (shape !== undefined && shapes.every((each) => each?.kind === 'list')) {
      const term = { text: values.map((value) => listOrEmpty(value).text).join(' + '), binds: 4 };
      return { kind: 'term', term, shape };
    }
    const term = member(`[${values.map((value) => termOf(value).text).join(', ')}]`);
    return { kind: 'term', term };
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

function optionalOf(path: Path): Term {
  return path.isSure ? apply('optional.of', path.term) : member(path.optional);
}

function truth(term: Term): Value {
  return { kind: 'term', term, shape: { kind: 'bool', pointer: false, go: 'bool' } };
}

function children(node: Node): readonly [Node, Node] {
  const [left, right = left] = node.children;
  if (left === undefined || right === undefined) throw new Unsupported(`an empty ${node.kind}`);
  return [left, right];
}

function memberOf(context: Value, name: string): Value {
  switch (context.kind) {
    case 'path':
      return { kind: 'path', path: context.path.select(name) };
    case 'projection':
      return { ...context, item: memberOf(context.item, name) };
    case 'literal':
      throw new Unsupported('a member of a literal');
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
