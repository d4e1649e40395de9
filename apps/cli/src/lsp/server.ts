import { pathToFileURL } from 'node:url';
import { errorText } from '@kubeadmit/base';
import type { Diagnostic, LanguageService } from '@kubeadmit/language';
import {
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  type InitializeParams,
  type InitializeResult,
  type MessageReader,
  type MessageWriter,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { CommandFailure } from '../process/terminal.ts';
import { version } from '../process/version.ts';
import { answerRequests } from './answer-requests.ts';
import { capabilities } from './capabilities.ts';
import { createService, type Settings } from './create-service.ts';
import { canonicalUri, pathOfUri } from './file-uri.ts';
import { plainMessage } from './plain-message.ts';
import { PublishedDiagnostics } from './published-diagnostics.ts';
import { readManifestFile, WorkspaceFiles } from './workspace-files.ts';

/** How many files and characters of folders are kept; others are known only while they are open. */
const mostFiles = 5_000;
const mostCharacters = 50_000_000;

/** The options of a server. */
export interface ServerOptions {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  readonly kubernetesVersion?: string | undefined;
}

/** Answers one client: the language service, with the files of its folders. */
export class Server {
  readonly #connection: Connection;
  readonly #version: string | undefined;
  readonly #open: TextDocuments<TextDocument> = new TextDocuments(TextDocument);
  readonly #published: PublishedDiagnostics;
  readonly #service: Promise<LanguageService>;
  #start: (service: Promise<LanguageService>) => void = () => undefined;
  #files: WorkspaceFiles = new WorkspaceFiles([]);
  /** The sizes of the texts that were read from files, by URI. */
  readonly #sizes: Map<string, number> = new Map();
  #characters = 0;
  /** The URIs of open documents as the client writes them, by the URI that names the file here. */
  readonly #openUris: Map<string, string> = new Map();
  /** Open documents that are not linted. */
  #ignored: ReadonlySet<string> = new Set();
  /** Whether the files of the folders are known: before, much would seem to be missing. */
  readonly #isRead: Promise<void>;
  #wasRead: () => void = () => undefined;
  #canWatch = false;
  #isDue = false;
  #isWarned = false;
  #lastDefect = '';
  #revision = 0;
  isShutDown = false;

  constructor({ reader, writer, kubernetesVersion }: ServerOptions) {
    this.#connection = createConnection(reader, writer);
    this.#published = new PublishedDiagnostics(this.#connection);
    this.#version = kubernetesVersion;
    this.#service = new Promise((resolve) => {
      this.#start = resolve;
    });
    this.#isRead = new Promise((resolve) => {
      this.#wasRead = resolve;
    });
    this.#listenToLife();
    this.#listenToFiles();
    answerRequests(this.#connection, this.#service);
  }

  listen(): void {
    this.#open.listen(this.#connection);
    this.#connection.listen();
  }

  /** Calls back when the client ended the session: whether it said so before. */
  onEnd(end: (isProper: boolean) => void): void {
    this.#connection.onExit(() => end(this.isShutDown));
  }

  dispose(): void {
    this.#connection.dispose();
  }

  #listenToLife(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onInitialized(async () => {
      const watched = this.#canWatch
        ? connection.client.register(DidChangeWatchedFilesNotification.type, {
            watchers: ['**/*.{yaml,yml,json}', '**/.kubeadmitignore'].map((globPattern) => ({
              globPattern,
            })),
          })
        : undefined;
      await this.#readFiles([]);
      this.#wasRead();
      await watched;
    });
    connection.onShutdown(() => {
      this.isShutDown = true;
    });
  }

  #initialize({
    workspaceFolders,
    rootUri,
    capabilities: ofClient,
    initializationOptions,
  }: InitializeParams): InitializeResult {
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
    this.#files = new WorkspaceFiles(uris);
    this.#canWatch = ofClient.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    // The answer goes out first: clients wait for it.
    const settings = (initializationOptions ?? {}) as Settings;
    setImmediate(() => {
      const { folders } = this.#files;
      const showError = (message: string): void => this.#showError(message);
      this.#start(createService(settings, { version: this.#version, folders, showError }));
    });
    return {
      serverInfo: { name: 'kubeadmit', version },
      capabilities,
    };
  }

  #showError(message: string): void {
    this.#connection.window.showErrorMessage(plainMessage(`kubeadmit: ${message}`));
  }

  /**
   * Lists the files of the folders again, and passes new content to the service. For open files, the text of the client
   * counts.
   *
   * @param changed the paths of files whose texts may have changed
   */
  async #readFiles(changed: readonly string[]): Promise<void> {
    const service = await this.#service;
    const { added, removed } = this.#listFiles();
    this.#updateIgnored(service);
    for (const path of removed) this.#forget(service, pathToFileURL(path).href);
    const read = new Set([...added, ...changed.filter((path) => this.#files.isListed(path))]);
    let leftOut = 0;
    for (const path of read) if (!this.#readFile(service, path)) leftOut++;
    this.#warnOfSize(leftOut);
    this.#changed();
  }

  /** Warns once of a workspace that is too large to list, and of each file that is too much. */
  #warnOfSize(leftOut: number): void {
    const isNew = this.#files.isCut && !this.#isWarned;
    this.#isWarned ||= isNew;
    if (leftOut === 0 && !isNew) return;
    const which = this.#files.isCut ? 'other files' : `${leftOut} files`;
    this.#connection.window.showWarningMessage(
      `kubeadmit: the workspace is too large; ${which} are known only while they are open`,
    );
  }

  #listFiles(): ReturnType<WorkspaceFiles['refresh']> {
    try {
      return this.#files.refresh();
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      this.#showError(error.message);
      return { added: [], removed: [] };
    }
  }

  /** Reads a file; false if the workspace has too many files or characters to keep it. */
  #readFile(service: LanguageService, path: string): boolean {
    const uri = pathToFileURL(path).href;
    if (this.#openUris.has(uri)) return true;
    const text = readManifestFile(path);
    this.#forget(service, uri);
    if (text === undefined) return true;
    const characters = this.#characters + text.length;
    if (this.#sizes.size >= mostFiles || characters > mostCharacters) return false;
    this.#sizes.set(uri, text.length);
    this.#characters = characters;
    service.setDocument(uri, text, this.#files.nameOf(uri));
    return true;
  }

  #forget(service: LanguageService, uri: string): void {
    this.#characters -= this.#sizes.get(uri) ?? 0;
    this.#sizes.delete(uri);
    if (!this.#openUris.has(uri)) service.deleteDocument(uri);
  }

  #listenToFiles(): void {
    this.#open.onDidOpen(({ document }) => {
      const path = pathOfUri(document.uri);
      this.#openUris.set(canonicalUri(document.uri), document.uri);
      // A file that was made since has to be listed first.
      const isUnknown = path !== undefined && this.#files.isIgnored(path);
      void (isUnknown ? this.#readFiles([]) : this.#service.then((it) => this.#updateIgnored(it)));
    });
    this.#open.onDidChangeContent(({ document }) => {
      void this.#service.then((service) => {
        this.#setOpen(service, document);
        this.#changed();
      });
    });
    this.#open.onDidClose(({ document }) => {
      const uri = canonicalUri(document.uri);
      this.#openUris.delete(uri);
      void this.#service.then((service) => {
        this.#forget(service, uri);
        return this.#readFiles([pathOfUri(uri) ?? []].flat());
      });
    });
    this.#connection.onDidChangeWatchedFiles(({ changes }) =>
      this.#readFiles(changes.flatMap(({ uri }) => pathOfUri(uri) ?? [])),
    );
  }

  #documentOf(uri: string): TextDocument | undefined {
    return this.#open.get(this.#openUris.get(uri) ?? uri);
  }

  #setOpen(service: LanguageService, document: TextDocument): void {
    const uri = canonicalUri(document.uri);
    if (this.#ignored.has(uri)) return;
    service.setDocument(uri, document.getText(), this.#files.nameOf(uri));
  }

  /** Open files may be ignored since a kustomization names them as patches, or not any more. */
  #updateIgnored(service: LanguageService): void {
    const before = this.#ignored;
    const open = [...this.#openUris.keys()];
    this.#ignored = new Set(
      open.filter((uri) => {
        const path = pathOfUri(uri);
        return path !== undefined && this.#files.isIgnored(path);
      }),
    );
    for (const uri of open) {
      if (this.#ignored.has(uri)) service.deleteDocument(uri);
      else if (before.has(uri)) {
        const document = this.#documentOf(uri);
        if (document !== undefined) this.#setOpen(service, document);
      }
    }
  }

  /** Computes diagnostics after the current computation; of several changes in a row, only the last counts. */
  #changed(): void {
    this.#revision++;
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => {
      this.#isDue = false;
      void this.#publish(this.#revision);
    });
  }

  async #publish(revision: number): Promise<void> {
    const service = await this.#service;
    await this.#isRead;
    if (revision !== this.#revision) return;
    const found = await this.#diagnosticsOf(service);
    if (found === undefined || revision !== this.#revision) return;
    // Load the code for questions before the first one, but after the first diagnostics.
    setImmediate(() => void service.documentSymbols(''));
    this.#published.update(found, (uri) => this.#documentOf(uri));
  }

  /** A defect that a file reveals must not end the server: editors stop to start one that ends repeatedly. */
  async #diagnosticsOf(
    service: LanguageService,
  ): Promise<ReadonlyMap<string, readonly Diagnostic[]> | undefined> {
    try {
      return await service.diagnostics();
    } catch (error) {
      this.#showDefect(errorText(error));
      return undefined;
    }
  }

  /** Shows an internal error once, and not after each change. */
  #showDefect(text: string): void {
    if (text === this.#lastDefect) return;
    this.#lastDefect = text;
    this.#showError(
      `internal error; report it at https://github.com/kubeadmit/kubeadmit/issues: ${text}`,
    );
  }
}
