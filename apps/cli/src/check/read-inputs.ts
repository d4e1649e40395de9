import type { GivenManifest, Role } from '@kubeadmit/lint';
import { type InputProblem, readManifests } from '@kubeadmit/manifest';
import { readSources } from '../input/sources.ts';
import { Progress } from '../output/progress.ts';
import { CommandFailure, type Terminal } from '../terminal.ts';

/** Texts of fewer characters than this are read at once. */
const largeInput = 2_000_000;

/** Takes what is wrong with inputs, and what is only worth saying. */
export interface ProblemListener {
  readonly fail: (problem: InputProblem) => void;
  readonly note: (problem: InputProblem) => void;
}

/**
 * Reads the manifests of paths, each list of paths in its role.
 *
 * @throws CommandFailure when there are no paths, or standard input is named twice.
 */
export async function readInputs(
  roles: readonly (readonly [Role, readonly string[]])[],
  terminal: Terminal,
  { fail, note }: ProblemListener,
): Promise<readonly GivenManifest[]> {
  const all = roles.flatMap(([, list]) => list);
  if (all.length === 0) {
    throw new CommandFailure('nothing to read: name files or folders, or - for standard input');
  }
  if (all.filter((path) => path === '-').length > 1) {
    throw new CommandFailure('standard input (-) can be read only once');
  }
  const given: GivenManifest[] = [];
  for (const [role, list] of roles) {
    const { sources, problems, notes } = await readSources(list, terminal);
    problems.forEach(fail);
    notes.forEach(note);
    const total = sources.reduce((sum, { text }) => sum + text.length, 0);
    const progress = new Progress(terminal.stderr, total, largeInput);
    let done = 0;
    for (const source of sources) {
      progress.show('reading', done, total);
      const found = readManifests(source);
      found.problems.forEach(fail);
      given.push(...found.manifests.map((manifest) => ({ manifest, role })));
      if (found.manifests.length + found.problems.length === 0) {
        note({ file: source.name, message: 'no Kubernetes object in this file' });
      }
      done += source.text.length;
    }
    progress.clear();
  }
  return given;
}
