import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The root of the repository. */
const repository: string = fileURLToPath(new URL('../../../../../', import.meta.url));

/** The path on this machine of a file of the repository. */
export function repositoryPath(path: string): string {
  return repository + path;
}

/** The text of a file of the repository. */
export function readText(path: string): string {
  return readFileSync(repository + path, 'utf8');
}

/** The names in a folder of the repository, sorted. */
export function namesIn(folder: string): string[] {
  return readdirSync(repository + folder).sort();
}

/** The names of the folders in a folder of the repository, sorted. */
export function foldersIn(folder: string): string[] {
  return readdirSync(repository + folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .map(({ name }) => name)
    .sort();
}

/** The section of a Markdown text under a heading of the second level, without the heading. */
export function sectionOf(markdown: string, heading: string): string | undefined {
  const start = markdown.indexOf(`\n## ${heading}\n`);
  if (start === -1) return undefined;
  const body = markdown.slice(start + heading.length + 5);
  const end = body.search(/\n## /);
  return (end === -1 ? body : body.slice(0, end)).trim();
}
