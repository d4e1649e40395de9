import type { FunctionImplementation } from '../declarations/function-declaration.ts';
import type { CallCost } from '../declarations/library.ts';
import { textTests } from '../standard/functions.ts';
import { type Evaluate, errorOf } from './frame.ts';
import type { Operand } from './operator.ts';

/**
 * Plans `text.contains('a')`, `startsWith` and `endsWith` with a part that is known; `undefined`
 * where `evaluate` is the implementation of something else.
 */
export function planTextTest(
  evaluate: FunctionImplementation,
  { evaluate: first, path }: Operand,
  part: string,
  cost: CallCost,
): Evaluate | undefined {
  const test = textTests.get(evaluate);
  if (test === undefined) return undefined;
  return (frame) => {
    const text = path === undefined ? first(frame) : path.read(frame);
    const result =
      typeof text !== 'string'
        ? errorOf(text)
        : test === 'contains'
          ? text.includes(part)
          : test === 'startsWith'
            ? text.startsWith(part)
            : text.endsWith(part);
    frame.charge(typeof cost === 'number' ? cost : cost(result, text, part));
    return result;
  };
}
