import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type ExportedName, exportedNames } from './exported-names.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

/** The report of one package: its path in the repository, and its text. */
export interface Report {
  readonly path: string;
  readonly text: string;
}

interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | { readonly '@kubeadmit/source'?: string }>>;
}

/** The reports of all packages, as the sources are now. */
export function reports(): readonly Report[] {
  return readdirSync(`${ROOT}packages`)
    .filter((folder) => existsSync(`${ROOT}packages/${folder}/package.json`))
    .map((folder) => ({ path: `packages/${folder}/api.md`, text: reportOf(folder) }));
}

/** The text of a file of the repository; undefined where there is none. */
export function readText(path: string): string | undefined {
  return existsSync(ROOT + path) ? readFileSync(ROOT + path, 'utf8') : undefined;
}

/** The place of a file of the repository on this machine. */
export function placeOf(path: string): string {
  return ROOT + path;
}

function reportOf(folder: string): string {
  const read = (path: string): string => readFileSync(ROOT + path, 'utf8');
  const { name, exports = {} } = JSON.parse(read(`packages/${folder}/package.json`)) as Manifest;
  const sections = Object.entries(exports).flatMap(([entry, target]) => {
    const source = typeof target === 'object' ? target['@kubeadmit/source'] : undefined;
    if (source === undefined) return [];
    const path = `packages/${folder}/${source.slice('./'.length)}`;
    return [section(name + entry.slice(1), exportedNames(path, read))];
  });
  return `# What \`${name}\` exports\n\n${sections.join('\n')}`;
}

function section(entry: string, names: readonly ExportedName[]): string {
  const rows = names.map(({ name, kind }) => `- ${kind} \`${name}\`\n`);
  return `## \`${entry}\`: ${names.length}\n\n${rows.join('')}`;
}
