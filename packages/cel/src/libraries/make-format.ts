import { CelError, type Value } from '../values/value.ts';
import { applyFormat } from './format-string.ts';
import { type FormatClause, FormatProblem } from './format-verbs.ts';

/** The function `format`, given how a clause formats a value. */
export function makeFormat(
  formatValue: (value: Value, clause: FormatClause) => string,
  maximalPrecision?: number,
): (text: string, values: readonly Value[]) => Value {
  return (text, values) => {
    const outcome = applyFormat(text, {
      size: values.length,
      eager: true,
      maximalPrecision,
      format: (index, clause) => formatValue(values[index] ?? null, clause),
    });
    return outcome instanceof FormatProblem ? new CelError(outcome.message) : outcome.text;
  };
}
