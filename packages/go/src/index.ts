// The parts of Go's standard library whose behavior shows in answers. Comments name Go's packages.

// strings, sort, unicode/utf8: code points, bytes in UTF-8, order, white space.
export { byteLength, codePointCount } from './text/code-points.ts';
export { compareText, sortedKeys } from './text/compare.ts';
export { cut, cutBytes } from './text/cut.ts';
export { trimLeft, trimRight } from './text/trim.ts';
export { trimSpace } from './text/white-space.ts';
export { decodeUtf8, decodeUtf8Leniently, encodeUtf8 } from './text/utf8.ts';
export { search } from './sort/search.ts';

// path: joined paths.
export { joinPaths } from './text/path.ts';

// strconv and math: quotes and numbers.
export { quote, quoteBytes, quoteCodePointInAscii } from './quote/quote.ts';
export {
  formatFloat32Plain,
  formatFloat64,
  formatFloat64Fixed,
  formatFloat64Plain,
  formatFloat64Scientific,
} from './number/format-float.ts';
export { parseFloat64 } from './number/parse-float.ts';
export {
  type NumberProblem,
  parseInt64,
  parseUint64,
  truncateToInt64,
} from './number/parse-integer.ts';
export { roundFloat64 } from './number/round.ts';

// fmt and reflect: values of any type.
export { formatComposite, formatType, formatValue } from './print/format-value.ts';
export { deepEqual } from './reflect/deep-equal.ts';

// encoding/base64, encoding/asn1, compress/gzip, bytes.
export { decodeBase64, encodeBase64 } from './encoding/base64.ts';
export { binaryText } from './encoding/binary-text.ts';
export { concatenateBytes } from './encoding/concatenate-bytes.ts';
export {
  type DerElement,
  DerReader,
  derTags,
  type IdentifierArc,
  identifierArcs,
} from './encoding/der.ts';
export { gunzip } from './encoding/gzip.ts';

// encoding/json, and pointers into JSON (RFC 6901).
export {
  formatJson,
  JsonFormError,
  type JsonFormat,
  quoteJson,
  stringifyJson,
} from './json/format-json.ts';
export type { JsonNumbers, JsonOptions } from './json/json-reader.ts';
export { jsonTypeOf } from './json/json-type.ts';
export { parseJson, readJson } from './json/parse-json.ts';
export { escapePointerSegment, unescapePointerSegment } from './json/pointer-segment.ts';
export { sortMembers } from './json/sort-members.ts';
export { JsonError } from './json/syntax-error.ts';

// gopkg.in/yaml.v2 and sigs.k8s.io/yaml.
export { readYamlStream } from './yaml/reader/read-stream.ts';
export { readYaml } from './yaml/reader/read-yaml.ts';
export {
  isTimestamp as isYamlTimestamp,
  resolveScalar as resolveYamlScalar,
} from './yaml/resolve-scalar.ts';
export { yamlJson } from './yaml/yaml-json.ts';

// time: times and durations, to the nanosecond.
export { type CivilTime, civilTime, dayOfWeek, dayOfYear, daysInMonth } from './time/civil-time.ts';
export { durationIn, durationSeconds, formatDuration, parseDuration } from './time/duration.ts';
export { formatRfc3339, formatSeconds, formatTime } from './time/format-time.ts';
export { loadLocation, type ZoneError, type ZoneOffset } from './time/location.ts';
export { parseRfc3339 } from './time/parse-rfc3339.ts';
export { parseTime, type TimeError } from './time/parse-time.ts';
export {
  addToTime,
  isZeroTime,
  subtractTimes,
  type Time,
  timeFromMilliseconds,
  truncateTime,
} from './time/time.ts';
export { timeSyntax } from './time/time-syntax.ts';

// net/netip: addresses and prefixes.
export {
  type Address,
  formatAddress,
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMappedIpv4,
  isUnspecified,
  parseAddress,
} from './network/address.ts';
export {
  formatPrefix,
  maskPrefix,
  parsePrefix,
  type Prefix,
  prefixContainsAddress,
  prefixContainsPrefix,
} from './network/prefix.ts';

// net/url.
export { parseReference, parseUrl, requestUriError, Url } from './network/url.ts';
export { unescapePath } from './network/url-escape.ts';

// regexp: regular expressions in linear time.
export { compileRegex, Regex } from './regex/regex.ts';
