import { block, type Page, table } from '../shared/page.ts';
import { foldersIn, readText } from '../shared/repository.ts';
import { type Declaration, declarationsOf } from './doc-comments.ts';

interface Manifest {
  readonly name: string;
  readonly description?: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** A page for each package with its exports, from the doc comments, and one that lists the packages. */
export function apiPages(): Page[] {
  const packages = foldersIn('packages').map((folder) => ({
    folder,
    manifest: JSON.parse(readText(`packages/${folder}/package.json`)) as Manifest,
  }));
  const rows = packages.map(({ folder, manifest: { name, description = '' } }) => [
    `[${name}](./${folder})`,
    description,
  ]);
  const index = `# TypeScript API

The exports of every package, generated from the comments in the code.

${table(['package', 'purpose'], rows)}
`;
  return [
    { path: 'reference/api/index', markdown: index },
    ...packages.map(({ folder, manifest }) => apiPage(folder, manifest)),
  ];
}

function apiPage(folder: string, { name, description = '', exports = {} }: Manifest): Page {
  const entries = Object.entries(exports).flatMap(([entry, targets]) => {
    const source = typeof targets === 'string' ? undefined : targets['@kubeadmit/source'];
    if (source === undefined) return [];
    const specifier = entry === '.' ? name : `${name}${entry.slice(1)}`;
    return [entrySection(specifier, `packages/${folder}/${source.replace(/^\.\//, '')}`)];
  });
  const markdown = `---
outline: [2, 2]
---

# ${name}

${description}.

${entries.join('\n\n')}
`;
  return { path: `reference/api/${folder}`, markdown };
}

function entrySection(specifier: string, path: string): string {
  const declarations = exportsOf(path).sort((a, b) => (a.name < b.name ? -1 : 1));
  const parts = declarations.map(
    ({ name, kind, text, signature }) =>
      `### ${name}\n\n<span class="kind">${kind}</span> ${text === '' ? '*(no comment)*' : escaped(text)}\n\n${block('ts', signature)}`,
  );
  return `## \`${specifier}\`\n\n${parts.join('\n\n')}`;
}

/** Returns the exports of a module with their declarations. */
function exportsOf(path: string): Declaration[] {
  const source = readText(path);
  const own = [...declarationsOf(source).values()];
  const forwarded = [...source.matchAll(/export (?:type )?\{([^}]*)\} from '(\.[^']*)'/g)].flatMap(
    ([, names = '', from = '']) => {
      const known = declarationsOf(readText(joined(path, from)));
      return names.split(',').flatMap((each) => {
        const [name = '', alias = name] = each
          .trim()
          .replace(/^type /, '')
          .split(' as ');
        const found = known.get(name) ?? indirect(joined(path, from), name);
        return found === undefined ? [] : [{ ...found, name: alias }];
      });
    },
  );
  return [...own, ...forwarded];
}

/** A declaration that a module only passes on. */
function indirect(path: string, name: string): Declaration | undefined {
  return exportsOf(path).find((each) => each.name === name);
}

function joined(path: string, relative: string): string {
  return new URL(relative, `file:///${path}`).pathname.slice(1);
}

/** A comment as Markdown, with characters escaped that look like elements or templates. */
function escaped(text: string): string {
  return text
    .split(/(`+[^`]*`+)/)
    .map((part, i) =>
      i % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;'),
    )
    .join('')
    .replaceAll(/^@(\w+)/gm, '\n**@$1**');
}
