import type { Position, Range } from './text/text-lines.ts';

// The shapes of the Language Server Protocol, as far as they are used: what is made here can be sent as it is.

export type { Position, Range };

/** A range of a file. */
export interface Location {
  readonly uri: string;
  readonly range: Range;
}

/** A replacement of a range. */
export interface TextEdit {
  readonly range: Range;
  readonly newText: string;
}

/** Edits by the file that they are for. */
export interface WorkspaceEdit {
  readonly changes: Readonly<Record<string, readonly TextEdit[]>>;
}

/** 1 error, 2 warning, 3 information. */
export type DiagnosticSeverity = 1 | 2 | 3;

/** Something that is wrong with a file. */
export interface Diagnostic {
  readonly range: Range;
  readonly severity: DiagnosticSeverity;
  readonly code: string;
  /** The page that tells of the code. */
  readonly codeDescription?: { readonly href: string };
  readonly source: 'kubeadmit';
  readonly message: string;
}

/** A change that mends a diagnostic. */
export interface CodeAction {
  readonly title: string;
  readonly kind: 'quickfix' | 'refactor.rewrite';
  readonly diagnostics?: readonly Diagnostic[];
  readonly isPreferred?: boolean;
  readonly edit: WorkspaceEdit;
}

/** What a completion is; the numbers are the protocol's. */
export const completionKinds = {
  method: 2,
  function: 3,
  field: 5,
  variable: 6,
  class: 7,
  property: 10,
  value: 12,
  enum: 13,
  keyword: 14,
  snippet: 15,
  reference: 18,
} as const;

/** Text in Markdown. */
export interface MarkupContent {
  readonly kind: 'markdown';
  readonly value: string;
}

/** One completion. */
export interface CompletionItem {
  readonly label: string;
  readonly kind: number;
  readonly detail?: string;
  readonly documentation?: MarkupContent;
  readonly sortText?: string;
  /** 1 for what is deprecated. */
  readonly tags?: readonly number[];
  /** 1 for text, 2 for one with places to fill in. */
  readonly insertTextFormat: 1 | 2;
  readonly textEdit: TextEdit;
}

/** What is shown of a place. */
export interface Hover {
  readonly contents: MarkupContent;
  readonly range: Range;
}

/** The signatures of the function whose arguments are being written. */
export interface SignatureHelp {
  readonly signatures: readonly {
    readonly label: string;
    readonly documentation?: MarkupContent;
    readonly parameters: readonly { readonly label: readonly [number, number] }[];
  }[];
  readonly activeSignature: number;
  readonly activeParameter: number;
}

/** A note within a line. */
export interface InlayHint {
  readonly position: Position;
  readonly label: string;
  readonly tooltip?: MarkupContent;
  readonly paddingLeft: boolean;
}

/** A part of a file with a name. */
export interface DocumentSymbol {
  readonly name: string;
  readonly detail?: string;
  readonly kind: number;
  readonly range: Range;
  readonly selectionRange: Range;
  readonly children: readonly DocumentSymbol[];
}

/** Lines that can be folded. */
export interface FoldingRange {
  readonly startLine: number;
  readonly endLine: number;
}
