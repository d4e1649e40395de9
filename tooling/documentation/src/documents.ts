import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Block, blocksOf } from './markdown.ts';

/** The root of the repository. */
export const ROOT: string = fileURLToPath(new URL('../../../', import.meta.url));

/** The folder of the docs site. */
export const SITE = 'apps/docs-site';

/** A document whose commands and snippets have to be true. */
export interface DocumentFile {
  /** The path from the root of the repository. */
  readonly path: string;
  readonly blocks: readonly Block[];
  /** The paths of this repository that its text names. */
  readonly namedPaths: readonly string[];
}

/** The documents of the repository and of every package, app and example that has a README. */
export function documents(): DocumentFile[] {
  const readmes = ['packages', 'apps', 'examples'].flatMap((group) =>
    readdirSync(join(ROOT, group)).map((entry) => `${group}/${entry}/README.md`),
  );
  const ofRoot = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'RECIPES.md'];
  return [...ofRoot, ...readmes, ...pagesOfTheSite()]
    .filter((path) => existsSync(join(ROOT, path)))
    .map((path) => {
      const markdown = readFileSync(join(ROOT, path), 'utf8');
      return { path, blocks: blocksOf(markdown), namedPaths: namedPathsOf(markdown) };
    });
}

/** The pages of the docs site that people wrote. */
function pagesOfTheSite(): string[] {
  const guides = readdirSync(join(ROOT, SITE, 'guides')).map((name) => `guides/${name}`);
  return ['index.md', ...guides.sort()].map((path) => `${SITE}/${path}`);
}

const NAMED_PATH = /`((?:apps(?!\/v\d)|packages|tooling|examples|conformance|\.ci)\/[\w./@-]*)`/g;

function namedPathsOf(markdown: string): string[] {
  return [...new Set([...markdown.matchAll(NAMED_PATH)].map(([, path = '']) => path))];
}

/** A TypeScript snippet with the output that the `text` block after it shows. */
export interface Snippet {
  /** `path:line` of the snippet. */
  readonly place: string;
  readonly source: string;
  readonly output: string | undefined;
}

/** The `ts` blocks of a document; a `text` block right after one is its output. */
export function snippetsOf({ path, blocks }: DocumentFile): Snippet[] {
  return blocks.flatMap((block, index) => {
    if (block.language !== 'ts') return [];
    const next = blocks[index + 1];
    const output = next?.language === 'text' ? next.text.trimEnd() : undefined;
    return [{ place: `${path}:${block.line}`, source: block.text, output }];
  });
}
