import { type Manifest, readManifests, Source } from '@kubeadmit/manifest';
import { itemsOf, nodeAt, type OutlineNode, type ScalarNode } from '../yaml/nodes.ts';
import { outlineOf } from '../yaml/outline.ts';
import { ScalarText } from '../yaml/scalar-text.ts';

type Problems = ReturnType<typeof readManifests>['problems'];

/** One YAML document of a file, or a complete file of JSON, with its parsed content. */
export class Part {
  readonly text: string;
  /** Its places are those in the document, not in the file. */
  readonly source: Source;
  /** Where it begins in the file, and in which line from 0. */
  start: number;
  startLine: number;
  #outline: { readonly node: OutlineNode | undefined } | undefined;
  #read: { readonly manifests: readonly Manifest[]; readonly problems: Problems } | undefined;
  readonly #scalars: Map<ScalarNode, ScalarText> = new Map();
  /** Results that features derived from the text alone. */
  readonly memory: Map<symbol, unknown> = new Map();

  constructor(name: string, text: string, start: number, startLine: number) {
    this.text = text;
    this.source = new Source(name, text);
    this.start = start;
    this.startLine = startLine;
  }

  /** Puts it to another place of its file. */
  move(start: number, startLine: number): void {
    this.start = start;
    this.startLine = startLine;
  }

  /** The recognizable structure of the document, which may contain syntax errors. */
  get outline(): OutlineNode | undefined {
    this.#outline ??= { node: outlineOf(this.text) };
    return this.#outline.node;
  }

  /** Whether `read` has its answer ready. */
  get isRead(): boolean {
    return this.#read !== undefined;
  }

  /** The objects in it, and why there are none. */
  read(): { readonly manifests: readonly Manifest[]; readonly problems: Problems } {
    this.#read ??= readManifests(this.source);
    return this.#read;
  }

  /** The value of a scalar of the outline. */
  scalar(node: ScalarNode): ScalarText {
    const known = this.#scalars.get(node) ?? new ScalarText(this.text, node);
    this.#scalars.set(node, known);
    return known;
  }

  /** The value of a node where it is a scalar. */
  textOf(node: OutlineNode | undefined): string | undefined {
    return node?.kind === 'scalar' ? this.scalar(node).value : undefined;
  }

  /** The value of the scalar at a path; empty where there is none. */
  textAt(node: OutlineNode | undefined, ...path: readonly (string | number)[]): string {
    return this.textOf(nodeAt(node, ...path)) ?? '';
  }

  /** The values of the scalars of a list. */
  textsOf(node: OutlineNode | undefined): readonly string[] {
    return itemsOf(node).flatMap((item) => this.textOf(item) ?? []);
  }
}

/** The texts of the documents of a file, each with the line of dashes before it. */
export function splitParts(text: string): readonly string[] {
  if (/^\ufeff?\s*\{/.test(text)) return [text];
  const starts = [0];
  for (const match of text.matchAll(/^---.*(?:\n|$)/gm)) {
    if (match.index > 0) starts.push(match.index);
    if (match.index + match[0].length >= text.length) break;
  }
  return starts.map((start, i) => text.slice(start, starts[i + 1]));
}
