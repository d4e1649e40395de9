import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { code, type Page, table } from './shared/page.ts';
import { foldersIn, repositoryPath } from './shared/repository.ts';

/** A package of others that a published package contains or depends on. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  /** As SPDX writes it, or an empty string. */
  readonly licence: string;
  /** The author that the package names, or the owner of its repository. */
  readonly maintainer: string;
  /** The published packages that use it, directly or through others. */
  readonly usedBy: readonly string[];
}

/** The page with all third-party packages that users of the published packages run. */
export function dependenciesPage(): Page {
  const rows = dependencies().map(({ name, version, licence, maintainer, usedBy }) => [
    `[${code(name)}](https://www.npmjs.com/package/${name})`,
    version,
    code(licence),
    code(maintainer),
    usedBy.map(code).join(', '),
  ]);
  return {
    path: 'dependencies',
    markdown: `# Dependencies

The third-party packages that run as part of kubeadmit, with their own dependencies. The CLI bundles them; of packages that it uses in part, only the bundled dependencies are listed. Versions come from the lock file; licenses and maintainers come from each package.

${table(['package', 'version', 'license', 'maintainer', 'used by'], rows)}
`,
  };
}

/** The fields of a `package.json` that are read. */
interface PackageManifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
  readonly author?: Person;
  readonly maintainers?: readonly Person[];
  readonly repository?: string | { readonly url?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

type Person = string | { readonly name?: string };

/** All third-party packages that published packages use, sorted by name and version. */
export function dependencies(): readonly Dependency[] {
  const found = new Map<string, { manifest: PackageManifest; usedBy: Set<string> }>();
  const visit = (name: string, from: string, user: string, bundled?: Bundled): void => {
    const folder = folderOf(name, from);
    if (folder === undefined) return;
    const manifest = manifestOf(folder);
    if (bundled !== undefined && !bundled.has(manifest.name)) return;
    const key = `${manifest.name} ${manifest.version}`;
    const known = found.get(key) ?? { manifest, usedBy: new Set() };
    found.set(key, known);
    if (known.usedBy.has(user)) return;
    known.usedBy.add(user);
    for (const each of Object.keys(manifest.dependencies ?? {})) visit(each, folder, user, bundled);
  };
  for (const folder of publishedFolders()) {
    const { name: user, peerDependencies = {} } = manifestOf(folder);
    // A peer is the user's own choice.
    const names = [...importedNames(join(folder, 'src'))];
    const bundled = bundledNames(folder);
    for (const name of names.filter((each) => !Object.hasOwn(peerDependencies, each))) {
      visit(name, folder, user, bundled);
    }
  }
  return [...found.entries()]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([, { manifest, usedBy }]) => ({
      name: manifest.name,
      version: manifest.version,
      licence: licenceOf(manifest),
      maintainer: maintainerOf(manifest),
      usedBy: [...usedBy].sort(),
    }));
}

/** The names of the packages that a bundle contains. */
type Bundled = ReadonlySet<string>;

/** The packages in the bundle of a built program; undefined for packages that are not bundled. */
function bundledNames(folder: string): Bundled | undefined {
  const licences = join(folder, 'dist', 'licenses.md');
  if (!existsSync(licences)) return undefined;
  const headings = readFileSync(licences, 'utf8').matchAll(/^## (\S+) - /gm);
  return new Set([...headings].map(([, name = '']) => name));
}

function publishedFolders(): readonly string[] {
  return ['packages', 'apps']
    .flatMap((group) => foldersIn(group).map((name) => repositoryPath(`${group}/${name}`)))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .filter((folder) => manifestOf(folder).private !== true);
}

function manifestOf(folder: string): PackageManifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageManifest;
}

const imports = /^(?:import|export)\b(?! type\b)[^'";]*?from '([^']+)';|\bimport\('([^']+)'\)/gm;

/** The names of third-party packages that the sources of a folder import, but for types. */
function importedNames(folder: string): ReadonlySet<string> {
  const names = new Set<string>();
  if (!existsSync(folder)) return names;
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, fixed, dynamic] of text.matchAll(imports)) {
      const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(fixed ?? dynamic ?? '') ?? [''];
      if (!/^(?:$|\.|node:|@kubeadmit$|@kubeadmit\/)/.test(name)) names.add(name);
    }
  }
  return names;
}

/** The folder of an installed package, as Node finds it from another folder. */
function folderOf(name: string, from: string): string | undefined {
  for (let folder = realpathSync(from); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (folder === dirname(folder)) return undefined;
  }
}

function licenceOf({ license, licenses }: PackageManifest): string {
  const one = typeof license === 'object' ? license.type : license;
  return one ?? (licenses ?? []).map(({ type }) => type).join(' OR ');
}

function maintainerOf({ author, maintainers = [], repository }: PackageManifest): string {
  const [person] = [author, ...maintainers].map(nameOf).filter((name) => name !== '');
  const url = (typeof repository === 'object' ? repository.url : repository) ?? '';
  const [, owner = ''] = /(?:github\.com[/:]|^)([\w.-]+)\/[\w.-]+$/.exec(url) ?? [];
  return person ?? owner;
}

function nameOf(person: Person | undefined): string {
  const text = typeof person === 'object' ? (person.name ?? '') : (person ?? '');
  return text.replace(/\s*[<(].*$/, '').trim();
}
