import { existsSync } from 'node:fs';
import type { Page } from './page.ts';
import { namesIn, readText, repositoryPath } from './repository.ts';

/** The changelog entry of one version. */
interface Entry {
  readonly package: string;
  readonly version: string;
  readonly text: string;
}

/**
 * The page with what changed: what the next release will bring, and of each version, which all packages have together,
 * what it brought to the programs and then to the packages.
 */
export function changelogPage(): Page {
  const next = namesIn('.changeset')
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) =>
      readText(`.changeset/${name}`)
        .replace(/^---[\s\S]*?---\s*/, '')
        .trim(),
    )
    .filter((text) => text !== '');
  const entries = ['apps', 'packages'].flatMap((parent) =>
    namesIn(parent).flatMap((folder) => entriesOf(`${parent}/${folder}/CHANGELOG.md`)),
  );
  const versions = [...new Set(entries.map(({ version }) => version))];
  const parts = [
    '# Changelog',
    ...(next.length === 0
      ? []
      : ['## Next release', ...next.map((text) => `- ${escaped(text).replaceAll('\n', '\n  ')}`)]),
    ...versions.flatMap((version) => [
      `## ${version}`,
      ...entries
        .filter((entry) => entry.version === version)
        .flatMap((entry) => [`### ${entry.package}`, escaped(entry.text)]),
    ]),
  ];
  return { path: 'changelog', markdown: `---\noutline: [2, 3]\n---\n\n${parts.join('\n\n')}\n` };
}

function entriesOf(path: string): readonly Entry[] {
  if (!existsSync(repositoryPath(path))) return [];
  const [heading = '', ...versions] = readText(path).split(/^## /m);
  return versions.map((text) => {
    const end = text.indexOf('\n');
    return {
      package: heading.replace('#', '').trim(),
      version: text.slice(0, end).trim(),
      text: text.slice(end).replace('The first release.', '').trim(),
    };
  });
}

function escaped(text: string): string {
  return text
    .split(/(`+[^`]*`+)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');
}
