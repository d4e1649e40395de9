import type { CallEstimate, CallPart } from './call-estimate.ts';
import { type Estimate, fixed, greatest, product, scaled, sum, unknownSize } from './estimates.ts';

const sortOverload = /^list_([\w.]+?)_(sort|sortByAssociatedKeys)$/;

/**
 * Returns cel-go's estimate for a call of its list and set extensions (cel-go, `ext/lists.go` and `ext/sets.go`),
 * or `undefined` for other calls.
 */
export function estimateListCall(
  overload: string,
  target: CallPart | undefined,
  parts: readonly CallPart[],
): CallEstimate | undefined {
  const [first, second] = parts;
  const size = target?.size ?? unknownSize;
  switch (overload) {
    case 'list_slice': {
      const length = integerOf(second, size.max) - integerOf(first, 0n);
      return made(1, fixed(BigInt.asUintN(64, length)));
    }
    case 'list_flatten':
      return made(1, size);
    case 'list_flatten_int':
      return made(Number(integerOf(first, greatest)), size);
    case 'lists_range':
      return made(1, fixed(integerOf(first, greatest)));
    case 'list_reverse':
      return made(1, size);
    case 'list_distinct':
      return made(2, product(size, size));
    case 'list_sets_contains_list':
    case 'list_sets_intersects_list':
      return compared(1, first, second);
    case 'list_sets_equivalent_list':
      return compared(2, first, second);
    default:
      break;
  }
  const [, type, kind] = sortOverload.exec(overload) ?? [];
  if (type === undefined) return undefined;
  const sorted = kind === 'sort' ? size : (first?.size ?? unknownSize);
  const factor = type === 'string' || type === 'bytes' ? 2.1 : 2;
  return made(factor, product(sorted, sorted));
}

function integerOf(part: CallPart | undefined, otherwise: bigint): bigint {
  const literal = part?.literal;
  if (literal === undefined) return otherwise;
  return literal < 0n ? 0n : literal;
}

function made(factor: number, size: Estimate): CallEstimate {
  return { cost: sum(scaled(size, factor), fixed(11)), size };
}

function compared(
  factor: number,
  left: CallPart | undefined,
  right: CallPart | undefined,
): CallEstimate {
  const pairs = product(left?.size ?? unknownSize, right?.size ?? unknownSize);
  return { cost: sum(scaled(pairs, factor), fixed(1)) };
}
