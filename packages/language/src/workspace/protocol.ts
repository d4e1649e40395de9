import type { Position, Range } from '../text/text-lines.ts';

// The part of the Language Server Protocol that is used; values can be sent unchanged.

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
  /** The range to replace; empty to insert. */
  readonly range: Range;
  /** The new text. */
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
  /** The page about the code. */
  readonly codeDescription?: { readonly href: string };
  /** Who says it. */
  readonly source: 'kubeadmit';
  /** The message. */
  readonly message: string;
}

/** A change that mends a diagnostic. */
export interface CodeAction {
  /** The title in the menu. */
  readonly title: string;
  /** Whether it repairs something or writes it in another way. */
  readonly kind: 'quickfix' | 'refactor.rewrite';
  /** The diagnostics that it fixes. */
  readonly diagnostics?: readonly Diagnostic[];
  /** Whether it is the preferred choice. */
  readonly isPreferred?: boolean;
  /** The edits. */
  readonly edit: WorkspaceEdit;
}

/** The kind of a completion; the numbers are the protocol's. */
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
  /** The label in the list. */
  readonly label: string;
  /** The number of the protocol for its icon. */
  readonly kind: number;
  /** Its type or signature. */
  readonly detail?: string;
  /** The documentation. */
  readonly documentation?: MarkupContent;
  /** The sort key, if it differs from the label. */
  readonly sortText?: string;
  /** 1 for deprecated items. */
  readonly tags?: readonly number[];
  /** 1 for text, 2 for one with places to fill in. */
  readonly insertTextFormat: 1 | 2;
  /** The inserted text. */
  readonly textEdit: TextEdit;
}

/** The information about a position. */
export interface Hover {
  /** The text. */
  readonly contents: MarkupContent;
  /** The range that it describes. */
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
  /** The index of the overload that fits the arguments. */
  readonly activeSignature: number;
  /** The index of the parameter that is being written. */
  readonly activeParameter: number;
}

/** A note within a line. */
export interface InlayHint {
  /** Where it is shown. */
  readonly position: Position;
  /** The text. */
  readonly label: string;
  /** The tooltip. */
  readonly tooltip?: MarkupContent;
  /** Whether a blank precedes it. */
  readonly paddingLeft: boolean;
}

/** A part of a file with a name. */
export interface DocumentSymbol {
  /** Such as `validations[0]`. */
  readonly name: string;
  /** Additional text next to the name. */
  readonly detail?: string;
  /** The number of the protocol for its icon. */
  readonly kind: number;
  /** All of it. */
  readonly range: Range;
  /** The range that is selected when it is opened. */
  readonly selectionRange: Range;
  /** The symbols within it. */
  readonly children: readonly DocumentSymbol[];
}

/** Lines that can be folded. */
export interface FoldingRange {
  /** The line that stays, from 0 on. */
  readonly startLine: number;
  /** The last line that is hidden. */
  readonly endLine: number;
}
