import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
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
  FileChangeType,
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
import { configurationFile } from '../input/configuration-file.ts';
import { readConfiguration } from '../lint/configuration.ts';
import { CommandFailure, type Terminal } from '../terminal.ts';
import { version } from '../version.ts';
import { isManifestName, readFolder, readManifestFile } from './workspace-files.ts';

/** What a server is made with. */
export interface ServerOptions {
  readonly reader: MessageReader;
  readonly writer: MessageWriter;
  readonly terminal: Terminal;
  readonly kubernetesVersion?: string | undefined;
}

/** What editors may set when they start the server. */
interface Settings {
  readonly kubernetesVersion?: string;
  readonly documentation?: string;
}

/** Answers one client: the language service, with the files of its folders. */
export class Server {
  readonly #connection: Connection;
  readonly #terminal: Terminal;
  readonly #version: string | undefined;
  readonly #open: TextDocuments<TextDocument> = new TextDocuments(TextDocument);
  readonly #published: Map<string, string> = new Map();
  #service: Promise<LanguageService>;
  #start: (service: Promise<LanguageService>) => void = () => undefined;
  #folders: readonly string[] = [];
  /** Whether the files of the folders are known: before, much would seem to be missing. */
  readonly #isRead: Promise<void>;
  #wasRead: () => void = () => undefined;
  #canWatch = false;
  #isDue = false;
  #revision = 0;
  isShutDown = false;

  constructor({ reader, writer, terminal, kubernetesVersion }: ServerOptions) {
    this.#connection = createConnection(reader, writer);
    this.#terminal = terminal;
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
            watchers: [{ globPattern: '**/*.{yaml,yml,json}' }],
          })
        : undefined;
      await this.#readFolders();
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
    this.#folders = uris.filter((uri) => uri.startsWith('file:')).map((uri) => fileURLToPath(uri));
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
      documentation: documentation || undefined,
      clock: () => Date.now(),
      pause: () => new Promise<void>((resolve) => setImmediate(resolve)),
      suites: suiteSchema as JsonSchema,
    };
    try {
      return await createLanguageService({ ...options, kubernetesVersion: wanted });
    } catch (error) {
      this.#connection.window.showErrorMessage(`kubeadmit: ${(error as Error).message}`);
      return createLanguageService(options);
    }
  }

  /** What `kubeadmit.yaml` of a folder says of the rules. */
  #lintSettings(): ReturnType<typeof readConfiguration>['settings'] {
    const file = this.#folders
      .map((folder) => join(folder, configurationFile))
      .find((path) => existsSync(path));
    if (file === undefined) return new Map();
    try {
      return readConfiguration(file).settings;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      this.#connection.window.showErrorMessage(`kubeadmit: ${error.message}`);
      return new Map();
    }
  }

  async #readFolders(): Promise<void> {
    const service = await this.#service;
    for (const folder of this.#folders) {
      const { files, leftOut } = await readFolder(folder, this.#terminal);
      for (const { path, text } of files) {
        const uri = pathToFileURL(path).href;
        if (this.#open.get(uri) === undefined) service.setDocument(uri, text, this.#nameOf(uri));
      }
      if (leftOut > 0) {
        this.#connection.window.showWarningMessage(
          `kubeadmit: ${leftOut} files of ${folder} are more than it keeps; they are known when they are opened`,
        );
      }
    }
    this.#wasRead();
    this.#changed();
  }

  #listenToFiles(): void {
    this.#open.onDidChangeContent(({ document }) => {
      void this.#service.then((service) => {
        service.setDocument(document.uri, document.getText(), this.#nameOf(document.uri));
        this.#changed();
      });
    });
    this.#open.onDidClose(({ document }) => void this.#readAgain(document.uri));
    this.#connection.onDidChangeWatchedFiles(async ({ changes }) => {
      for (const { uri, type } of changes) {
        if (this.#open.get(uri) !== undefined) continue;
        if (type === FileChangeType.Deleted) (await this.#service).deleteDocument(uri);
        else await this.#readAgain(uri);
      }
      this.#changed();
    });
  }

  /** A file that no editor shows is what it is on disk. */
  async #readAgain(uri: string): Promise<void> {
    const service = await this.#service;
    const text = uri.startsWith('file:')
      ? readManifestFile(fileURLToPath(uri), this.#folders)
      : undefined;
    if (text === undefined || !this.#isInFolders(uri)) service.deleteDocument(uri);
    else service.setDocument(uri, text, this.#nameOf(uri));
    this.#changed();
  }

  #isInFolders(uri: string): boolean {
    const path = fileURLToPath(uri);
    return isManifestName(path) && this.#folderOf(path) !== undefined;
  }

  #folderOf(path: string): string | undefined {
    return this.#folders.find((folder) => !relative(folder, path).startsWith('..'));
  }

  #nameOf(uri: string): string {
    if (!uri.startsWith('file:')) return uri;
    const path = fileURLToPath(uri);
    const folder = this.#folderOf(path);
    return folder === undefined ? path : relative(folder, path);
  }

  /** Finds diagnostics after what is under way; of several changes in a row only the last is looked at. */
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
    const found = await service.diagnostics();
    if (revision !== this.#revision) return;
    // What answers questions is loaded before the first one, and not before the first diagnostics.
    setImmediate(() => void service.documentSymbols(''));
    for (const uri of this.#published.keys()) if (!found.has(uri)) this.#send(uri, []);
    for (const [uri, diagnostics] of found) this.#send(uri, diagnostics);
  }

  #send(uri: string, diagnostics: readonly Diagnostic[]): void {
    const text = JSON.stringify(diagnostics);
    if ((this.#published.get(uri) ?? '[]') === text && this.#open.get(uri) === undefined) return;
    if (this.#published.get(uri) === text) return;
    if (diagnostics.length === 0 && this.#open.get(uri) === undefined) this.#published.delete(uri);
    else this.#published.set(uri, text);
    const document = this.#open.get(uri);
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
        // What the client sent in the meantime is heard first: a change, or that it does not ask any more.
        await new Promise((resolve) => setImmediate(resolve));
        if (token.isCancellationRequested) throw new ResponseError(-32800, 'cancelled');
        return ((await answer(service, params, params.textDocument.uri)) ?? null) as never;
      };
    /** What the service says of a place, and of a whole document. */
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
