import { findIssues, type LintIssue, type RuleSettings } from '@kubeadmit/lint';
import type { KnownIssues } from '@kubeadmit/lint/unstable-internal';
import type { InputProblem } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { objectsOf } from '../policy/object-view.ts';
import type { ServiceContext } from '../service/service-context.ts';
import type { Part } from '../workspace/part.ts';
import type { Diagnostic, DiagnosticSeverity, TextEdit } from '../workspace/protocol.ts';
import type { TextDocument } from '../workspace/text-document.ts';

/** A diagnostic with its fix, if there is a safe one. */
export interface FoundDiagnostic {
  readonly diagnostic: Diagnostic;
  readonly issue: LintIssue;
  readonly fix: { readonly title: string; readonly edits: readonly TextEdit[] } | undefined;
}

/** The options for diagnostics. */
export interface DiagnosingOptions {
  readonly settings: RuleSettings;
  /** The address of the docs site, whose pages describe the codes. */
  readonly documentation?: string | undefined;
  /** Lets others have the thread. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/**
 * Runs lint on all files.
 *
 * Results for single documents are cached until the document changes. Checks across documents run each time.
 */
export class Diagnosing {
  readonly #context: ServiceContext;
  readonly #settings: RuleSettings;
  readonly #documentation: string | undefined;
  readonly #pause: (() => Promise<void>) | undefined;
  #known: KnownIssues = new WeakMap();
  #schemas: Schemas | undefined;
  #last:
    | {
        readonly revision: number;
        readonly found: Promise<ReadonlyMap<string, readonly FoundDiagnostic[]>>;
      }
    | undefined;

  constructor(context: ServiceContext, { settings, documentation, pause }: DiagnosingOptions) {
    this.#context = context;
    this.#settings = new Map([...editorSettings, ...settings]);
    this.#documentation = documentation;
    this.#pause = pause;
  }

  /**
   * Returns the problems of each file in the order of its text; always of the latest texts, even if they change
   * meanwhile.
   */
  all(): Promise<ReadonlyMap<string, readonly FoundDiagnostic[]>> {
    const { revision } = this.#context.workspace;
    if (this.#last?.revision !== revision) this.#last = { revision, found: this.#newest() };
    return this.#last.found;
  }

  /** A search stops when a text has changed; the findings in other files are kept. */
  async #newest(): Promise<ReadonlyMap<string, readonly FoundDiagnostic[]>> {
    const { workspace } = this.#context;
    const { revision } = workspace;
    const pause = this.#pause;
    const superseded = new Error('texts changed');
    try {
      return await this.#find(
        pause &&
          (async () => {
            await pause();
            if (workspace.revision !== revision) throw superseded;
          }),
      );
    } catch (error) {
      if (error !== superseded) throw error;
      return this.all();
    }
  }

  async #find(
    pause: (() => Promise<void>) | undefined,
  ): Promise<ReadonlyMap<string, readonly FoundDiagnostic[]>> {
    const { workspace } = this.#context;
    if (pause !== undefined) await readAll(workspace.documents, pause);
    const { schemas } = this.#context;
    if (this.#schemas !== schemas) {
      this.#known = new WeakMap();
      this.#schemas = schemas;
    }
    const { given } = workspace.inputs();
    const parts = new Map([...workspace.parts()].map((each) => [each.part.source, each]));
    const unreadable: InputProblem[] = [...parts.values()].flatMap(({ part }) =>
      part.read().problems.filter(({ isForeign }) => isForeign !== true),
    );
    const issues = await findIssues(given, {
      schemas,
      kubernetesVersion: schemas.version,
      unreadable,
      known: this.#known,
      pause,
      settings: this.#settings,
    });
    const refuted = brokenPolicies([...parts.values()].map(({ part }) => part));
    const found = new Map<string, FoundDiagnostic[]>();
    for (const document of workspace.documents) found.set(document.uri, []);
    for (const issue of issues) {
      const home = issue.source && parts.get(issue.source);
      if (home === undefined || refuted(issue)) continue;
      found
        .get(home.document.uri)
        ?.push(this.#diagnosticOf(issue, home.document, home.part, parts));
    }
    for (const list of found.values()) list.sort(inOrder);
    return found;
  }

  #diagnosticOf(
    issue: LintIssue,
    document: TextDocument,
    part: Part,
    parts: Parts,
  ): FoundDiagnostic {
    const { code, severity, fix, range } = issue;
    const site = this.#documentation;
    const { start, end } = range ?? { start: 0, end: 0 };
    const diagnostic: Diagnostic = {
      range: document.range(part, ...visible(part.text, start, end)),
      severity: severities[severity],
      code,
      ...(site === undefined
        ? {}
        : { codeDescription: { href: `${site}reference/lint/${code}.html` } }),
      source: 'kubeadmit',
      message: messageOf(issue, part, parts),
    };
    return {
      diagnostic,
      issue,
      fix: fix && {
        title: fix.title.charAt(0).toUpperCase() + fix.title.slice(1),
        edits: fix.edits.map((edit) => ({
          range: document.range(part, edit.range.start, edit.range.end),
          newText: edit.newText,
        })),
      },
    };
  }
}

/** Severities that differ from those of the command. */
const editorSettings: RuleSettings = new Map([['kyverno-deprecated', 'info']]);

const betweenPauses = 20;

/** Reads the files that were not read yet. */
async function readAll(
  documents: Iterable<TextDocument>,
  pause: () => Promise<void>,
): Promise<void> {
  let read = 0;
  for (const part of [...documents].flatMap(({ parts }) => parts)) {
    if (part.isRead) continue;
    if (read > 0 && read % betweenPauses === 0) await pause();
    part.read();
    read++;
  }
}

function inOrder({ diagnostic: a }: FoundDiagnostic, { diagnostic: b }: FoundDiagnostic): number {
  const [left, right] = [a.range.start, b.range.start];
  return left.line - right.line || left.character - right.character;
}

const severities: Readonly<Record<LintIssue['severity'], DiagnosticSeverity>> = {
  error: 1,
  warning: 2,
  info: 3,
};

type Parts = ReadonlyMap<unknown, { readonly document: TextDocument; readonly part: Part }>;

/** At least one character of a line if the line is not empty: at the end of a line, the one before it. */
function visible(text: string, start: number, end: number): readonly [start: number, end: number] {
  if (end > start && !/^\s*$/.test(text.slice(start, end))) return [start, end];
  const isInLine = start < text.length && text[start] !== '\n' && text[start] !== '\r';
  if (isInLine) return [start, start + 1];
  return start > 0 && text[start - 1] !== '\n' ? [start - 1, start] : [start, start];
}

/** The message with lines of the file instead of lines of the part that was read. */
function messageOf({ message, first, from }: LintIssue, part: Part, parts: Parts): string {
  if (first !== undefined) {
    const startLine = parts.get(first.origin.source)?.part.startLine ?? 0;
    const { file, line } = first;
    return message.replace(`${file}:${line}`, () => `${file}:${line + startLine}`);
  }
  if (from === undefined) return message;
  return message.replace(`in line ${from}`, `in line ${from + part.startLine}`);
}

/**
 * Returns a predicate for issues that disappear once the documents with syntax errors can be read again.
 *
 * For example, a binding does not lose its policy while the policy is edited.
 */
function brokenPolicies(parts: readonly Part[]): (issue: LintIssue) => boolean {
  const broken = parts.filter((part) => part.read().problems.length > 0).flatMap(objectsOf);
  if (broken.length === 0) return () => false;
  const names = new Set(broken.map(({ kind, name }) => `${kind}/${name}`));
  const bound = new Set(
    broken
      .filter(({ kind }) => kind.endsWith('Binding'))
      .map(({ kind, part, root }) => {
        const policy = part.textAt(root, 'spec', 'policyName');
        return `${kind.replace(/Binding$/, '')}/${policy}`;
      }),
  );
  return ({ code, manifest }) => {
    if (manifest === undefined) return false;
    const { kind, name, object } = manifest;
    if (code === 'policy-without-binding') return bound.has(`${kind}/${name}`);
    if (code !== 'binding-without-policy') return false;
    const spec = object['spec'] as { readonly policyName?: unknown } | undefined;
    return names.has(`${kind.replace(/Binding$/, '')}/${spec?.policyName}`);
  };
}
