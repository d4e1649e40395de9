import type { Position, Range } from './text/text-lines.ts';

// The shapes of the Language Server Protocol, as far as they are used: what is made here can be sent as it is.

export type { Position, Range };

/** A range of a file. */
export interface Location {
  /** The document. */
  readonly uri: string;
  /** The place in it. */
  readonly range: Range;
}

/** A replacement of a range. */
export interface TextEdit {
  /** What is replaced; empty to insert. */
  readonly range: Range;
  /** What stands there then. */
  readonly newText: string;
}

/** Edits by the file that they are for. */
export interface WorkspaceEdit {
  /** By the URI of the document. */
  readonly changes: Readonly<Record<string, readonly TextEdit[]>>;
}

/** 1 error, 2 warning, 3 information. */
export type DiagnosticSeverity = 1 | 2 | 3;

/** Something that is wrong with a file. */
export interface Diagnostic {
  /** Where it is. */
  readonly range: Range;
  /** How bad it is. */
  readonly severity: DiagnosticSeverity;
  /** The code of the rule, which settings and comments name. */
  readonly code: string;
  /** The page that tells of the code. */
  readonly codeDescription?: { readonly href: string };
  /** Who says it. */
  readonly source: 'kubeadmit';
  /** What is wrong, in words. */
  readonly message: string;
}

/** A change that mends a diagnostic. */
export interface CodeAction {
  /** What people choose it by. */
  readonly title: string;
  /** Whether it repairs something or writes it in another way. */
  readonly kind: 'quickfix' | 'refactor.rewrite';
  /** What it repairs. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Whether it is what most people want. */
  readonly isPreferred?: boolean;
  /** What it changes. */
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
  /** How it is written. */
  readonly kind: 'markdown';
  /** The text. */
  readonly value: string;
}

/** One completion. */
export interface CompletionItem {
  /** What is offered. */
  readonly label: string;
  /** The number of the protocol for its icon. */
  readonly kind: number;
  /** Its type or signature. */
  readonly detail?: string;
  /** What is known of it. */
  readonly documentation?: MarkupContent;
  /** What it is sorted by, where that is not the label. */
  readonly sortText?: string;
  /** 1 for what is deprecated. */
  readonly tags?: readonly number[];
  /** 1 for text, 2 for one with places to fill in. */
  readonly insertTextFormat: 1 | 2;
  /** What is written. */
  readonly textEdit: TextEdit;
}

/** What is shown of a place. */
export interface Hover {
  /** What is shown. */
  readonly contents: MarkupContent;
  /** What it is about. */
  readonly range: Range;
}

/** The signatures of the function whose arguments are being written. */
export interface SignatureHelp {
  /** The forms of the function; places of parameters are offsets in the label. */
  readonly signatures: readonly {
    readonly label: string;
    readonly documentation?: MarkupContent;
    readonly parameters: readonly { readonly label: readonly [number, number] }[];
  }[];
  /** The index of the form that fits what is written. */
  readonly activeSignature: number;
  /** The index of the parameter that is being written. */
  readonly activeParameter: number;
}

/** A note within a line. */
export interface InlayHint {
  /** Where it is shown. */
  readonly position: Position;
  /** What is shown. */
  readonly label: string;
  /** What is shown over it. */
  readonly tooltip?: MarkupContent;
  /** Whether a blank stands before it. */
  readonly paddingLeft: boolean;
}

/** A part of a file with a name. */
export interface DocumentSymbol {
  /** Such as `validations[0]`. */
  readonly name: string;
  /** What is shown beside it. */
  readonly detail?: string;
  /** The number of the protocol for its icon. */
  readonly kind: number;
  /** All of it. */
  readonly range: Range;
  /** What is selected where one goes to it. */
  readonly selectionRange: Range;
  /** What is within it. */
  readonly children: readonly DocumentSymbol[];
}

/** Lines that can be folded. */
export interface FoldingRange {
  /** The line that stays, from 0 on. */
  readonly startLine: number;
  /** The last line that is hidden. */
  readonly endLine: number;
}
