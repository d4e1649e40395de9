import type { Diagnostic } from '@kubeadmit/language';
import type { Connection } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';

/** Sends the diagnostics of files to a client, when they have changed. */
export class PublishedDiagnostics {
  readonly #connection: Connection;
  /** The last diagnostics of a file that were sent to the client, and the URI. */
  readonly #sent: Map<string, { readonly uri: string; readonly text: string }> = new Map();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Sends the diagnostics of all files.
   *
   * @param documentOf returns the document of a file that is open in the client
   */
  update(
    found: ReadonlyMap<string, readonly Diagnostic[]>,
    documentOf: (uri: string) => TextDocument | undefined,
  ): void {
    for (const uri of this.#sent.keys()) if (!found.has(uri)) this.#send(uri, [], documentOf(uri));
    for (const [uri, diagnostics] of found) this.#send(uri, diagnostics, documentOf(uri));
  }

  #send(key: string, diagnostics: readonly Diagnostic[], document: TextDocument | undefined): void {
    const text = JSON.stringify(diagnostics);
    const before = this.#sent.get(key);
    const uri = document?.uri ?? key;
    if (before === undefined && text === '[]' && document === undefined) return;
    if (before?.uri === uri && before.text === text) return;
    const isDone = diagnostics.length === 0 && document === undefined;
    if (isDone) this.#sent.delete(key);
    else this.#sent.set(key, { uri, text });
    // A client that spelled the URI differently receives the empty list under both URIs.
    if (before !== undefined && before.uri !== uri) {
      void this.#connection.sendDiagnostics({ uri: before.uri, diagnostics: [] });
      if (isDone) return;
    }
    void this.#connection.sendDiagnostics({
      uri,
      ...(document === undefined ? {} : { version: document.version }),
      diagnostics: JSON.parse(text),
    });
  }
}
