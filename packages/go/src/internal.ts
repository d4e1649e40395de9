// Shared with other packages of kubeadmit; unstable. Go has none of these, or hides them.

// Limits of nesting and size.
export { NestingError, withinStack } from './limits/within-stack.ts';
export { allowedAliasRatio } from './yaml/reader/decode.ts';
export { deepestYaml, type YamlNode } from './yaml/reader/compose.ts';

// Readers of parts of a text.
export { codePointsBefore, unitOffset } from './text/code-points.ts';
export { findYamlProblem } from './yaml/reader/read-yaml.ts';
export { keyText as yamlKeyText } from './yaml/yaml-json.ts';
export { parseJsonPrefix, skipJsonSpace } from './json/json-reader.ts';
export { type JsonScan, scanJson } from './json/parse-json.ts';
export { quoteByte } from './json/syntax-error.ts';
export { areSmall, rightAligned } from './encoding/der.ts';

// Patterns as trees.
export { parseRegex } from './regex/parse-regex.ts';
export { type RegexNode, RegexSyntaxError } from './regex/syntax.ts';

// Compiled patterns that are kept, and searches for several patterns.
export { compileFinder, recentFinder, RegexFinder } from './regex/regex-finder.ts';
export { recentRegex } from './regex/regex.ts';
export { recentTester } from './regex/regex-tester.ts';
export { SetMatcher } from './regex/match-set.ts';
