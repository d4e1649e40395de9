import { type GivenManifest, type Inputs, sortInputs } from '@kubeadmit/lint';
import { definitionsOf, type Schemas, withDefinitions } from './definitions.ts';
import type { Part } from './part.ts';
import { TextDocument } from './text-document.ts';

/** A part with the file that it belongs to. */
export interface Located {
  readonly document: TextDocument;
  readonly part: Part;
}

/** All files that are known, and the kinds of the server with those of the definitions among them. */
export class Workspace {
  readonly #base: Schemas;
  readonly #documents: Map<string, TextDocument> = new Map();
  #definitions: readonly string[] = [];
  #schemas: Schemas;
  /** Grows with every change. */
  revision = 0;

  constructor(schemas: Schemas) {
    this.#base = schemas;
    this.#schemas = schemas;
  }

  get documents(): Iterable<TextDocument> {
    return this.#documents.values();
  }

  document(uri: string): TextDocument | undefined {
    return this.#documents.get(uri);
  }

  /** Takes the text of a file, new or changed. */
  set(uri: string, name: string, text: string): void {
    const before = this.#documents.get(uri);
    if (before?.text === text) return;
    this.#documents.set(uri, new TextDocument(uri, name, text, before));
    this.revision++;
  }

  delete(uri: string): void {
    if (this.#documents.delete(uri)) this.revision++;
  }

  /** Every document of every file. */
  *parts(): Generator<Located> {
    for (const document of this.#documents.values()) {
      for (const part of document.parts) yield { document, part };
    }
  }

  /** The objects that can be read, in the order of the files' names. */
  inputs(): { readonly given: readonly GivenManifest[]; readonly inputs: Inputs } {
    const documents = [...this.#documents.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const given = documents.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.read().manifests.map((manifest) => ({ manifest, role: 'any' as const })),
      ),
    );
    return { given, inputs: sortInputs(given) };
  }

  /** The kinds; the same object as long as no definition changes. */
  get schemas(): Schemas {
    const found = definitionsOf(this.#documents.values());
    const texts = found.map(({ text }) => text);
    const isSame =
      texts.length === this.#definitions.length &&
      texts.every((text, i) => text === this.#definitions[i]);
    if (!isSame) {
      this.#definitions = texts;
      this.#schemas = withDefinitions(
        this.#base,
        found.flatMap(({ objects }) => objects),
      );
    }
    return this.#schemas;
  }
}
