import type { RuleSettings } from '@kubeadmit/lint';
import { loadSchemas } from '@kubeadmit/schemas';
import { Diagnosing } from './features/diagnostics.ts';
import { expressionAt } from './features/expression-at.ts';
import type { JsonSchema, JsonSchemaTypes } from './fields/json-schema-types.ts';
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
} from './protocol.ts';
import { ServiceContext } from './service-context.ts';
import { Workspace } from './workspace/workspace.ts';

/** What a language service is made with. */
export interface LanguageServiceOptions {
  /** The version of the server, such as `1.36`; default the newest known. */
  readonly kubernetesVersion?: string | undefined;
  /** What becomes of the rules of lint, by their codes. */
  readonly lint?: RuleSettings | undefined;
  /** The address of the docs site, with a slash at its end: codes of diagnostics link to its pages. */
  readonly documentation?: string | undefined;
  /** The JSON Schema of suites of tests, `*.admit.yaml` (`@kubeadmit/testing` has it), for what can be written in them. */
  readonly suites?: JsonSchema | undefined;
  /** Gives the time in milliseconds since 1970, for policies that ask for it; default the begin of 1970. */
  readonly clock?: (() => number) | undefined;
  /**
   * Lets others have the thread, such as by `setImmediate`: awaited again and again while diagnostics of many files
   * are found. When a text changes meanwhile, the search begins anew, and keeps what it knows of the other texts.
   */
  readonly pause?: (() => Promise<void>) | undefined;
}

/**
 * Answers what an editor asks about files with policies and what belongs to them. All files of a workspace are
 * given, open or not; files are named by their URIs. Answers depend on the texts alone, not on how they came about.
 *
 * Methods give nothing for files that are not known, and never throw for what the texts hold.
 */
export interface LanguageService {
  /** Takes the text of a file, new or changed. `name` is how messages call it; default the end of the URI. */
  setDocument(uri: string, text: string, name?: string): void;
  /** Forgets a document. */
  deleteDocument(uri: string): void;
  /** What is wrong with each file: what `kubeadmit lint` says of them. */
  diagnostics(): Promise<ReadonlyMap<string, readonly Diagnostic[]>>;
  /** Quick fixes, and other ways to write what is there. */
  codeActions(uri: string, range: Range): Promise<readonly CodeAction[]>;
  /** What may be written at a place. */
  completion(uri: string, position: Position): Promise<readonly CompletionItem[]>;
  /** What is known of a place; with what it gives for an example of its policy, where there is one. */
  hover(uri: string, position: Position): Promise<Hover | undefined>;
  /** The parameters of the call around a place. */
  signatureHelp(uri: string, position: Position): Promise<SignatureHelp | undefined>;
  /** Five numbers for each token; see `tokenTypes`. */
  semanticTokens(uri: string): Promise<readonly number[]>;
  /** Where what stands at a place is defined. */
  definition(uri: string, position: Position): Promise<readonly Location[]>;
  /** Everywhere that what stands at a place is named, its definition too. */
  references(uri: string, position: Position): Promise<readonly Location[]>;
  /** The name that can be changed at a place. */
  prepareRename(
    uri: string,
    position: Position,
  ): Promise<{ readonly range: Range; readonly placeholder: string } | undefined>;
  /** Rejects with `RenameError` for a name that cannot be given. */
  rename(uri: string, position: Position, newName: string): Promise<WorkspaceEdit | undefined>;
  /** The objects of a document and what is in them. */
  documentSymbols(uri: string): Promise<readonly DocumentSymbol[]>;
  /** What can be hidden. */
  foldingRanges(uri: string): Promise<readonly FoldingRange[]>;
  /** Verdicts and costs of the expressions of a file, for the examples of its policies. */
  inlayHints(uri: string): Promise<readonly InlayHint[]>;
  /** The edits that write the expressions of a range anew. */
  formatExpressions(uri: string, range: Range): Promise<readonly TextEdit[]>;
}

/**
 * Makes a language service. Rejects with `UnknownVersionError` for a version of Kubernetes that is not known.
 */
export async function createLanguageService({
  kubernetesVersion,
  lint = new Map(),
  clock = () => 0,
  documentation,
  suites,
  pause,
}: LanguageServiceOptions = {}): Promise<LanguageService> {
  const schemas = await loadSchemas(
    kubernetesVersion === undefined ? {} : { version: kubernetesVersion },
  );
  const context = new ServiceContext(new Workspace(schemas), {
    suites: suites && (await typesOf(suites)),
    loadKyverno: async () => (await answers()).kyvernoPart(),
  });
  return new Service(context, { lint, clock, documentation, pause });
}

async function typesOf(suites: JsonSchema): Promise<JsonSchemaTypes> {
  const { JsonSchemaTypes: Types } = await import('./fields/json-schema-types.ts');
  return new Types(suites, 'suite');
}

/** What answers questions, loaded when the first is asked. */
const answers = (): Promise<typeof import('./features/answers.ts')> =>
  import('./features/answers.ts');

const navigation = async (): Promise<typeof import('./features/navigation.ts')> =>
  (await answers()).navigation();

class Service implements LanguageService {
  readonly #workspace: Workspace;
  readonly #context: ServiceContext;
  readonly #diagnosing: Diagnosing;
  readonly #clock: () => number;

  constructor(
    context: ServiceContext,
    {
      lint,
      clock,
      documentation,
      pause,
    }: Required<Omit<LanguageServiceOptions, 'kubernetesVersion' | 'suites'>>,
  ) {
    this.#workspace = context.workspace;
    this.#context = context;
    this.#diagnosing = new Diagnosing(this.#context, {
      settings: lint ?? new Map(),
      documentation,
      pause,
    });
    this.#clock = clock ?? (() => 0);
  }

  setDocument(uri: string, text: string, name: string = nameOf(uri)): void {
    this.#workspace.set(uri, name, text);
  }

  deleteDocument(uri: string): void {
    this.#workspace.delete(uri);
  }

  async diagnostics(): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
    const found = await this.#diagnosing.all();
    return new Map(
      [...found].map(([uri, list]) => [uri, list.map(({ diagnostic }) => diagnostic)]),
    );
  }

  async codeActions(uri: string, range: Range): Promise<readonly CodeAction[]> {
    const found = (await this.#diagnosing.all()).get(uri);
    const document = this.#workspace.document(uri);
    if (document === undefined) return [];
    await this.#context.prepare(document);
    const { codeActions } = await answers();
    return codeActions(this.#context, document, range, found ?? []);
  }

  async completion(uri: string, position: Position): Promise<readonly CompletionItem[]> {
    const document = this.#workspace.document(uri);
    if (document === undefined) return [];
    await this.#context.prepare(document);
    const found = expressionAt(document, position);
    if (found === undefined) {
      const { completeYaml } = await answers();
      return completeYaml(this.#context, document, position);
    }
    const { completeExpression } = await answers();
    return completeExpression(this.#context, found);
  }

  async hover(uri: string, position: Position): Promise<Hover | undefined> {
    const document = this.#workspace.document(uri);
    if (document === undefined) return undefined;
    await this.#context.prepare(document);
    const found = expressionAt(document, position);
    if (found === undefined) {
      const { hoverYaml } = await answers();
      return hoverYaml(this.#context, document, position);
    }
    const { hoverExpression } = await answers();
    const hover = hoverExpression(this.#context, found);
    if (hover === undefined) return undefined;
    const { valueAt } = await answers();
    const value = await valueAt(this.#context, this.#clock, found);
    if (value === undefined) return hover;
    return {
      ...hover,
      contents: { kind: 'markdown', value: `${hover.contents.value}\n\n${value}` },
    };
  }

  async signatureHelp(uri: string, position: Position): Promise<SignatureHelp | undefined> {
    const document = this.#workspace.document(uri);
    if (document === undefined) return undefined;
    await this.#context.prepare(document);
    const found = expressionAt(document, position);
    if (found === undefined) return undefined;
    const { signatureHelp } = await answers();
    return signatureHelp(this.#context, found);
  }

  async semanticTokens(uri: string): Promise<readonly number[]> {
    const { semanticTokens } = await navigation();
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : semanticTokens(document);
  }

  async definition(uri: string, position: Position): Promise<readonly Location[]> {
    const { definitionsAt } = await navigation();
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : definitionsAt(this.#context, document, position);
  }

  async references(uri: string, position: Position): Promise<readonly Location[]> {
    const { namedAt } = await navigation();
    const document = this.#workspace.document(uri);
    const named = document && namedAt(this.#context, document, position);
    return (named?.occurrences ?? []).map(({ uri: home, range }) => ({ uri: home, range }));
  }

  async prepareRename(
    uri: string,
    position: Position,
  ): Promise<{ readonly range: Range; readonly placeholder: string } | undefined> {
    const { namedAt } = await navigation();
    const document = this.#workspace.document(uri);
    const named = document && namedAt(this.#context, document, position);
    if (named === undefined || named.kind === 'definition') return undefined;
    return { range: named.range, placeholder: named.name };
  }

  async rename(
    uri: string,
    position: Position,
    newName: string,
  ): Promise<WorkspaceEdit | undefined> {
    const { renameAt } = await navigation();
    const document = this.#workspace.document(uri);
    return document && renameAt(this.#context, document, position, newName);
  }

  async documentSymbols(uri: string): Promise<readonly DocumentSymbol[]> {
    const { documentSymbols } = await navigation();
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : documentSymbols(document);
  }

  async foldingRanges(uri: string): Promise<readonly FoldingRange[]> {
    const { foldingRanges } = await navigation();
    const document = this.#workspace.document(uri);
    return document === undefined ? [] : foldingRanges(document);
  }

  async inlayHints(uri: string): Promise<readonly InlayHint[]> {
    const document = this.#workspace.document(uri);
    if (document === undefined) return [];
    const { inlayHints } = await navigation();
    return inlayHints(this.#context, this.#clock, document);
  }

  async formatExpressions(uri: string, range: Range): Promise<readonly TextEdit[]> {
    const document = this.#workspace.document(uri);
    if (document === undefined) return [];
    const { formatExpression } = await navigation();
    const edits = new Map<string, TextEdit>();
    for (let { line } = range.start; line <= range.end.line; line++) {
      const ends = [document.lines.startOf(line), document.lines.endOf(line)];
      for (const offset of ends) {
        const found = expressionAt(document, document.lines.positionAt(offset));
        const edit = found && formatExpression(found);
        if (edit !== undefined) edits.set(JSON.stringify(edit.range), edit);
      }
    }
    return [...edits.values()];
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
