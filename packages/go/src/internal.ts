// What only kubeadmit's other packages use of Go's standard library.

// Texts and numbers.
export { codePointsBefore, unitOffset } from './text/code-points.ts';
export { sortedKeys } from './text/compare.ts';
export { quoteCodePointInAscii } from './quote/quote.ts';
export { formatFloat32Plain } from './number/format-float.ts';
export { truncateToInt64 } from './number/parse-integer.ts';

export { joinPaths } from './text/path.ts';

// JSON, compressed bytes and ASN.1.
export { type JsonScan, scanJson } from './json/parse-json.ts';
export { sortMembers } from './json/sort-members.ts';
export { JsonFormError } from './json/format-json.ts';
export {
  type JsonPrefix,
  parseJsonPrefix,
  skipJsonSpace,
} from './json/json-reader.ts';
export { type GzipError, gunzip } from './encoding/gzip.ts';
export {
  type Asn1Element,
  Asn1Error,
  childrenOf,
  readElements,
  toIdentifier,
  toInteger,
  toText,
  toTime,
} from './encoding/asn1.ts';

// Times and durations.
export {
  type CivilTime,
  civilSeconds,
  civilTime,
  dayOfWeek,
  dayOfYear,
  daysInMonth,
} from './time/civil-time.ts';
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
export { splitHostPort } from './network/url-host.ts';

// Regular expressions, and what else is worth keeping.
export { NestingError, withinStack } from './limits/within-stack.ts';
export type { RegexMatch } from './regex/matches.ts';
export { recentRegex } from './regex/regex.ts';
export { lazily, memoize } from './memoize.ts';
