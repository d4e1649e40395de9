import {
  createLanguageService,
  type LanguageService,
  type Position,
  type Range,
  type TextEdit,
} from '@kubeadmit/language';
import type { Problem, ProblemFix, Setting } from './judgement.ts';

/** A question from the editor about a position in a file. */
export interface EditorQuestion {
  readonly about: 'completion' | 'hover' | 'signature';
  readonly file: string;
  readonly position: Position;
}

/** A completion at a position, with the text edit that inserts it. */
export interface EditorCompletion {
  readonly label: string;
  readonly kind: number;
  readonly detail: string;
  readonly words: string;
  readonly edit: TextEdit;
  readonly isSnippet: boolean;
}

/** The answer: completions or Markdown text. */
export type EditorAnswer =
  | { readonly completions: readonly EditorCompletion[] }
  | { readonly text: string; readonly range?: Range }
  | null;

const folder = 'file:///playground/';
let current:
  | {
      readonly version: string;
      readonly service: Promise<LanguageService>;
      readonly names: Set<string>;
    }
  | undefined;

/** The service with the files as they are now; files that did not change are not read again. */
async function serviceFor({
  files,
  kubernetesVersions,
}: Pick<Setting, 'files' | 'kubernetesVersions'>): Promise<LanguageService> {
  const [version = ''] = kubernetesVersions;
  if (current?.version !== version) {
    const service = createLanguageService({
      kubernetesVersion: version,
      documentation: import.meta.env.BASE_URL,
      clock: () => Date.now(),
      pause: () => new Promise((resolve) => setTimeout(resolve)),
    });
    current = { version, service, names: new Set() };
  }
  const { names, service: made } = current;
  const service = await made;
  for (const name of names) {
    if (Object.hasOwn(files, name)) continue;
    service.deleteDocument(uriOf(name));
    names.delete(name);
  }
  for (const [name, text] of Object.entries(files)) {
    if (!/\.(?:ya?ml|json)$/.test(name)) continue;
    service.setDocument(uriOf(name), text, name);
    names.add(name);
  }
  return service;
}

function uriOf(name: string): string {
  return folder + encodeURIComponent(name);
}

/** Returns the problems in the policies, which are found without a request, with exact positions and fixes. */
export async function lint(
  setting: Pick<Setting, 'files' | 'kubernetesVersions'>,
): Promise<Problem[]> {
  const service = await serviceFor(setting);
  const problems: Problem[] = [];
  for (const [uri, diagnostics] of await service.diagnostics()) {
    const file = decodeURIComponent(uri.slice(folder.length));
    for (const diagnostic of diagnostics) {
      const { range, severity, message, code } = diagnostic;
      const actions = await service.codeActions(uri, range);
      const fixes = actions
        .filter(({ diagnostics: mended }) => mended?.some((each) => each === diagnostic) === true)
        .map(({ title, edit }): ProblemFix => ({ title, edits: edit.changes[uri] ?? [] }));
      problems.push({
        file,
        severity: severity === 1 ? 'error' : severity === 2 ? 'warning' : 'info',
        message,
        code,
        line: range.start.line + 1,
        column: range.start.character + 1,
        range,
        fixes,
      });
    }
  }
  return problems;
}

/** Answers a request of the editor about a position. */
export async function assist(
  setting: Pick<Setting, 'files' | 'kubernetesVersions'>,
  { about, file, position }: EditorQuestion,
): Promise<EditorAnswer> {
  const service = await serviceFor(setting);
  const uri = uriOf(file);
  if (about === 'hover') {
    const hover = await service.hover(uri, position);
    return hover === undefined ? null : { text: hover.contents.value, range: hover.range };
  }
  if (about === 'signature') {
    const help = await service.signatureHelp(uri, position);
    const shown = help?.signatures[help.activeSignature];
    return shown === undefined
      ? null
      : { text: `${shown.label}\n\n${shown.documentation?.value ?? ''}` };
  }
  return {
    completions: (await service.completion(uri, position)).map(
      ({ label, kind, detail = '', documentation, textEdit, insertTextFormat }) => ({
        label,
        kind,
        detail,
        words: documentation?.value ?? '',
        edit: textEdit,
        isSnippet: insertTextFormat === 2,
      }),
    ),
  };
}
