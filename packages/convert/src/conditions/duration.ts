import { parseDuration } from '@kubeadmit/go';
import { literal } from '../cel/literal.ts';
import { all, apply, call, relation, type Term } from '../cel/term.ts';
import { shapeOf, termOf, type Value } from '../jmespath/value.ts';
import { Unsupported } from '../notes/unsupported.ts';

/**
 * Whether a field is a duration in an order with a constant one; numbers are seconds
 * (`pkg/engine/variables/operator/duration.go`). Undefined if nothing of the field's type is.
 *
 * @throws Unsupported for fields that may be numbers or strings.
 */
export function durationTest(key: Value, order: string, given: unknown): Term | undefined {
  const limit = nanosecondsOf(given);
  if (limit === undefined || key.kind === 'projection') return undefined;
  const term = termOf(key);
  switch (shapeOf(key)?.kind) {
    case 'int32':
    case 'int64':
      return limit % second === 0n
        ? relation(term, order, literal(limit / second))
        : relation(apply('double', term), order, literal(Number(limit) / 1e9));
    case undefined:
    case 'any':
    case 'string':
    case 'quantity': {
      const text = typeof given === 'string' ? given : `${limit / second}s`;
      const isDuration = call(term, 'matches', literal(durationPattern));
      const compared = relation(apply('duration', term), order, apply('duration', literal(text)));
      return all([isDuration, compared]);
    }
    case 'float64':
    case 'intorstring':
      throw new Unsupported('a field that may be a number or a string is compared as a duration');
    default:
      return undefined;
  }
}

/**
 * Whether a duration of CEL is in an order with a constant one.
 *
 * @throws Unsupported for other comparisons, since Kyverno has it as a string.
 */
export function elapsedTest(term: Term, order: string | undefined, value: Value): Term {
  const text = value.kind === 'literal' ? value.value : undefined;
  if (order === undefined || typeof text !== 'string' || nanosecondsOf(text) === undefined) {
    throw new Unsupported(
      'a duration is compared with something else',
      'compare it with a duration by `GreaterThan` or `LessThan`',
    );
  }
  return relation(term, order, apply('duration', literal(text)));
}

const second = 1_000_000_000n;

// The syntax of Go's ParseDuration.
const durationPattern = '^[+-]?(0|((\\d+[.]?\\d*|[.]\\d+)(ns|us|µs|ms|s|m|h))+)$';

function nanosecondsOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value * second;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? BigInt(Math.trunc(value)) * second : undefined;
  }
  const parsed = typeof value === 'string' ? parseDuration(value) : undefined;
  return typeof parsed === 'bigint' ? parsed : undefined;
}
