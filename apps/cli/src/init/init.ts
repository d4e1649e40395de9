import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '@kubeadmit/files';
import { requireOwnPlace } from '../input/boundary.ts';
import { writing } from '../input/streams.ts';
import { writeWhole } from '../output/targets.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';
import { libraryFiles } from './library.ts';
import { type CiSystem, startFiles } from './templates.ts';

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
 * of the files exists.
 *
 * @throws CommandFailure if a file exists or cannot be written, or for an unknown policy
 */
export async function init(
  folder: string,
  { ci, from = [] }: InitOptions,
  { stdout }: Terminal,
): Promise<ExitCode> {
  const place = folder.replace(/\/+$/, '');
  const isCopy = from.length > 0;
  const files = isCopy ? libraryFiles(from, place, import.meta.dirname) : startFiles(place, ci);
  const there = [...files.keys()].filter((file) => existsSync(file));
  if (there.length > 0) {
    throw new CommandFailure(`nothing was written, because these files exist: ${there.join(', ')}`);
  }
  for (const [file, text] of files) {
    writing(file, () => {
      requireOwnPlace(file);
      makeFolder(dirname(file));
    });
    writeWhole(file, text);
    await write(stdout, `wrote ${file}\n`);
  }
  await write(stdout, `\nkubeadmit test ${folder} runs the tests.\n`);
  if (ci !== 'none' && !isCopy) await write(stdout, publicationNote);
  return exitCode.success;
}
