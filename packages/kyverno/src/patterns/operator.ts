/** How a string of a pattern compares: the empty operator is equality. */
export type PatternOperator = '' | '>=' | '<=' | '>' | '<' | '!' | '-' | '!-';

const end = '([-|+]?\\d+(?:\\.\\d+)?[A-Za-z]*)';
const insideRange = new RegExp(`^${end}-${end}$`);
const outsideRange = new RegExp(`^${end}!-${end}$`);

/** The operator of a string of a pattern. */
export function operatorOf(pattern: string): PatternOperator {
  if (pattern.length < 2) return '';
  const first = pattern[0];
  if (first === '>') return pattern[1] === '=' ? '>=' : '>';
  if (first === '<') return pattern[1] === '=' ? '<=' : '<';
  if (first === '!') return '!';
  if (!pattern.includes('-')) return '';
  if (outsideRange.test(pattern)) return '!-';
  return insideRange.test(pattern) ? '-' : '';
}

/** The ends of a range such as `1-10` or `1!-10`. */
export function rangeEnds(pattern: string, operator: '-' | '!-'): readonly [string, string] {
  const [, low = '', high = ''] =
    (operator === '-' ? insideRange : outsideRange).exec(pattern) ?? [];
  return [low, high];
}
