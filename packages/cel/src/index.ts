// Texts and numbers as Go reads and prints them.
export { daysInMonth } from './text/civil-time.ts';
export { codePointCount, compareCodePoints, utf8Length } from './text/code-points.ts';
export { doubleText } from './text/double-text.ts';
export { durationText, parseDuration } from './text/duration-text.ts';
export { parseDouble, parseInt64, parseUint64 } from './text/parse-number.ts';
export { quoteGo } from './text/quote.ts';
export { compileRegex, Regex, type RegexError, recentRegex } from './text/regex.ts';
export { parseTimestamp, timestampText } from './text/timestamp-text.ts';
export { decodeUtf8, decodeUtf8Leniently, encodeUtf8, quoteGoBytes } from './text/utf8.ts';
