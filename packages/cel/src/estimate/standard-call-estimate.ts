import type { CallEstimate, CallPart } from './call-estimate.ts';
import { type Estimate, fixed, lesser, product, scaled, sum, unknownSize } from './estimates.ts';

const traversal = 0.1;
const regexFactor = 0.25;

/**
 * Returns cel-go's estimate for a call of a standard function, without the costs of its arguments (cel-go,
 * `checker.coster.functionCost`).
 */
export function estimateStandardCall(
  overload: string,
  target: CallPart | undefined,
  parts: readonly CallPart[],
): CallEstimate {
  const sizeAt = (index: number): Estimate => parts[index]?.size ?? unknownSize;
  const targetSize = target?.size ?? unknownSize;
  switch (overload) {
    case 'string_format':
      return { cost: scaled(targetSize, traversal) };
    case 'string_to_bytes': {
      const { min, max } = sizeAt(0);
      const size = { min, max: BigInt.asUintN(64, max * 4n) };
      return { cost: scaled(sizeAt(0), traversal), size };
    }
    case 'bytes_to_string': {
      const { min, max } = sizeAt(0);
      return { cost: scaled(sizeAt(0), traversal), size: { min: min / 4n, max } };
    }
    case 'strings_quote': {
      const { min, max } = sizeAt(0);
      const size = { min: min + 2n, max: BigInt.asUintN(64, max * 2n + 2n) };
      return { cost: scaled(sizeAt(0), traversal), size };
    }
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: scaled(sizeAt(0), traversal) };
    case 'in_list':
      return { cost: scaled(sizeAt(1), 1) };
    case 'matches':
    case 'matches_string': {
      const [text, pattern] = target ? [targetSize, sizeAt(0)] : [sizeAt(0), sizeAt(1)];
      const textCost = scaled(sum(text, fixed(1)), traversal);
      return { cost: product(textCost, scaled(pattern, regexFactor)) };
    }
    case 'contains_string':
      return { cost: product(scaled(targetSize, traversal), scaled(sizeAt(0), traversal)) };
    case 'add_string':
    case 'add_bytes':
    case 'add_list': {
      const size = sum(sizeAt(0), sizeAt(1));
      return { cost: overload === 'add_list' ? fixed(1) : scaled(size, traversal), size };
    }
    default:
      return { cost: isComparison(overload) ? comparison(sizeAt(0), sizeAt(1)) : fixed(1) };
  }
}

const comparisons = /^(?:less|greater)(?:_equals)?_(?:string|bytes)$/;

function isComparison(id: string): boolean {
  return id === 'equals' || id === 'not_equals' || comparisons.test(id);
}

function comparison(left: Estimate, right: Estimate): Estimate {
  const max = lesser(left.max, right.max);
  return scaled({ min: max > 0n ? 1n : 0n, max }, traversal);
}
