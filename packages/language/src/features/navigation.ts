export { formatExpression } from './format-expression.ts';
export { inlayHints } from './inlay-hints.ts';
export { definitionsAt, namedAt, renameAt } from './references.ts';
export { semanticTokens } from './semantic-tokens.ts';
export { documentSymbols, foldingRanges } from './symbols.ts';
