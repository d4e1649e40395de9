import { type OptionKind, requireOptions } from '@kubeadmit/base';
import type { RuleSettings } from '@kubeadmit/lint';
import { loadSchemas } from '@kubeadmit/schemas';
import { Diagnosing } from './features/diagnostics.ts';
import type { JsonSchema } from './fields/json-schema-types.ts';
import { ServiceContext } from './service/service-context.ts';
import type {
  CodeAction,
  CompletionItem,
  Diagnostic,
  DocumentSymbol,
  FoldingRange,
  Hover,
  InlayHint,
  Location,
  Position,
  Range,
  SignatureHelp,
  TextEdit,
  WorkspaceEdit,
} from './workspace/protocol.ts';
import type { TextDocument } from './workspace/text-document.ts';
import { Workspace } from './workspace/workspace.ts';

/** The options of a language service. */
export interface LanguageServiceOptions {
  /** The version of the server, such as `1.36`; default the newest known. */
  readonly kubernetesVersion?: string | undefined;
  /** The settings of lint rules, by their codes. */
  readonly lint?: RuleSettings | undefined;
  /**
   * The address of the docs site: codes of diagnostics link to its pages. An `http:` or `https:` URL, or an absolute
   * path for pages of the same site.
   */
  readonly documentation?: string | undefined;
  /**
   * The JSON Schema of suites of tests, `*.admit.yaml` (`@kubeadmit/testing` has it), for completion and diagnostics.
   */
  readonly suites?: JsonSchema | undefined;
  /** Returns the time in milliseconds since 1970, for policies that read it (default: the start of 1970). */
  readonly clock?: (() => number) | undefined;
  /**
   * Yields the thread to other work, such as by `setImmediate`.
   *
   * It is awaited repeatedly during diagnostics of many files. If a text changes meanwhile, the search restarts and
   * keeps the results for the other texts.
   */
  readonly pause?: (() => Promise<void>) | undefined;
}

/**
 * Answers requests of an editor about files with policies and their dependencies. All files of a workspace are
 * given, open or not; files are named by their URIs. Answers depend on the texts alone, not on how they came about.
 *
 * Methods return nothing for unknown files, and never throw because of the content of a file.
 */
export interface LanguageService {
  /** Takes the text of a file, new or changed. `name` is how messages call it; default the end of the URI. */
  setDocument(uri: string, text: string, name?: string): void;
  /** Forgets a document. */
  deleteDocument(uri: string): void;
  /** The problems in each file, as reported by `kubeadmit lint`. */
  diagnostics(): Promise<ReadonlyMap<string, readonly Diagnostic[]>>;
  /** Quick fixes and refactorings. */
  codeActions(uri: string, range: Range): Promise<readonly CodeAction[]>;
  /** The completions at a position. */
  completion(uri: string, position: Position): Promise<readonly CompletionItem[]>;
  /** Information about a position, including its value for an example of its policy, if there is one. */
  hover(uri: string, position: Position): Promise<Hover | undefined>;
  /** The parameters of the call around a place. */
  signatureHelp(uri: string, position: Position): Promise<SignatureHelp | undefined>;
  /** Five numbers for each token; see `tokenTypes`. */
  semanticTokens(uri: string): Promise<readonly number[]>;
  /** The definition of the symbol at a position. */
  definition(uri: string, position: Position): Promise<readonly Location[]>;
  /** All references to the symbol at a position, including its definition. */
  references(uri: string, position: Position): Promise<readonly Location[]>;
  /** The name that can be changed at a place. */
  prepareRename(
    uri: string,
    position: Position,
  ): Promise<{ readonly range: Range; readonly placeholder: string } | undefined>;
  /** Rejects with `RenameError` for a name that cannot be given. */
  rename(uri: string, position: Position, newName: string): Promise<WorkspaceEdit | undefined>;
  /** The symbols of a document: its objects and their parts. */
  documentSymbols(uri: string): Promise<readonly DocumentSymbol[]>;
  /** The ranges that can be folded. */
  foldingRanges(uri: string): Promise<readonly FoldingRange[]>;
  /** Verdicts and costs of the expressions of a file, for the examples of its policies. */
  inlayHints(uri: string): Promise<readonly InlayHint[]>;
  /** The edits that format the expressions in a range. */
  formatExpressions(uri: string, range: Range): Promise<readonly TextEdit[]>;
}

const optionKinds: Readonly<Record<keyof LanguageServiceOptions, OptionKind>> = {
  kubernetesVersion: 'string',
  lint: 'object',
  documentation: 'string',
  suites: 'object',
  clock: 'function',
  pause: 'function',
};

/**
 * Makes a language service. Rejects with `UnknownVersionError` for an unknown version of Kubernetes, and with a
 * `TypeError` for unknown or invalid options.
 */
export async function createLanguageService(
  options: LanguageServiceOptions = {},
): Promise<LanguageService> {
  requireOptions('createLanguageService', options, optionKinds);
  const { kubernetesVersion, lint = new Map(), clock = () => 0 } = options;
  const { suites, pause } = options;
  const documentation = siteOf(options.documentation);
  const schemas = await loadSchemas(
    kubernetesVersion === undefined ? {} : { version: kubernetesVersion },
  );
  const context = new ServiceContext(new Workspace(schemas), {
    clock,
    load: async () => {
      const [{ JsonSchemaTypes }, words] = await Promise.all([
        loadAnswers(),
        import('./words/policy-words.ts'),
      ]);
      return { words, suites: suites && new JsonSchemaTypes(suites, 'suite') };
    },
    loadKyverno: async () => {
      const { kyvernoPart } = await loadAnswers();
      return Promise.all([kyvernoPart(), import('./words/kyverno-words.ts')]);
    },
  });
  return new Service(context, new Diagnosing(context, { settings: lint, documentation, pause }));
}

/**
 * The address of the docs site with a slash at its end.
 *
 * @throws TypeError for other addresses: editors open links, and `command:` links run commands
 */
function siteOf(documentation: string | undefined): string | undefined {
  if (documentation === undefined) return undefined;
  if (!/^(?:https?:\/\/\S+|\/(?:[^/\s]\S*)?)$/i.test(documentation)) {
    throw new TypeError(
      'createLanguageService: `documentation` must be an http: or https: URL, or an absolute path',
    );
  }
  return documentation.endsWith('/') ? documentation : `${documentation}/`;
}

type Answers = typeof import('./features/answers.ts');
type Navigation = typeof import('./features/navigation.ts');

/** Loads the module that answers questions; called with the first question. */
const loadAnswers = (): Promise<Answers> => import('./features/answers.ts');

class Service implements LanguageService {
  readonly #context: ServiceContext;
  readonly #diagnosing: Diagnosing;

  constructor(context: ServiceContext, diagnosing: Diagnosing) {
    this.#context = context;
    this.#diagnosing = diagnosing;
  }

  setDocument(uri: string, text: string, name?: string): void {
    this.#context.workspace.set(uri, name ?? nameOf(uri), text);
  }

  deleteDocument(uri: string): void {
    this.#context.workspace.delete(uri);
  }

  async diagnostics(): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    const found = await this.#diagnosing.all();
    return new Map(
      [...found].map(([uri, list]) => [uri, list.map(({ diagnostic }) => diagnostic)]),
    );
  }

  async codeActions(uri: string, range: Range): Promise<readonly CodeAction[]> {
    const found = (await this.#diagnosing.all()).get(uri) ?? [];
    const made = await this.#ask(uri, ({ codeActions }, document) =>
      codeActions(this.#context, document, range, found),
    );
    return made ?? [];
  }

  async completion(uri: string, position: Position): Promise<readonly CompletionItem[]> {
    const found = await this.#ask(uri, ({ complete }, document) =>
      complete(this.#context, document, position),
    );
    return found ?? [];
  }

  hover(uri: string, position: Position): Promise<Hover | undefined> {
    return this.#ask(uri, ({ hover }, document) => hover(this.#context, document, position));
  }

  signatureHelp(uri: string, position: Position): Promise<SignatureHelp | undefined> {
    return this.#ask(uri, ({ signatureHelp }, document) =>
      signatureHelp(this.#context, document, position),
    );
  }

  async semanticTokens(uri: string): Promise<readonly number[]> {
    return (
      (await this.#find(uri, ({ semanticTokens }, document) => semanticTokens(document))) ?? []
    );
  }

  async definition(uri: string, position: Position): Promise<readonly Location[]> {
    const found = await this.#find(uri, ({ definitionsAt }, document) =>
      definitionsAt(this.#context, document, position),
    );
    return found ?? [];
  }

  async references(uri: string, position: Position): Promise<readonly Location[]> {
    const found = await this.#find(uri, ({ referencesAt }, document) =>
      referencesAt(this.#context, document, position),
    );
    return found ?? [];
  }

  prepareRename(
    uri: string,
    position: Position,
  ): Promise<{ readonly range: Range; readonly placeholder: string } | undefined> {
    return this.#find(uri, ({ renamedAt }, document) =>
      renamedAt(this.#context, document, position),
    );
  }

  rename(uri: string, position: Position, newName: string): Promise<WorkspaceEdit | undefined> {
    return this.#find(uri, ({ renameAt }, document) =>
      renameAt(this.#context, document, position, newName),
    );
  }

  async documentSymbols(uri: string): Promise<readonly DocumentSymbol[]> {
    const found = await this.#find(uri, ({ documentSymbols }, document) =>
      documentSymbols(document),
    );
    return found ?? [];
  }

  async foldingRanges(uri: string): Promise<readonly FoldingRange[]> {
    return (await this.#find(uri, ({ foldingRanges }, document) => foldingRanges(document))) ?? [];
  }

  async inlayHints(uri: string): Promise<readonly InlayHint[]> {
    const found = await this.#find(uri, ({ inlayHints }, document) =>
      inlayHints(this.#context, document),
    );
    return found ?? [];
  }

  async formatExpressions(uri: string, range: Range): Promise<readonly TextEdit[]> {
    const found = await this.#find(uri, ({ formatExpressions }, document) =>
      formatExpressions(document, range),
    );
    return found ?? [];
  }

  /** Answers a request about a known file, after loading the necessary code. */
  async #ask<Answer>(
    uri: string,
    question: (answers: Answers, document: TextDocument) => Answer | Promise<Answer>,
  ): Promise<Answer | undefined> {
    const document = this.#context.workspace.document(uri);
    if (document === undefined) return undefined;
    await this.#context.prepare(document);
    return question(await loadAnswers(), document);
  }

  /** Answers a question about positions and names in a known file. */
  #find<Answer>(
    uri: string,
    question: (navigation: Navigation, document: TextDocument) => Answer | Promise<Answer>,
  ): Promise<Answer | undefined> {
    return this.#ask(uri, async (answers, document) =>
      question(await answers.navigation(), document),
    );
  }
}

function nameOf(uri: string): string {
  return decode(uri.slice(uri.lastIndexOf('/') + 1));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
