// The parts of Go's standard library whose behavior shows in answers.

// Texts: their code points, their bytes in UTF-8, their order, their quotes.
export {
  byteLength,
  codePointCount,
  compareText,
  cutBytes,
  decodeUtf8,
  encodeUtf8,
  quote,
} from './checked/texts.ts';

// Numbers.
export { formatFloat64, parseFloat64, parseInt64 } from './checked/numbers.ts';

// Bytes as text.
export { decodeBase64, encodeBase64 } from './checked/bytes.ts';

// JSON.
export { formatJson, parseJson } from './checked/json.ts';
export { JsonError } from './json/syntax-error.ts';

// Values of any type.
export { formatValue } from './print/format-value.ts';

// Times and durations, to the nanosecond.
export type { Time } from './time/time.ts';
export { parseTime } from './time/parse-time.ts';
export {
  formatDuration,
  formatRfc3339,
  formatTime,
  parseDuration,
  parseRfc3339,
} from './checked/times.ts';

// Addresses and URLs.
export { parseAddress } from './network/address.ts';
export { parseUrl, Url } from './network/url.ts';

// Regular expressions.
export { compileRegex, Regex } from './regex/regex.ts';
