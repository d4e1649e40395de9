import { readFileSync } from 'node:fs';
import {
  createLanguageService,
  type JsonSchema,
  type LanguageService,
  type Position,
  type Range,
  tokenTypes,
} from '../src/index.ts';

/** A case of the table; see README.md in the folder of the cases. */
export interface LanguageCase {
  readonly name: string;
  /** Files by their names; `¦` is the cursor. */
  readonly files?: Readonly<Record<string, string>>;
  /** An expression of a policy that is made around it, with `¦` for the cursor. */
  readonly expression?: string;
  /** The resources that the generated policy matches, such as `apps/v1 deployments` (default: `v1 pods`). */
  readonly resources?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly params?: string;
  /** Makes a mutating policy, of `ApplyConfiguration` or `JSONPatch`. */
  readonly mutation?: string;
  /** A rule of a definition that is made around it, with `¦` for the cursor. */
  readonly rule?: string;
  /** The subject of the rule: `object`, its `spec` (default), an `element` of a list or a `value` of a map. */
  readonly about?: 'object' | 'spec' | 'element' | 'value';
  /** More fields of the rule. */
  readonly fields?: string;
  /** How the expression is written: `literal` (default), `folded`, `plain`, `single` or `double`. */
  readonly style?: string;
  readonly version?: string;
  /** The question (default: that of the file of cases). */
  readonly ask?: string;
  readonly newName?: string;
  /** The answer, a line each. */
  readonly gives: readonly string[];
}

/** A file with cases of one feature. */
export interface CaseFile {
  readonly ask: string;
  readonly cases: readonly LanguageCase[];
}

const schema = new URL('../../testing/schema/admit-test.schema.json', import.meta.url);
const suites = JSON.parse(readFileSync(schema, 'utf8')) as JsonSchema;

const cursor = '¦';
const services = new Map<string, Promise<LanguageService>>();
const folder = 'file:///cases/';

/** Sends the request of a case to the service, and formats the answer as lines. */
export async function answer(
  each: LanguageCase,
  file: Pick<CaseFile, 'ask'>,
): Promise<readonly string[]> {
  const { version = '' } = each;
  const made =
    services.get(version) ??
    createLanguageService({ suites, ...(version === '' ? {} : { kubernetesVersion: version }) });
  services.set(version, made);
  const service = await made;
  const files =
    each.files ??
    (each.rule === undefined
      ? { 'policy.yaml': policyOf(each) }
      : { 'definition.yaml': definitionOf(each, each.rule) });
  const texts = Object.entries(files).map(
    ([name, text]) => [name, text.replace(cursor, '')] as const,
  );
  for (const [name, text] of texts) service.setDocument(folder + name, text, name);
  try {
    const [home = '', marked = ''] =
      Object.entries(files).find(([, text]) => text.includes(cursor)) ??
      Object.entries(files)[0] ??
      [];
    const position = positionOf(marked, Math.max(marked.indexOf(cursor), 0));
    const text = marked.replace(cursor, '');
    return await ask(service, each.ask ?? file.ask, {
      uri: folder + home,
      position,
      text,
      newName: each.newName ?? 'renamed',
      texts: new Map(texts),
    });
  } finally {
    for (const [name] of texts) service.deleteDocument(folder + name);
  }
}

interface Asked {
  readonly uri: string;
  readonly position: Position;
  readonly text: string;
  readonly newName: string;
  readonly texts: ReadonlyMap<string, string>;
}

async function ask(
  service: LanguageService,
  feature: string,
  { uri, position, text, newName, texts }: Asked,
): Promise<readonly string[]> {
  const within = (range: Range): string =>
    text.slice(offsetOf(text, range.start), offsetOf(text, range.end));
  const place = ({ start }: Range): string => `${start.line + 1}:${start.character + 1}`;
  switch (feature) {
    case 'completion':
      return (await service.completion(uri, position))

        .toSorted((a, b) => ((a.sortText ?? '') < (b.sortText ?? '') ? -1 : 1))
        .map(({ label, detail }) => (detail === undefined ? label : `${label}: ${detail}`));
    case 'labels':
      return (await service.completion(uri, position)).map(({ label }) => label);
    case 'documentation':
      return (await service.completion(uri, position)).map(
        ({ label, documentation }) => `${label}: ${documentation?.value.replaceAll('\n', ' ')}`,
      );
    case 'insert':
      return (await service.completion(uri, position)).map(
        ({ label, textEdit }) => `${label}: ${JSON.stringify(textEdit.newText)}`,
      );
    case 'hover': {
      const hover = await service.hover(uri, position);
      if (hover === undefined) return [];
      return [
        `[${within(hover.range)}]`,
        ...hover.contents.value
          .split('\n')
          .filter((line) => line !== '' && !line.startsWith('```')),
      ];
    }
    case 'signature': {
      const help = await service.signatureHelp(uri, position);
      return (help?.signatures ?? []).map(({ label, parameters }, i) => {
        const [start, end] = parameters[help?.activeParameter ?? 0]?.label ?? [0, 0];
        const shown =
          end === 0
            ? label
            : `${label.slice(0, start)}[${label.slice(start, end)}]${label.slice(end)}`;
        return `${i === help?.activeSignature ? '> ' : ''}${shown}`;
      });
    }
    case 'diagnostics': {
      const found = (await service.diagnostics()).get(uri) ?? [];
      return found.map(
        ({ severity, code, range, message }) =>
          `${place(range)} [${within(range)}] ${['', 'error', 'warning', 'info'][severity]} ${code}: ${message}`,
      );
    }
    case 'fixes': {
      const actions = await service.codeActions(uri, { start: position, end: position });
      return actions.map(
        ({ title, edit }) => `${title} → ${changed(text, apply(text, edit.changes[uri] ?? []))}`,
      );
    }
    case 'definition':
    case 'references': {
      const found =
        feature === 'definition'
          ? await service.definition(uri, position)
          : await service.references(uri, position);
      return found.map(({ uri: home, range }) => {
        const name = home.slice(folder.length);
        const whole = texts.get(name) ?? '';
        const line = whole.split('\n')[range.start.line] ?? '';
        return `${name}:${place(range)} ${line.slice(0, range.start.character)}[${line.slice(range.start.character, range.end.character)}]${line.slice(range.end.character)}`;
      });
    }
    case 'rename': {
      try {
        const edit = await service.rename(uri, position, newName);
        return Object.entries(edit?.changes ?? {}).flatMap(([home, edits]) => {
          const name = home.slice(folder.length);
          const before = texts.get(name) ?? '';
          const after = apply(before, edits).split('\n');
          return before
            .split('\n')
            .flatMap((line, i) =>
              line === after[i] ? [] : [`${name}:${i + 1} ${after[i]?.trim()}`],
            );
        });
      } catch (error) {
        return [String(error)];
      }
    }
    case 'symbols':
      return (await service.documentSymbols(uri)).flatMap(
        ({ name, detail, children, selectionRange }) => [
          `${name} (${detail}) [${within(selectionRange)}]`,
          ...children.map(
            (child) => `  ${child.name} (${child.detail}) [${within(child.selectionRange)}]`,
          ),
        ],
      );
    case 'folding':
      return (await service.foldingRanges(uri)).map(
        ({ startLine, endLine }) => `${startLine + 1} to ${endLine + 1}`,
      );
    case 'tokens':
      return tokensOf(await service.semanticTokens(uri), text);
    case 'inlay':
      return (await service.inlayHints(uri)).map(
        ({ position: at, label }) => `${text.split('\n')[at.line]?.trim()} ▸ ${label}`,
      );
    case 'format': {
      const edits = await service.formatExpressions(uri, { start: position, end: position });
      return edits.length === 0 ? [] : changed(text, apply(text, edits)).split('\n');
    }
    default:
      throw new Error(`no such feature: ${feature}`);
  }
}

function tokensOf(data: readonly number[], text: string): readonly string[] {
  const lines = text.split('\n');
  const found: string[] = [];
  let [line, character] = [0, 0];
  for (let at = 0; at < data.length; at += 5) {
    const [lines1 = 0, characters = 0, length = 0, type = 0] = data.slice(at, at + 5);
    character = lines1 === 0 ? character + characters : characters;
    line += lines1;
    found.push(`${lines[line]?.slice(character, character + length)} ${tokenTypes[type]}`);
  }
  return found;
}

/** The lines that differ, as they are afterwards. */
function changed(before: string, after: string): string {
  const [left, right] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  let end = 0;
  while (
    end < Math.min(left.length, right.length) - start &&
    left.at(-1 - end) === right.at(-1 - end)
  )
    end++;
  return right.slice(start, right.length - end).join('\n');
}

/** A text after edits. */
function apply(
  text: string,
  edits: readonly { readonly range: Range; readonly newText: string }[],
): string {
  const sorted = edits.toSorted(
    (a, b) => offsetOf(text, b.range.start) - offsetOf(text, a.range.start),
  );
  return sorted.reduce(
    (result, { range, newText }) =>
      result.slice(0, offsetOf(text, range.start)) +
      newText +
      result.slice(offsetOf(text, range.end)),
    text,
  );
}

function positionOf(text: string, offset: number): Position {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

function offsetOf(text: string, { line, character }: Position): number {
  return (
    text
      .split('\n')
      .slice(0, line)
      .reduce((sum, each) => sum + each.length + 1, 0) + character
  );
}

/** The policy of a case that gives an expression only. */
function policyOf({
  expression = '',
  resources = 'v1 pods',
  variables = {},
  params,
  mutation,
  style = 'literal',
}: LanguageCase): string {
  const kind = mutation === undefined ? 'ValidatingAdmissionPolicy' : 'MutatingAdmissionPolicy';
  const rules = resources.split(', ').map((each) => {
    const [version = '', resource = ''] = each.split(' ');
    const slash = version.lastIndexOf('/');
    const group = slash === -1 ? '' : version.slice(0, slash);
    return `    - apiGroups: ["${group}"]\n      apiVersions: ["${version.slice(slash + 1)}"]\n      operations: ["*"]\n      resources: ["${resource}"]\n`;
  });
  const declared = Object.entries(variables).map(
    ([name, text]) => `  - name: ${name}\n    expression: ${JSON.stringify(text)}\n`,
  );
  const [apiVersion = '', paramKind = ''] = params?.split(' ') ?? [];
  const head =
    mutation === undefined
      ? '  validations:\n  - expression: '
      : `  mutations:\n  - patchType: ${mutation}\n    ${mutation === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration'}:\n      expression: `;
  return [
    `apiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata:\n  name: made\nspec:\n`,
    params === undefined
      ? ''
      : `  paramKind:\n    apiVersion: ${apiVersion}\n    kind: ${paramKind}\n`,
    `  matchConstraints:\n    resourceRules:\n${rules.join('')}`,
    declared.length === 0 ? '' : `  variables:\n${declared.join('')}`,
    head,
    written(expression, style),
  ].join('');
}

/** The definition of a case that gives a rule only. */
function definitionOf({ about = 'spec', fields = '' }: LanguageCase, rule: string): string {
  const lines = [
    `- rule: |-`,
    `    ${rule}`,
    ...(fields === ''
      ? []
      : fields
          .trimEnd()
          .split('\n')
          .map((line) => `  ${line}`)),
  ];
  const rules = (place: string, indent: number): string => {
    const blanks = ' '.repeat(indent);
    const own = lines.map((line) => `${blanks}${line}\n`).join('');
    return place === about ? `${blanks}x-kubernetes-validations:\n${own}` : '';
  };
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, singular: widget, kind: Widget, listKind: WidgetList }
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
${rules('object', 8)}        properties:
          spec:
            type: object
${rules('spec', 12)}            properties:
              replicas: { type: integer, description: How many there are. }
              size: { type: string, enum: [small, large] }
              until: { type: string, format: date-time }
              parts:
                type: array
                maxItems: 10
                items:
                  type: object
${rules('element', 18)}                  properties:
                    name: { type: string, maxLength: 20 }
                    weight: { type: number }
              labels:
                type: object
                maxProperties: 10
                additionalProperties:
                  type: object
${rules('value', 18)}                  properties:
                    text: { type: string, maxLength: 20 }
`;
}

function written(expression: string, style: string): string {
  const block = (mark: string): string =>
    `${mark}\n${expression
      .split('\n')
      .map((line) => `        ${line}`)
      .join('\n')}\n`;
  switch (style) {
    case 'literal':
      return block('|-');
    case 'folded':
      return block('>-');
    case 'single':
      return `'${expression.replaceAll("'", "''")}'\n`;
    case 'double':
      return `${JSON.stringify(expression)}\n`;
    default:
      return `${expression}\n`;
  }
}
