import {
  addQuantities,
  approximateQuantity,
  divideQuantity,
  formatQuantity,
  multiplyQuantity,
  type Quantity,
  quantityOf,
  subtractQuantities,
} from '@kubeadmit/apimachinery/quantity';
import {
  durationSeconds,
  formatDuration,
  formatFloat64,
  roundFloat64,
  truncateToInt64,
} from '@kubeadmit/go';
import { durationOf } from '../../patterns/durations.ts';
import { Failure } from '../steps/failure.ts';
import type { FunctionEntry } from '../steps/step.ts';
import { define } from './define.ts';
import { functionFailure } from './errors.ts';

/** Kubernetes' message for an invalid quantity. */
const notAQuantity =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

type Operand =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'quantity'; readonly value: Quantity }
  | { readonly kind: 'duration'; readonly value: bigint };

type Operation = (left: Operand, right: Operand, name: string) => unknown;

/** Kyverno's functions that calculate with numbers, quantities and durations. */
export const arithmeticFunctions: ReadonlyMap<string, FunctionEntry> = new Map([
  ...Object.entries({ add, subtract, multiply, divide, modulo }).map(([name, operation]) =>
    define(name, ['any', 'any'], (left, right) => calculate(name, operation, left, right)),
  ),
  define('sum', ['array'], sum),
  define('round', ['number', 'number'], round),
]);

function calculate(name: string, operation: Operation, left: unknown, right: unknown): unknown {
  const leftOperand = readOperand(left);
  const rightOperand = leftOperand && readOperand(right);
  if (leftOperand === undefined || rightOperand === undefined) {
    return functionFailure(name, 'invalid operand');
  }
  return operation(leftOperand, rightOperand, name);
}

/** A string is a quantity where it can be one, else a duration. */
function readOperand(value: unknown): Operand | undefined {
  if (typeof value === 'number') return { kind: 'number', value };
  if (typeof value !== 'string') return undefined;
  const quantity = quantityOf(value);
  if (quantity !== undefined) return { kind: 'quantity', value: quantity };
  const duration = durationOf(value);
  return duration === undefined ? undefined : { kind: 'duration', value: duration };
}

function mismatch(name: string): Failure {
  return functionFailure(name, 'Types mismatch');
}

function zeroDivisor(name: string): Failure {
  return functionFailure(name, 'Zero divisor passed');
}

function add(left: Operand, right: Operand, name: string): unknown {
  return combine(left, right, name, addQuantities, 1);
}

function subtract(left: Operand, right: Operand, name: string): unknown {
  return combine(left, right, name, subtractQuantities, -1);
}

function combine(
  left: Operand,
  right: Operand,
  name: string,
  quantities: typeof addQuantities,
  sign: 1 | -1,
): unknown {
  if (left.kind === 'number' && right.kind === 'number') return left.value + sign * right.value;
  if (left.kind === 'duration' && right.kind === 'duration') {
    return formatDuration(BigInt.asIntN(64, left.value + BigInt(sign) * right.value));
  }
  if (left.kind !== 'quantity' || right.kind !== 'quantity') return mismatch(name);
  const result = quantities(left.value, right.value);
  return result === undefined ? functionFailure(name, 'invalid operand') : formatQuantity(result);
}

function multiply(left: Operand, right: Operand, name: string): unknown {
  if (right.kind !== 'number') {
    return left.kind === 'number' ? multiply(right, left, name) : mismatch(name);
  }
  if (left.kind === 'number') return left.value * right.value;
  if (left.kind === 'duration') {
    return formatDuration(truncateToInt64(durationSeconds(left.value) * right.value * 1e9));
  }
  const factor = quantityOf(formatFloat64(right.value));
  if (factor === undefined) return new Failure(notAQuantity);
  return formatQuantity(multiplyQuantity(left.value, factor));
}

function divide(left: Operand, right: Operand, name: string): unknown {
  if (right.kind === 'number') return divideByNumber(left, right.value, name);
  if (left.kind === 'quantity' && right.kind === 'quantity') {
    const divisor = approximateQuantity(right.value);
    return divisor === 0 ? zeroDivisor(name) : approximateQuantity(left.value) / divisor;
  }
  if (left.kind !== 'duration' || right.kind !== 'duration') return mismatch(name);
  const divisor = durationSeconds(right.value);
  return divisor === 0 ? zeroDivisor(name) : durationSeconds(left.value) / divisor;
}

function divideByNumber(left: Operand, right: number, name: string): unknown {
  if (right === 0) return zeroDivisor(name);
  if (left.kind === 'number') return left.value / right;
  if (left.kind === 'duration')
    return formatDuration(truncateToInt64((durationSeconds(left.value) / right) * 1e9));
  const divisor = quantityOf(formatFloat64(right));
  if (divisor === undefined) return new Failure(notAQuantity);
  return formatQuantity(divideQuantity(left.value, divisor));
}

function modulo(left: Operand, right: Operand, name: string): unknown {
  if (left.kind === 'duration' && right.kind === 'duration') {
    return right.value === 0n ? zeroDivisor(name) : formatDuration(left.value % right.value);
  }
  if (left.kind === 'number' && right.kind === 'number') {
    const rest = wholeRest(left.value, right.value, name);
    return typeof rest === 'bigint' ? Number(rest) : rest;
  }
  if (left.kind !== 'quantity' || right.kind !== 'quantity') return mismatch(name);
  const rest = wholeRest(approximateQuantity(left.value), approximateQuantity(right.value), name);
  if (typeof rest !== 'bigint') return rest;
  return formatQuantity({
    unscaled: rest,
    exponent: 0,
    big: false,
    format: left.value.format,
  });
}

function wholeRest(left: number, right: number, name: string): bigint | Failure {
  const [a, b] = [truncateToInt64(left), truncateToInt64(right)];
  if (Number(a) !== left || Number(b) !== right) {
    return functionFailure(name, 'Non-integer argument(s) passed for modulo');
  }
  return b === 0n ? zeroDivisor(name) : a % b;
}

function sum(list: unknown): unknown {
  if (!Array.isArray(list)) return mismatch('sum');
  if (list.length === 0) {
    return functionFailure('sum', 'at least one element in the array is required');
  }
  let total: unknown = list[0];
  for (const item of list.slice(1)) {
    total = calculate('sum', add, total, item);
    if (total instanceof Failure) return total;
  }
  return total;
}

function round(value: number, places: number): unknown {
  if (!Number.isInteger(places) || Math.abs(places) >= 2 ** 63) {
    return functionFailure('round', 'Non-integer argument(s) passed for round off');
  }
  if (places < 0) {
    return functionFailure('round', '%!d(MISSING) argument is out of bounds (%!d(MISSING))');
  }
  const shift = powerOfTen(places);
  return roundFloat64(value * shift) / shift;
}

/** Ten to the power of a whole number, with the last digits of Go's `math.Pow`. */
function powerOfTen(exponent: number): number {
  let factor = 10 / 16;
  let factorShift = 4;
  let result = 1;
  let shift = 0;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (factorShift > 4096) return Number.POSITIVE_INFINITY;
    if (left % 2 === 1) {
      result *= factor;
      shift += factorShift;
    }
    factor *= factor;
    factorShift *= 2;
    if (factor < 0.5) {
      factor *= 2;
      factorShift -= 1;
    }
  }
  return result * 2 ** Math.min(shift, 1000) * 2 ** Math.max(shift - 1000, 0);
}
