import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closest, didYouMean } from '@kubeadmit/base';
import { isSuite } from '../input/local/wanted-names.ts';
import { CommandFailure } from '../process/terminal.ts';

/** The folders that may contain the library, from the folder of this code: in the package, and in the repository. */
const places = ['policies', '../policies', '../../../../examples'];

/** A comment for editors with the path of the schema in the repository. */
const schemaComment = /^# yaml-language-server: .*\n/;

/**
 * Returns the files of policies of the library by their paths below `folder`: `FOLDER/NAME/policy.yaml`.
 *
 * @param names names of policies; `all` stands for every one
 * @param here the folder of the program's code
 * @throws CommandFailure for an unknown name
 */
export function libraryFiles(
  names: readonly string[],
  folder: string,
  here: string,
): ReadonlyMap<string, string> {
  const library = places.map((place) => join(here, place)).find(existsSync);
  if (library === undefined) throw new CommandFailure('this installation has no policy library');
  const known = readdirSync(library, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'kyverno')
    .map(({ name }) => name)
    .sort();
  const chosen = names.includes('all') ? known : [...new Set(names)];
  for (const name of chosen) {
    if (known.includes(name)) continue;
    const list = `; expected all or one of ${known.join(', ')}`;
    throw new CommandFailure(`unknown policy "${name}"${didYouMean(closest(name, known)) || list}`);
  }
  return new Map(
    chosen.flatMap((name) =>
      filesOfPolicy(join(library, name)).map(({ file, text }) => {
        return [`${folder}/${name}/${file}`, text.replace(schemaComment, '')] as const;
      }),
    ),
  );
}

/** A suite names the files of its policy; the other files show the policy in the documentation. */
function filesOfPolicy(
  folder: string,
): readonly { readonly file: string; readonly text: string }[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));
  const suites = files.filter(({ file }) => isSuite(file));
  return files.filter(
    (one) => suites.includes(one) || suites.some(({ text }) => text.includes(one.file)),
  );
}
