import { Failure } from './failure.ts';
import { Items } from './items.ts';

/** The elements of a list, or undefined for anything else. */
export function elementsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof Items ? value.list : undefined;
}

/** Whether JMESPath treats a value as false: null, false, and empty values. */
export function isFalse(value: unknown): boolean {
  if (value === null || value === false || value === '') return true;
  if (typeof value !== 'object') return false;
  const elements = elementsOf(value);
  if (elements !== undefined) return elements.length === 0;
  return (
    Object.getPrototypeOf(value) === Object.prototype && Object.keys(value as object).length === 0
  );
}

/** The elements from start to stop in steps, as Python counts them. */
export function computeSlice(
  elements: readonly unknown[],
  [startPart, stopPart, stepPart]: readonly (number | undefined)[],
): unknown[] | Failure {
  const step = stepPart ?? 1;
  if (step === 0) return new Failure('Invalid slice, step cannot be 0');
  const length = elements.length;
  const start =
    startPart === undefined ? (step < 0 ? length - 1 : 0) : cap(length, startPart, step);
  const stop = stopPart === undefined ? (step < 0 ? -1 : length) : cap(length, stopPart, step);
  const slice: unknown[] = [];
  if (step > 0) for (let at = start; at < stop; at += step) slice.push(elements[at]);
  else for (let at = start; at > stop; at += step) slice.push(elements[at]);
  return slice;
}

function cap(length: number, part: number, step: number): number {
  if (part < 0) {
    const fromEnd = part + length;
    return fromEnd < 0 ? (step < 0 ? -1 : 0) : fromEnd;
  }
  return part < length ? part : step < 0 ? length - 1 : length;
}
