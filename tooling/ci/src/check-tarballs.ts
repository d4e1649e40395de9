import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { argument, tarballsIn } from './workspace.ts';

/** How large a package may be once it is installed, in bytes. */
const mostInstalled: ReadonlyMap<string, number> = new Map([['kubeadmit-schemas', 3_000_000]]);
/** The resolution modes of `require` and of tools that ignore exports. */
const UNMEANT: ReadonlySet<string> = new Set(['node10', 'node16-cjs']);
const UNWANTED = /^package\/(src\/)?(test|bench)\/|(^|\/)node_modules\/|\.tsbuildinfo$|\.test\./;

for (const tarball of tarballsIn(argument(0, 'folder of the tarballs'))) {
  const name = basename(tarball);
  const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
  const unwanted = files.filter((file) => UNWANTED.test(file));
  const missing = ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']
    .map((file) => `package/${file}`)
    .filter((file) => !files.includes(file));
  const size = unpackedSize(tarball);
  const limit = mostInstalled.get(name.replace(/-\d.*/, '')) ?? Number.POSITIVE_INFINITY;
  if (size > limit) {
    console.error(`${name}: ${size} bytes installed, more than ${limit}`);
    process.exitCode = 1;
  }
  if (unwanted.length > 0 || missing.length > 0) {
    console.error(`${name}: unwanted ${unwanted.join(' ')}; missing ${missing.join(' ')}`);
    process.exitCode = 1;
  }
  const problems = [
    ...manifestProblems(tarball),
    ...readmeProblems(tarball),
    ...changelogProblems(tarball),
    ...sourceProblems(files),
    ...importProblems(tarball, files),
    ...(await publishProblems(tarball)),
    ...(await typeProblems(tarball)),
  ];
  for (const problem of problems) {
    console.error(`${name}: ${problem}`);
    process.exitCode = 1;
  }
}

function textOf(tarball: string, ...files: readonly string[]): string {
  const names = files.map((file) => `package/${file}`);
  const options = { encoding: 'utf8', maxBuffer: 1 << 27 } as const;
  return execFileSync('tar', ['-xOzf', tarball, ...names], options);
}

function manifestOf(tarball: string): Readonly<Record<string, unknown>> {
  return JSON.parse(textOf(tarball, 'package.json')) as Readonly<Record<string, unknown>>;
}

/** Checks the manifest fields that a registry shows. */
function manifestProblems(tarball: string): string[] {
  const manifest = manifestOf(tarball);
  const wanted = [
    'description',
    'keywords',
    'license',
    'homepage',
    'bugs',
    'repository',
    'engines',
  ];
  const { scripts = {} } = manifest as { scripts?: Readonly<Record<string, string>> };
  return [
    ...wanted.filter((field) => !(field in manifest)).map((field) => `no \`${field}\``),
    ...['preinstall', 'install', 'postinstall']
      .filter((script) => script in scripts)
      .map((script) => `a script that runs at ${script}`),
  ];
}

/** A registry does not have the files next to a README in the repository. */
function readmeProblems(tarball: string): string[] {
  const links = textOf(tarball, 'README.md').matchAll(/\]\((?!https?:|#)([^)\s]+)\)/g);
  return Array.from(links, ([, link]) => `the README has a relative link: ${link}`);
}

/** Checks that the changelog describes the version. */
function changelogProblems(tarball: string): string[] {
  const { version } = manifestOf(tarball);
  const changelog = textOf(tarball, 'CHANGELOG.md');
  return changelog.includes(`\n## ${version}\n`) ? [] : [`CHANGELOG.md has no ${version}`];
}

/** Sources are in the maps of the built files. */
function sourceProblems(files: readonly string[]): string[] {
  return files.some((file) => file.startsWith('package/src/')) ? ['sources beside their maps'] : [];
}

/**
 * Checks that the code and types of a library import only packages that are dependencies: private ones are bundled.
 * Programs bundle everything, and their types are those of their entry.
 */
function importProblems(tarball: string, files: readonly string[]): string[] {
  const {
    name,
    bin,
    dependencies = {},
  } = manifestOf(tarball) as {
    readonly name: string;
    readonly bin?: unknown;
    readonly dependencies?: Readonly<Record<string, string>>;
  };
  if (bin !== undefined) return [];
  const modules = files.filter((file) => /\.(?:d\.ts|js)$/.test(file));
  const text = textOf(tarball, ...modules.map((file) => file.replace('package/', '')));
  const imports = text.matchAll(/\b(?:from|import) ?\(?["'](@kubeadmit\/[a-z-]+)/g);
  return [...new Set(Array.from(imports, ([, imported = '']) => imported))]
    .filter((imported) => imported !== name && !(imported in dependencies))
    .map((imported) => `imports ${imported}, which is not a dependency`);
}

/** Returns the problems that publint finds. */
async function publishProblems(tarball: string): Promise<string[]> {
  const { buffer } = new Uint8Array(readFileSync(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  return messages.map((message) => formatMessage(message, pkg) ?? message.code);
}

/**
 * Returns the problems with types that importers of a package have.
 *
 * Only ES modules and resolvers that support `exports` count.
 */
async function typeProblems(tarball: string): Promise<string[]> {
  if (!('exports' in manifestOf(tarball))) return [];
  const checked = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (checked.types === false) return ['no types'];
  return checked.problems
    .filter((problem) => !('resolutionKind' in problem && UNMEANT.has(problem.resolutionKind)))
    .map((problem) => `types: ${JSON.stringify(problem)}`);
}

/** The bytes of all files of a tarball. */
function unpackedSize(tarball: string): number {
  const listed = execFileSync('tar', ['-tzvf', tarball], { encoding: 'utf8' });
  const sizes = listed
    .trim()
    .split('\n')
    .map((line) => Number(line.split(/\s+/)[2]));
  return sizes.reduce((sum, size) => sum + size, 0);
}
