import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorText } from '@kubeadmit/base';
import {
  createLanguageService,
  type Diagnostic,
  type JsonSchema,
  type LanguageService,
  RenameError,
  tokenTypes,
} from '@kubeadmit/language';
import { suiteSchema } from '@kubeadmit/testing';
import {
  CodeActionKind,
  type CodeActionParams,
  type Connection,
  createConnection,
  DidChangeWatchedFilesNotification,
  type DocumentRangeFormattingParams,
  ErrorCodes,
  type InitializeParams,
  type InitializeResult,
  type MessageReader,
  type MessageWriter,
  type RenameParams,
  ResponseError,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { configurationFile } from '../input/local/configuration-file.ts';
import { readFoundConfiguration } from '../lint/configuration.ts';
import { CommandFailure } from '../process/terminal.ts';
import { version } from '../process/version.ts';
import { canonicalUri, pathOfUri } from './file-uri.ts';
import { plainMessage } from './plain-message.ts';
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

/** The initialization options of editors. */
interface Settings {
  readonly kubernetesVersion?: string;
  readonly documentation?: string;
}

/** Answers one client: the language service, with the files of its folders. */
export class Server {
  readonly #connection: Connection;
  readonly #version: string | undefined;
  readonly #open: TextDocuments<TextDocument> = new TextDocuments(TextDocument);
  /** The last diagnostics of a file that were sent to the client, and the URI. */
  readonly #published: Map<string, { readonly uri: string; readonly text: string }> = new Map();
  #service: Promise<LanguageService>;
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
    this.#version = kubernetesVersion;
    this.#service = new Promise((resolve) => {
      this.#start = resolve;
    });
    this.#isRead = new Promise((resolve) => {
      this.#wasRead = resolve;
    });
    this.#listenToLife();
    this.#listenToFiles();
    this.#listenToQuestions();
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
    capabilities,
    initializationOptions,
  }: InitializeParams): InitializeResult {
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === null ? [] : [rootUri]);
    this.#files = new WorkspaceFiles(uris);
    this.#canWatch = capabilities.workspace?.didChangeWatchedFiles?.dynamicRegistration === true;
    // The answer goes out first: clients wait for it.
    const settings = (initializationOptions ?? {}) as Settings;
    setImmediate(() => this.#start(this.#createService(settings)));
    return {
      serverInfo: { name: 'kubeadmit', version },
      capabilities: {
        textDocumentSync: TextDocumentSyncKind.Incremental,
        completionProvider: { triggerCharacters: ['.', '"', "'", '{', '/', ' '] },
        hoverProvider: true,
        signatureHelpProvider: { triggerCharacters: ['(', ','] },
        definitionProvider: true,
        referencesProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        codeActionProvider: {
          codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite],
        },
        documentRangeFormattingProvider: true,
        inlayHintProvider: true,
        semanticTokensProvider: {
          legend: { tokenTypes: [...tokenTypes], tokenModifiers: [] },
          full: true,
        },
      },
    };
  }

  async #createService({ kubernetesVersion, documentation }: Settings): Promise<LanguageService> {
    const lint = this.#lintSettings();
    const given = kubernetesVersion === '' ? undefined : kubernetesVersion;
    const wanted = this.#version ?? given;
    const options = {
      lint,
      documentation: this.#documentationOf(documentation),
      clock: () => Date.now(),
      pause: () => new Promise<void>((resolve) => setImmediate(resolve)),
      suites: suiteSchema as JsonSchema,
    };
    try {
      return await createLanguageService({ ...options, kubernetesVersion: wanted });
    } catch (error) {
      this.#showError((error as Error).message);
      return createLanguageService(options);
    }
  }

  #documentationOf(setting: unknown): string | undefined {
    if (setting === undefined || setting === '') return undefined;
    if (typeof setting === 'string' && /^https?:\/\/\S+$/i.test(setting)) return setting;
    this.#showError('the setting `documentation` must be an http:// or https:// URL');
    return undefined;
  }

  #showError(message: string): void {
    this.#connection.window.showErrorMessage(plainMessage(`kubeadmit: ${message}`));
  }

  /** Reads the rule settings in `kubeadmit.yaml` of a folder. */
  #lintSettings(): ReturnType<typeof readFoundConfiguration>['settings'] {
    const file = this.#files.folders
      .map((folder) => join(folder, configurationFile))
      .find((path) => existsSync(path));
    if (file === undefined) return new Map();
    try {
      return readFoundConfiguration(file).settings;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      this.#showError(error.message);
      return new Map();
    }
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
        const document = this.#open.get(this.#openUris.get(uri) ?? uri);
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
    for (const uri of this.#published.keys()) if (!found.has(uri)) this.#send(uri, []);
    for (const [uri, diagnostics] of found) this.#send(uri, diagnostics);
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
    this.#showError(`internal error, please report it: ${text}`);
  }

  #send(key: string, diagnostics: readonly Diagnostic[]): void {
    const text = JSON.stringify(diagnostics);
    const document = this.#open.get(this.#openUris.get(key) ?? key);
    const before = this.#published.get(key);
    const uri = document?.uri ?? key;
    if (before === undefined && text === '[]' && document === undefined) return;
    if (before?.uri === uri && before.text === text) return;
    const isDone = diagnostics.length === 0 && document === undefined;
    if (isDone) this.#published.delete(key);
    else this.#published.set(key, { uri, text });
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

  #listenToQuestions(): void {
    const connection = this.#connection;
    const asked =
      <Params extends { readonly textDocument: { readonly uri: string } }>(
        answer: (service: LanguageService, params: Params, uri: string) => unknown,
      ) =>
      async (
        params: Params,
        token: { readonly isCancellationRequested: boolean },
      ): Promise<never> => {
        const service = await this.#service;
        // Process messages that arrived meanwhile: a change or a cancellation.
        await new Promise((resolve) => setImmediate(resolve));
        if (token.isCancellationRequested) throw new ResponseError(-32800, 'cancelled');
        return ((await answer(service, params, canonicalUri(params.textDocument.uri))) ??
          null) as never;
      };
    /** Handlers for a position, and for a document. */
    const at = (name: 'hover' | 'signatureHelp' | 'definition' | 'references' | 'prepareRename') =>
      asked((service, { position }: TextDocumentPositionParams, uri) =>
        service[name](uri, position),
      );
    const of = (name: 'documentSymbols' | 'foldingRanges' | 'inlayHints') =>
      asked((service, _, uri) => service[name](uri));
    connection.onCompletion(
      asked(async (service, { position }, uri) => ({
        isIncomplete: false,
        items: await service.completion(uri, position),
      })),
    );
    connection.onHover(at('hover'));
    connection.onSignatureHelp(at('signatureHelp'));
    connection.onDefinition(at('definition'));
    connection.onReferences(at('references'));
    connection.onPrepareRename(at('prepareRename'));
    connection.onRenameRequest(
      asked(async (service, { position, newName }: RenameParams, uri) => {
        try {
          return await service.rename(uri, position, newName);
        } catch (error) {
          if (!(error instanceof RenameError)) throw error;
          throw new ResponseError(ErrorCodes.InvalidParams, error.message);
        }
      }),
    );
    connection.onDocumentSymbol(of('documentSymbols'));
    connection.onFoldingRanges(of('foldingRanges'));
    connection.onCodeAction(
      asked((service, { range }: CodeActionParams, uri) => service.codeActions(uri, range)),
    );
    connection.onDocumentRangeFormatting(
      asked((service, { range }: DocumentRangeFormattingParams, uri) =>
        service.formatExpressions(uri, range),
      ),
    );
    connection.languages.inlayHint.on(of('inlayHints'));
    connection.languages.semanticTokens.on(
      asked(async (service, _, uri) => ({ data: await service.semanticTokens(uri) })),
    );
  }
}
