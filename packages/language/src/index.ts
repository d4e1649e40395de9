// Answers to editors about files with policies.
export {
  createLanguageService,
  type LanguageService,
  type LanguageServiceOptions,
} from './language-service.ts';
export { RenameError } from './features/rename-error.ts';
export { tokenTypes } from './features/token-types.ts';
export type { JsonSchema } from './fields/json-schema-types.ts';
// Answers, in the shapes of the Language Server Protocol.
export type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  DiagnosticSeverity,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  MarkupContent,
  Position,
  Range,
  SignatureHelp,
  TextEdit,
  WorkspaceEdit,
} from './workspace/protocol.ts';
