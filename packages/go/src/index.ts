// The parts of Go's standard library whose behavior shows in answers.

// Texts: their code points, their bytes in UTF-8, their order, their quotes.
export { byteLength, codePointCount } from './text/code-points.ts';
export { compareText } from './text/compare.ts';
export { cutBytes } from './text/cut.ts';
export { decodeUtf8, encodeUtf8 } from './text/utf8.ts';
export { quote } from './quote/quote.ts';

// Numbers.
export { formatFloat64 } from './number/format-float.ts';
export { parseFloat64 } from './number/parse-float.ts';
export { parseInt64 } from './number/parse-integer.ts';

// Bytes as text.
export { decodeBase64, encodeBase64 } from './encoding/base64.ts';

// JSON.
export { formatJson } from './json/format-json.ts';
export { parseJson } from './json/parse-json.ts';
export { JsonError } from './json/syntax-error.ts';

// Values of any type.
export { formatValue } from './print/format-value.ts';

// Times and durations, to the nanosecond.
export type { Time } from './time/time.ts';
export { parseTime } from './time/parse-time.ts';
export { parseRfc3339 } from './time/parse-rfc3339.ts';
export { formatRfc3339, formatTime } from './time/format-time.ts';
export { formatDuration, parseDuration } from './time/duration.ts';

// Addresses and URLs.
export { parseAddress } from './network/address.ts';
export { parseUrl, Url } from './network/url.ts';

// Regular expressions.
export { compileRegex, Regex } from './regex/regex.ts';
