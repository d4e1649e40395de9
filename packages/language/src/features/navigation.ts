export { formatExpressions } from './format-expression.ts';
export { inlayHints } from './inlay-hints.ts';
export { definitionsAt, referencesAt, renameAt, renamedAt } from './references.ts';
export { semanticTokens } from './semantic-tokens.ts';
export { documentSymbols, foldingRanges } from './symbols.ts';
