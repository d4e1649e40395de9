import { existsSync } from 'node:fs';
import type { Page } from './shared/page.ts';
import { namesIn, readText, repositoryPath } from './shared/repository.ts';

/** The text of a version that was never released; the page omits it. */
const unpublished = 'not published';

/** The changelog entry of one version. */
interface Entry {
  readonly package: string;
  readonly version: string;
  readonly text: string;
}

/**
 * Returns the page with the changes of the next release and of each released version, by package. All packages have
 * the same version; programs come first in released versions.
 */
export function changelogPage(): Page {
  const next = namesIn('.changeset')
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => changeIn(readText(`.changeset/${name}`)))
    .filter(({ text }) => text !== '');
  const entries = ['apps', 'packages'].flatMap((parent) =>
    namesIn(parent).flatMap((folder) => entriesOf(`${parent}/${folder}/CHANGELOG.md`)),
  );
  const versions = [...new Set(entries.map(({ version }) => version))];
  const parts = [
    '# Changelog',
    ...(next.length === 0
      ? []
      : [
          '## Next release',
          ...next.flatMap(({ packages, text }) => [`### ${packages.join(', ')}`, escaped(text)]),
        ]),
    ...versions.flatMap((version) => [
      `## ${version}`,
      ...entries
        .filter((entry) => entry.version === version)
        .flatMap((entry) => [`### ${entry.package}`, escaped(entry.text)]),
    ]),
  ];
  return { path: 'changelog', markdown: `---\noutline: [2, 3]\n---\n\n${parts.join('\n\n')}\n` };
}

/** Returns the packages and the text of a changeset. */
function changeIn(changeset: string): {
  readonly packages: readonly string[];
  readonly text: string;
} {
  const [, head = '', text = ''] = /^---([\s\S]*?)---([\s\S]*)$/.exec(changeset) ?? [];
  const packages = [...head.matchAll(/^["']([^"']+)["']:/gm)].map(([, name = '']) => name);
  return { packages, text: text.trim() };
}

function entriesOf(path: string): readonly Entry[] {
  if (!existsSync(repositoryPath(path))) return [];
  const [heading = '', ...versions] = readText(path).split(/^## /m);
  const released = versions.filter((text) => !text.includes(unpublished));
  return released.map((text) => {
    const end = text.indexOf('\n');
    return {
      package: heading.replace('#', '').trim(),
      version: text.slice(0, end).trim(),
      text: text.slice(end).trim(),
    };
  });
}

function escaped(text: string): string {
  return text
    .split(/(`+[^`]*`+)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');
}
