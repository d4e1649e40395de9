// Shared with other packages of kubeadmit; unstable.

// Strings and numbers, bytes and times: the functions that the index exports with argument checks.
export { byteLength, codePointCount } from './text/code-points.ts';
export { compareText } from './text/compare.ts';
export { cut, cutBytes } from './text/cut.ts';
export { decodeUtf8, encodeUtf8 } from './text/utf8.ts';
export { quote } from './quote/quote.ts';
export { parseInt64 } from './number/parse-integer.ts';
export { parseFloat64 } from './number/parse-float.ts';
export { formatFloat64 } from './number/format-float.ts';
export { decodeBase64, encodeBase64 } from './encoding/base64.ts';
export { formatJson } from './json/format-json.ts';
export { parseJson } from './json/parse-json.ts';
export { parseRfc3339 } from './time/parse-rfc3339.ts';
export { formatRfc3339, formatTime } from './time/format-time.ts';
export { formatDuration, parseDuration } from './time/duration.ts';

// Texts and numbers.
export { codePointsBefore, unitOffset } from './text/code-points.ts';
export { sortedKeys } from './text/compare.ts';
export { quoteCodePointInAscii } from './quote/quote.ts';
export { formatFloat32Plain } from './number/format-float.ts';
export { truncateToInt64 } from './number/parse-integer.ts';
export { roundFloat64 } from './number/round.ts';

export { joinPaths } from './text/path.ts';

// JSON, YAML, compressed bytes and ASN.1.
export { allowedAliasRatio } from './yaml/reader/decode.ts';
export { deepestYaml, type YamlNode } from './yaml/reader/compose.ts';
export { findYamlProblem, readYaml } from './yaml/reader/read-yaml.ts';
export { readYamlStream } from './yaml/reader/read-stream.ts';
export {
  isTimestamp as isYamlTimestamp,
  resolveScalar as resolveYamlScalar,
} from './yaml/resolve-scalar.ts';
export { keyText as yamlKeyText, yamlJson } from './yaml/yaml-json.ts';
export { quoteByte } from './json/syntax-error.ts';
export { type JsonScan, scanJson } from './json/parse-json.ts';
export { jsonTypeOf } from './json/json-type.ts';
export { escapePointerSegment, unescapePointerSegment } from './json/pointer-segment.ts';
export { sortMembers } from './json/sort-members.ts';
export { JsonFormError } from './json/format-json.ts';
export { parseJsonPrefix, skipJsonSpace } from './json/json-reader.ts';
export { gunzip } from './encoding/gzip.ts';
export { concatenateBytes } from './encoding/concatenate-bytes.ts';
export { binaryText } from './encoding/binary-text.ts';
export {
  areSmall,
  type DerElement,
  DerReader,
  derTags,
  type IdentifierArc,
  identifierArcs,
  rightAligned,
} from './encoding/der.ts';

// Times and durations.
export { type CivilTime, civilTime, dayOfWeek, dayOfYear, daysInMonth } from './time/civil-time.ts';
export { timeSyntax } from './time/time-syntax.ts';
export {
  addToTime,
  isZeroTime,
  subtractTimes,
  timeFromMilliseconds,
  truncateTime,
} from './time/time.ts';
export { formatSeconds } from './time/format-time.ts';
export { durationIn, durationSeconds } from './time/duration.ts';

// Addresses and URLs.
export {
  isGlobalUnicast,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isMappedIpv4,
  isUnspecified,
} from './network/address.ts';
export { maskPrefix, prefixContainsAddress, prefixContainsPrefix } from './network/prefix.ts';
export { parseReference, requestUriError } from './network/url.ts';
export { unescapePath } from './network/url-escape.ts';

// Regular expressions, and other memoized values.
export { NestingError, withinStack } from './limits/within-stack.ts';
export { SetMatcher } from './regex/match-set.ts';
export { parseRegex } from './regex/parse-regex.ts';
export { type RegexNode, RegexSyntaxError } from './regex/syntax.ts';
export { compileFinder, recentFinder, RegexFinder } from './regex/regex-finder.ts';
export { recentRegex } from './regex/regex.ts';
export { recentTester } from './regex/regex-tester.ts';
export { search } from './sort/search.ts';

// Functions that are not in the index.
export { decodeUtf8Leniently } from './text/utf8.ts';
export { trimLeft, trimRight } from './text/trim.ts';
export { trimSpace } from './text/white-space.ts';
export { quoteBytes } from './quote/quote.ts';
export { type NumberProblem, parseUint64 } from './number/parse-integer.ts';
export {
  formatFloat64Fixed,
  formatFloat64Plain,
  formatFloat64Scientific,
} from './number/format-float.ts';
export { type JsonFormat, quoteJson, stringifyJson } from './json/format-json.ts';
export type { JsonNumbers, JsonOptions } from './json/json-reader.ts';
export { readJson } from './json/parse-json.ts';
export { deepEqual } from './reflect/deep-equal.ts';
export { formatComposite, formatType } from './print/format-value.ts';
export type { TimeError } from './time/parse-time.ts';
export { loadLocation, type ZoneError, type ZoneOffset } from './time/location.ts';
export { type Address, formatAddress } from './network/address.ts';
export { formatPrefix, type Prefix, parsePrefix } from './network/prefix.ts';
