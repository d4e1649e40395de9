// What only kubeadmit's other packages use of Go's standard library.

export { codePointsBefore, unitOffset } from './text/code-points.ts';
export { sortedKeys } from './text/compare.ts';
export { quoteCodePointInAscii } from './quote/quote.ts';
export { formatFloat32Plain } from './number/format-float.ts';
export { truncateToInt64 } from './number/parse-integer.ts';
export {
  type CivilTime,
  civilSeconds,
  civilTime,
  dayOfWeek,
  dayOfYear,
  daysInMonth,
} from './time/civil-time.ts';
