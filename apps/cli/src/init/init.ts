import { existsSync, lstatSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '@kubeadmit/files';
import { requireOwnPlace } from '../input/local/boundary.ts';
import { writing } from '../input/streams.ts';
import { printableLine } from '../output/style.ts';
import { writeWhole } from '../output/targets.ts';
import {
  CommandFailure,
  type ExitCode,
  exitCode,
  type Terminal,
  write,
} from '../process/terminal.ts';
import { libraryFiles } from './library.ts';
import { type CiSystem, folderNameProblem, jobFiles, startFiles } from './templates.ts';

/** The options of `kubeadmit init`. */
export interface InitOptions {
  readonly ci: CiSystem;
  /** Names of policies of the library to copy instead of the template. */
  readonly from?: readonly string[];
}

const publicationNote = `
The job installs an exact version of @kubeadmit/cli from npm. Before you commit it, check that this
project has published it: npm view @kubeadmit/cli versions repository.url
`;

/**
 * Writes a policy with a binding, tests and a CI job, or policies of the library with their tests. Writes nothing if one
 * of the files exists or cannot be written.
 *
 * @throws CommandFailure if a file exists or cannot be written, or for an unknown policy
 */
export async function init(
  folder: string,
  { ci, from = [] }: InitOptions,
  { stdout }: Terminal,
): Promise<ExitCode> {
  const problem = ci === 'none' ? undefined : folderNameProblem(folder);
  if (problem !== undefined) {
    throw new CommandFailure(
      `${printableLine(folder)}: the folder name ${problem}; use another name or --ci none`,
    );
  }
  const place = folder.replace(/\/+$/, '');
  const isCopy = from.length > 0;
  const files = isCopy ? libraryFiles(from, place, import.meta.dirname) : startFiles(place, ci);
  const there = [...files.keys()].filter((file) => existsSync(file));
  if (there.length > 0) {
    throw new CommandFailure(
      `nothing was written, because these files exist: ${there.join(', ')} (${wayAround(there)})`,
    );
  }
  writeAll(files);
  for (const file of files.keys()) await write(stdout, `wrote ${printableLine(file)}\n`);
  await write(stdout, `\nkubeadmit test ${printableLine(folder)} runs the tests.\n`);
  if (ci !== 'none' && !isCopy) await write(stdout, publicationNote);
  return exitCode.success;
}

/**
 * Writes all files, or none: files and folders that were created are removed if one cannot be written.
 *
 * @throws CommandFailure if a file cannot be written
 */
function writeAll(files: ReadonlyMap<string, string>): void {
  for (const file of files.keys()) writing(file, () => requireOwnPlace(file));
  const created: string[] = [];
  try {
    for (const [file, text] of files) {
      writing(file, () => {
        created.push(...missingFolders(dirname(file)));
        makeFolder(dirname(file));
      });
      created.push(file);
      writeWhole(file, text);
    }
  } catch (error) {
    for (const path of created.reverse()) removeCreated(path);
    throw error;
  }
}

/** The folders that do not exist on the way to a folder, the outer ones first. */
function missingFolders(folder: string): readonly string[] {
  if (existsSync(folder)) return [];
  return [...missingFolders(dirname(folder)), folder];
}

function removeCreated(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) rmSync(path);
  else if (readdirSync(path).length === 0) rmdirSync(path);
}

/** Returns the options that avoid existing files: those of the policy, the CI job, or both. */
function wayAround(there: readonly string[]): string {
  const jobs = there.filter((file) => jobFiles.has(file));
  const ways = [
    ...(jobs.length < there.length ? ['another folder'] : []),
    ...(jobs.length > 0 ? ['--ci none'] : []),
  ];
  return `use ${ways.join(' and ')}`;
}
