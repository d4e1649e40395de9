import { dirname, isAbsolute, join, normalize } from 'node:path';
import { getOrMake } from '@kubeadmit/base';
import type { TestHost } from '@kubeadmit/testing/other-tools';
import { boundaryOf } from '../input/local/boundary.ts';
import { testHost } from '../prepare/test-host.ts';
import { type ExitCode, exitCode, type Terminal } from '../process/terminal.ts';
import { WatchEvents } from '../watch/events.ts';
import { changedFiles, type FileStates, fileStates, foldersOf } from '../watch/file-states.ts';
import { fixedPart } from '../watch/places.ts';
import {
  againKeys,
  changesTitle,
  isForPrograms,
  quitKeys,
  refuseBesideWatch,
  runOnScreen,
} from '../watch/runs.ts';
import type { TestOptions } from './options.ts';
import { isBroken } from './run-batches.ts';
import { runTests } from './test.ts';

const help = 'a: all tests, f: failed tests, u: update snapshots, Enter: run again, q: quit\n';

/** The tests to run: all, or those of certain files. */
interface Selection {
  readonly files?: ReadonlySet<string>;
  readonly update?: boolean;
  /** Why it is run. */
  readonly title?: string;
}

/**
 * Runs tests, and runs affected tests again after each change, until the user quits or standard input ends. The exit
 * code covers the last result of every test.
 */
export async function watchTests(
  paths: readonly string[],
  options: TestOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  refuseOthers(options);
  const watched = new TestWatch(paths.length > 0 ? paths : ['.'], options, terminal);
  return watched.run();
}

/** Rejects options for programs, which need complete runs. */
function refuseOthers(options: TestOptions): void {
  const { list, mutatePolicies, coverage, coverageOutput, coverageThreshold, output } = options;
  const isMeasured = coverageOutput !== undefined || coverageThreshold !== undefined;
  const others = {
    '--list': list === true,
    '--mutate-policies': mutatePolicies === true,
    '--coverage': coverage === true || isMeasured,
    '--output': isForPrograms(output),
  };
  refuseBesideWatch(others, 'a watch runs parts of the tests');
}

class TestWatch {
  readonly #paths: readonly string[];
  readonly #options: TestOptions;
  readonly #terminal: Terminal;
  readonly #events: WatchEvents;
  /** The files and folders that each test file uses. */
  readonly #uses = new Map<string, Set<string>>();
  /** The files whose tests did not all pass when they last ran. */
  readonly #broken = new Set<string>();
  /** Why there was no whole run the last time. */
  #failure: ExitCode = exitCode.success;

  constructor(paths: readonly string[], options: TestOptions, terminal: Terminal) {
    this.#paths = paths;
    this.#options = options;
    this.#terminal = terminal;
    this.#events = new WatchEvents(terminal);
  }

  async run(): Promise<ExitCode> {
    try {
      // Watched before it is read, so that no change falls between.
      let states = this.#look();
      let selection: Selection | undefined = {};
      while (selection !== undefined) {
        await this.#runOnce(selection);
        // Tests may use files elsewhere, which were read just now.
        states = new Map([...this.#look(), ...states]);
        do {
          const event = await this.#events.next();
          if (event.kind !== 'change') selection = this.#selectionOf(event);
          else {
            const now = this.#look();
            selection = this.#concerned(changedFiles(states, now));
            states = now;
          }
        } while (selection?.files?.size === 0);
      }
    } finally {
      this.#events.close();
    }
    if (this.#failure !== exitCode.success) return this.#failure;
    return this.#broken.size > 0 ? exitCode.refused : exitCode.success;
  }

  /** Returns the selection for a key; `undefined` to quit, no files for an unknown key. */
  #selectionOf(event: { readonly kind: string; readonly key?: string }): Selection | undefined {
    const { kind, key = '' } = event;
    if (kind === 'end' || quitKeys.has(key)) return undefined;
    if (key === 'a' || againKeys.has(key)) return {};
    if (key === 'u') return { update: true };
    return { files: new Set(key === 'f' ? this.#broken : []) };
  }

  /** The files of tests that name a file, or a folder around it; everything for tests that are new. */
  #concerned(all: readonly string[]): Selection {
    const changed = all.filter((each) => this.#isUsed(each) || /\.(?:ya?ml|json)$/.test(each));
    if (changed.length === 0) return { files: new Set() };
    const title = changesTitle(changed);
    // An unused file may be a new test, or repair one that could not be read.
    const isOpen =
      changed.some((each) => !this.#isUsed(each)) || this.#failure !== exitCode.success;
    if (isOpen) return { title };
    const concerned = [...this.#uses].filter((entry) =>
      changed.some((each) => isConcerned(each, entry)),
    );
    return { files: new Set(concerned.map(([file]) => file)), title };
  }

  #isUsed(path: string): boolean {
    return [...this.#uses].some((entry) => isConcerned(path, entry));
  }

  async #runOnce({ files, update = false, title = '' }: Selection): Promise<void> {
    const host = this.#recordingHost();
    this.#failure = await runOnScreen(this.#terminal, { title, help }, async () => {
      const options = update ? { ...this.#options, update } : this.#options;
      const only =
        files === undefined ? undefined : (file: string): boolean => files.has(normalize(file));
      const { results, isWhole } = await runTests(this.#paths, options, this.#terminal, {
        host,
        only,
      });
      for (const { batch, entries } of results) {
        const file = normalize(batch.file);
        const uses = getOrMake(this.#uses, file, () => new Set());
        // The tests of kat lie beside their policies.
        if (batch.format === 'kat') uses.add(normalize(dirname(batch.file)));
        if (entries.some(isBroken)) this.#broken.add(file);
        else this.#broken.delete(file);
      }
      return isWhole ? exitCode.success : exitCode.usage;
    });
  }

  #recordingHost(): TestHost {
    const boundary = boundaryOf(this.#paths, this.#options);
    const host = testHost(this.#terminal, boundary);
    return {
      ...host,
      read: (path, from) => {
        const file = normalize(from);
        const use = useOf(path, from);
        // Nothing outside is read, and a pattern there could mean every folder of the machine.
        if (boundary.contains(placeOf(use))) getOrMake(this.#uses, file, () => new Set()).add(use);
        return host.read(path, from);
      },
    };
  }

  /** Looks at everything that tests are made of, and watches it from then on. */
  #look(): FileStates {
    const uses = [...this.#uses.values()].flatMap((each) => [...each].map(placeOf));
    const states = fileStates(new Set([...this.#paths.map((path) => normalize(path)), ...uses]));
    const around = [...states.keys()].map((path) => dirname(path));
    this.#events.changes.watch(new Set([...foldersOf(states), ...around]));
    return states;
  }
}

/** Returns a path that tests use; of a pattern, the part before its first `*`, which then ends it. */
function useOf(path: string, from: string): string {
  const fixed = fixedPart(path);
  const full = isAbsolute(path) ? fixed : join(dirname(from), fixed);
  return fixed === path ? normalize(full) : `${full}*`;
}

function placeOf(use: string): string {
  return use.endsWith('*') ? dirname(`${use.slice(0, -1)}.`) : use;
}

/** Whether a file of tests is about a file: it is that one, or names it or a folder around it. */
function isConcerned(path: string, [file, uses]: readonly [string, ReadonlySet<string>]): boolean {
  return isWithin(path, file) || [...uses].some((use) => isWithin(path, use));
}

function isWithin(path: string, place: string): boolean {
  if (place.endsWith('*')) return path.startsWith(place.slice(0, -1));
  const folder = place.replace(/\/$/, '');
  return folder === '.' || path === folder || path.startsWith(`${folder}/`);
}
