// What Go's standard library says, where it shows in answers.

// Texts: their code points, their bytes in UTF-8, their order, their quotes.
export { byteLength, codePointCount } from './text/code-points.ts';
export { compareText } from './text/compare.ts';
export { cutBytes } from './text/cut.ts';
export { decodeUtf8, decodeUtf8Leniently, encodeUtf8 } from './text/utf8.ts';
export { trimSpace } from './text/white-space.ts';
export { quote, quoteBytes } from './quote/quote.ts';

// Numbers.
export { type NumberProblem, parseInt64, parseUint64 } from './number/parse-integer.ts';
export { parseFloat64 } from './number/parse-float.ts';
export {
  formatFloat64,
  formatFloat64Fixed,
  formatFloat64Plain,
  formatFloat64Scientific,
} from './number/format-float.ts';

// Bytes as text.
export {
  type Base64Error,
  type Base64Options,
  decodeBase64,
  encodeBase64,
} from './encoding/base64.ts';

// JSON.
export { formatJson, type JsonFormat, quoteJson, stringifyJson } from './json/format-json.ts';
export type { JsonNumbers, JsonOptions } from './json/json-reader.ts';
export { isPlainObject } from './json/plain-object.ts';
export { type JsonReading, parseJson, readJson } from './json/parse-json.ts';
export { setKey } from './json/set-key.ts';
export { JsonError } from './json/syntax-error.ts';

// Values of any type.
export { deepEqual } from './reflect/deep-equal.ts';
export { formatType, formatValue } from './print/format-value.ts';

// Times and durations, to the nanosecond.
export type { Time } from './time/time.ts';
export { parseRfc3339 } from './time/parse-rfc3339.ts';
export { parseTime, type TimeError } from './time/parse-time.ts';
export { formatRfc3339, formatTime, type Rfc3339Options } from './time/format-time.ts';
export { loadLocation, type ZoneError, type ZoneOffset } from './time/location.ts';
export { type DurationError, formatDuration, parseDuration } from './time/duration.ts';

// Addresses and URLs.
export { type Address, type AddressError, formatAddress, parseAddress } from './network/address.ts';
export { formatPrefix, type Prefix, parsePrefix } from './network/prefix.ts';
export { parseUrl, Url } from './network/url.ts';
export type { UrlError } from './network/url-escape.ts';

// Regular expressions.
export { compileRegex, Regex, type RegexError } from './regex/regex.ts';
