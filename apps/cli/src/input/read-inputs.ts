import type { FieldValidation } from '@kubeadmit/check';
import type { GivenManifest } from '@kubeadmit/lint';
import type { Role } from '@kubeadmit/lint/inputs';
import { type InputProblem, type Manifest, readManifests, type Source } from '@kubeadmit/manifest';
import { Progress } from '../process/progress.ts';
import { CommandFailure, type Terminal } from '../process/terminal.ts';
import { expectedSources } from './chainsaw-files.ts';
import { isChart } from './elsewhere/programs.ts';
import { isActing } from './is-acting.ts';
import { boundaryOf } from './local/boundary.ts';
import { isArchiveName } from './local/found-text.ts';
import { type FileOptions, readSources } from './sources.ts';
import { isKyvernoTest, testObjectFiles } from './test-objects.ts';

/** Texts of fewer characters than this are read at once. */
const largeInput = 2_000_000;

/**
 * The number of characters up to which parsed objects are kept in memory. Parsing them again takes a fifteenth of the
 * time of a check, and they take twice the memory of their texts.
 */
const mostHeld = 8_000_000;

/** Receives errors of inputs, skipped manifests, and warnings. */
export interface ProblemListener {
  readonly fail: (problem: InputProblem) => void;
  readonly skip: (skipped: readonly InputProblem[]) => void;
  readonly note: (problem: InputProblem) => void;
}

/** How inputs are read, and which of them are skipped. */
export interface ReadOptions extends FileOptions {
  readonly terminal: Terminal;
  readonly listener: ProblemListener;
  readonly skipKinds?: readonly string[];
  readonly helmValues?: readonly string[];
  readonly namespace?: string;
  readonly kubernetesVersion?: string | undefined;
  /** Whether the objects of large inputs may be released and parsed again on use (default: false). */
  readonly mayRelease?: boolean;
  /** How repeated keys are treated (default: rejected). */
  readonly validate?: FieldValidation;
}

/**
 * Reads the manifests of paths, each list of paths in its role.
 *
 * @throws CommandFailure when there are no paths.
 */
export async function readInputs(
  roles: readonly (readonly [Role, readonly string[]])[],
  options: ReadOptions,
): Promise<readonly GivenManifest[]> {
  const { terminal, listener, skipKinds = [] } = options;
  const all = roles.flatMap(([, list]) => list);
  if (all.length === 0) {
    throw new CommandFailure('nothing to read: name files or folders, or - for standard input');
  }
  const boundary = boundaryOf(all, options, terminal);
  const left = new Set(skipKinds.map((kind) => kind.toLowerCase()));
  const kinds = new Set<string>();
  const given: GivenManifest[] = [];
  const memory = new HeldObjects(options.mayRelease ?? false);
  for (const [role, list] of roles) {
    const { sources, problems, notes, skipped, found, suites } = await readSources(list, terminal, {
      ...options,
      isFollowing: true,
      boundary,
    });
    problems.forEach(listener.fail);
    listener.skip(skipped);
    notes.forEach(listener.note);
    const tests = [...suites, ...sources.filter(({ name }) => isKyvernoTest(name))];
    // Without `-r`, the objects of tests are checked like all others.
    const testObjects = await testObjectFiles(role === 'policies' ? tests : []);
    const expected = expectedSources(sources.filter((source) => found.has(source)));
    listener.skip(
      [...expected].map(([{ name }, test]) => ({
        file: name,
        message: `skipped: ${test} only compares objects with it`,
      })),
    );
    const read = sources.filter((source) => !expected.has(source));
    const total = read.reduce((sum, { text }) => sum + text.length, 0);
    const progress = new Progress(terminal, total, largeInput);
    let done = 0;
    for (const source of read) {
      progress.show('reading', done, total);
      const manifests = readSource(source, found.has(source), options);
      for (const { kind } of manifests) kinds.add(kind.toLowerCase());
      const kept = manifests.filter(
        (manifest) =>
          !left.has(manifest.kind.toLowerCase()) &&
          (!testObjects.has(source.name) || isActing(manifest)),
      );
      memory.take(kept, source.text.length);
      given.push(...kept.map((manifest) => ({ manifest, role })));
      done += source.text.length;
    }
    progress.clear();
  }
  noteUnusedOptions(options, all, kinds);
  return given;
}

/**
 * Returns the manifests of a source, and reports its problems.
 *
 * @param isFound whether the source was found in a folder instead of being named
 */
function readSource(
  source: Source,
  isFound: boolean,
  { listener: { fail, note }, validate = 'strict' }: ReadOptions,
): readonly Manifest[] {
  const allowsDuplicates = validate !== 'strict';
  const { manifests, problems } = readManifests(source, { allowsDuplicates });
  for (const problem of problems) {
    if (problem.isDuplicate === true && allowsDuplicates) {
      if (validate === 'warn') note(problem);
      continue;
    }
    // Other files are normal in folders, and an error if they were named.
    const isPassed = problem.isForeign === true && isFound;
    if (isPassed) note({ ...problem, message: `skipped: ${problem.message}` });
    else fail(problem);
  }
  if (manifests.length + problems.length === 0) {
    note({ file: source.name, message: 'the file contains no Kubernetes object' });
  }
  return manifests;
}

/** Bounds the memory that objects take while they are read. */
class HeldObjects {
  readonly #mayRelease: boolean;
  #held = 0;

  constructor(mayRelease: boolean) {
    this.#mayRelease = mayRelease;
  }

  /** Counts the manifests of a text of this length, and releases their objects beyond the limit. */
  take(manifests: readonly Manifest[], length: number): void {
    for (const manifest of manifests) {
      if (this.#mayRelease && this.#held >= mostHeld) manifest.release();
      else this.#held += length / manifests.length;
    }
  }
}

function noteUnusedOptions(
  { listener: { note }, skipKinds = [], helmValues = [] }: ReadOptions,
  paths: readonly string[],
  kinds: ReadonlySet<string>,
): void {
  for (const kind of skipKinds.filter((each) => !kinds.has(each.toLowerCase()))) {
    note({ file: `--skip-kinds ${kind}`, message: 'no object has this kind' });
  }
  const isRendering = paths.some((path) => isChart(path) || isArchiveName(path));
  for (const file of isRendering ? [] : helmValues) {
    note({
      file: `--helm-values ${file}`,
      message: 'the inputs contain no Helm chart, so the values are unused',
    });
  }
}
