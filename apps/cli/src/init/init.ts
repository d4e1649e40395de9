import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '@kubeadmit/files';
import { requireOwnPlace } from '../input/boundary.ts';
import { writing } from '../input/streams.ts';
import { writeWhole } from '../output/targets.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal, write } from '../terminal.ts';
import { type CiSystem, startFiles } from './templates.ts';

/** The options of `kubeadmit init`. */
export interface InitOptions {
  readonly ci: CiSystem;
}

const publicationNote = `
The job installs an exact version of @kubeadmit/cli from npm. Before you commit it, check that this
project has published it: npm view @kubeadmit/cli versions repository.url
`;

/**
 * Writes a policy, its binding, their tests and a job of CI to start from; nothing where one of the files is there.
 *
 * @throws CommandFailure when a file is there already, or cannot be written.
 */
export async function init(
  folder: string,
  { ci }: InitOptions,
  { stdout }: Terminal,
): Promise<ExitCode> {
  const files = startFiles(folder.replace(/\/+$/, ''), ci);
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
  if (ci !== 'none') await write(stdout, publicationNote);
  return exitCode.success;
}
