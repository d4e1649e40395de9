import { existsSync } from 'node:fs';
import type { Page } from './page.ts';
import { namesIn, readText, repositoryPath } from './repository.ts';

/** The page with what changed: what was released, and before that what the next release will bring. */
export function changelogPage(): Page {
  const next = namesIn('.changeset')
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) =>
      readText(`.changeset/${name}`)
        .replace(/^---[\s\S]*?---\s*/, '')
        .trim(),
    )
    .filter((text) => text !== '');
  const path = 'apps/cli/CHANGELOG.md';
  const released = existsSync(repositoryPath(path)) ? readText(path).replace(/^# .*$/m, '') : '';
  const markdown = `---
outline: false
---

# Changelog

${next.length > 0 ? `## Next release\n\n${next.map((text) => `- ${escaped(text).replaceAll('\n', '\n  ')}`).join('\n\n')}` : ''}

${released.trim()}
`;
  return { path: 'changelog', markdown };
}

function escaped(text: string): string {
  return text
    .split(/(`+[^`]*`+)/)
    .map((part, i) => (i % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');
}
