import type { FunctionDeclaration, Library } from '@kubeadmit/cel';
import { standardLibrary } from '@kubeadmit/cel/declarations';
import { formatCelType } from '@kubeadmit/cel/types';
import { evaluateExpression, oldestMinor } from '@kubeadmit/engine';
import { jsonPatchLibrary, versionedLibraries } from '@kubeadmit/engine/environment';
import { costWords, functionWords, libraryCosts, ruleCosts } from '@kubeadmit/language/words';
import { code, type Page, table } from '../shared/page.ts';
import { namesIn, readText } from '../shared/repository.ts';
import { commentText } from './doc-comments.ts';

/** An example expression of a comment with its result. */
interface Example {
  readonly expression: string;
  readonly result: string;
  readonly cost: number | bigint;
}

/** The page with the functions that expressions have in Kubernetes, library by library. */
export function celPage(): Page {
  const comments = libraryComments();
  const sections = [
    ...versionedLibraries.map(({ from, library }) => section(library, versionText(from), comments)),
    section(jsonPatchLibrary, 'In mutations only.', comments),
  ];
  const markdown = `# CEL functions

The functions that expressions of policies can call: the [standard functions and macros of the language](https://github.com/google/cel-spec/blob/master/doc/langdef.md), and the libraries of Kubernetes. The results and costs of the examples were evaluated when this page was built. New policies can use the libraries of the previous Kubernetes version; stored policies can use all.

## Standard functions and macros

${standardTable()}

${sections.join('\n\n')}
`;
  return { path: 'reference/cel', markdown };
}

/** The functions and macros of the language itself, with their descriptions and costs. */
function standardTable(): string {
  const { functions = [], macros = [] } = standardLibrary;
  const called = functions.filter(
    ({ name, internal }) => internal !== true && /^[a-z]/i.test(name),
  );
  const names = new Set([...macros, ...called].map(({ name }) => name));
  const rows = [...names].flatMap((name) => {
    const words = functionWords[name];
    const forms = called.filter((each) => each.name === name).flatMap(signaturesOf);
    const shown = forms.length === 0 ? 'a macro' : [...new Set(forms)].map(code).join('<br>');
    return words === undefined
      ? []
      : [[code(name), words, costWords({ ruleCosts, libraryCosts }, name), shown]];
  });
  return table(['name', 'result', 'cost', 'forms'], rows);
}

function section(library: Library, version: string, comments: ReadonlyMap<string, string>): string {
  const comment = comments.get(library.name) ?? '';
  const [about = ''] = comment.split(/\n\n|\n- /);
  const signatures = (library.functions ?? [])
    .filter(({ internal }) => internal !== true)
    .flatMap(signaturesOf);
  const macros = (library.macros ?? []).map(({ name }) => `\`${name}\`, a macro`);
  const examples = examplesIn(comment);
  return [
    `## ${library.name}`,
    `${about.replaceAll('\n', ' ')} ${version}`,
    ...(signatures.map((signature) => `- ${code(signature)}`).length > 0
      ? [[...new Set(signatures)].map((signature) => `- ${code(signature)}`).join('\n')]
      : []),
    ...(macros.length > 0 ? [[...new Set(macros)].map((macro) => `- ${macro}`).join('\n')] : []),
    ...(examples.length > 0
      ? [
          table(
            ['expression', 'result', 'cost'],
            examples.map(({ expression, result, cost }) => [
              code(expression),
              code(result),
              String(cost),
            ]),
          ),
        ]
      : []),
  ].join('\n\n');
}

function versionText(from: number): string {
  return from <= oldestMinor ? `All versions.` : `Kubernetes 1.${from} and later.`;
}

function signaturesOf({ name, overloads }: FunctionDeclaration): string[] {
  return overloads.map(({ parameters, result, member }) => {
    const types = parameters.map(formatCelType);
    const call =
      member === true
        ? `${types[0]}.${name}(${types.slice(1).join(', ')})`
        : `${name}(${types.join(', ')})`;
    return `${call} -> ${formatCelType(result)}`;
  });
}

/** The expressions in a comment that can be evaluated by themselves, each with its result. */
function examplesIn(comment: string): Example[] {
  return [...comment.replaceAll('\n', ' ').matchAll(/`([^`]*\([^`]*)`/g)].flatMap(
    ([, expression = '']) => {
      const { result, cost } = evaluateExpression({ expression });
      return result === undefined || cost === undefined || result === expression
        ? []
        : [{ expression, result, cost }];
    },
  );
}

/** The comments over the libraries, by the names of these. */
function libraryComments(): ReadonlyMap<string, string> {
  const folders = [
    'packages/engine/src/libraries',
    'packages/cel/src/libraries',
    'packages/cel/src/standard',
  ];
  const paths = folders.flatMap((folder) => namesIn(folder).map((name) => `${folder}/${name}`));
  const library =
    /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\s*\nexport const \w+Library\b[^=]*= [^;]*?name: '([^']+)'/g;
  return new Map(
    paths.flatMap((path) =>
      [...readText(path).matchAll(library)].map(
        ([, comment = '', name = '']) => [name, commentText(comment)] as const,
      ),
    ),
  );
}
