// What is loaded when something other than diagnostics is asked for the first time: in one piece, since the features
// share most of what they stand on, and many small pieces together are a fifth larger.
export { completeExpression } from './complete-expression.ts';
export { completeYaml } from './complete-yaml.ts';
export { inlayHints, valueAt } from './example-values.ts';
export { formatExpression } from './format-expression.ts';
export { hoverExpression } from './hover-expression.ts';
export { hoverYaml } from './hover-yaml.ts';
export { codeActions } from './quick-fixes.ts';
export { definitionsAt, namedAt, renameAt } from './references.ts';
export { semanticTokens } from './semantic-tokens.ts';
export { signatureHelp } from './signature-help.ts';
export { documentSymbols, foldingRanges } from './symbols.ts';
