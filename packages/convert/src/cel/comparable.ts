import { isObject } from '@kubeadmit/apimachinery';
import type { Shape } from '@kubeadmit/schemas/types';
import { always, apply, never, relation, type Term } from './term.ts';

/** A term with the schema type of its value. */
interface Typed {
  readonly term: Term;
  readonly shape: Shape | undefined;
}

/**
 * Returns `left == right` (or `!=`) in a form that kube-apiserver's type checker accepts for the kinds of the
 * policy.
 *
 * Values of different types are compared as `dyn(left) == right`. Objects in different places count as different
 * types. A list or map of an object has no equality with anything else: kube-apiserver ends in an error there.
 */
export function comparison(left: Typed, symbol: string, right: Typed): Term {
  if (isCollectionOfOne(left.shape, right.shape)) return symbol === '!=' ? always : never;
  const known = isComparable(left.shape, right.shape) ? left.term : apply('dyn', left.term);
  return relation(known, symbol, right.term);
}

// Whether exactly one of two known values is a list, or a map.
function isCollectionOfOne(left: Shape | undefined, right: Shape | undefined): boolean {
  const [one, other] = [left, right].map(typeOf);
  if (one === undefined || other === undefined) return false;
  const isMap = (type: string): boolean => type === 'map' || type === 'struct';
  return isMap(one) !== isMap(other) || (one === 'list') !== (other === 'list');
}

/** The shape of a JSON value of a rule. */
export function shapeOfJson(value: unknown): Shape | undefined {
  const kind = Array.isArray(value) ? 'list' : isObject(value) ? 'map' : kinds[typeof value];
  return kind === undefined ? undefined : { kind, pointer: false, go: kind };
}

const kinds: Readonly<Record<string, Shape['kind']>> = {
  string: 'string',
  boolean: 'bool',
  number: 'int64',
  bigint: 'int64',
};

// An unknown shape matches any type.
function isComparable(left: Shape | undefined, right: Shape | undefined): boolean {
  const [one, other] = [typeOf(left), typeOf(right)];
  if (one === undefined || other === undefined) return true;
  if (one !== other || one === 'struct') return false;
  return isComparable(left?.element, right?.element);
}

function typeOf(shape: Shape | undefined): string | undefined {
  switch (shape?.kind) {
    case 'string':
    case 'quantity':
      return 'string';
    case 'int32':
    case 'int64':
    case 'float64':
      return 'number';
    case 'any':
    case 'intorstring':
      return undefined;
    default:
      return shape?.kind;
  }
}
