import { dirname } from 'node:path';
import { CommandFailure, type ExitCode, type Terminal, write } from '../terminal.ts';
import { WatchEvents } from '../watch/events.ts';
import { changedFiles, type FileStates, fileStates, foldersOf } from '../watch/file-states.ts';
import { watchedPlace } from '../watch/places.ts';
import { check } from './check.ts';
import type { CheckOptions } from './options.ts';

const help = 'Enter: again, q: quit\n';
const clear = '\u001b[2J\u001b[3J\u001b[H';
const quitKeys: ReadonlySet<string> = new Set(['q', '\u0003', '\u0004']);

/**
 * Checks manifests, and again whenever one of the files changes, until somebody quits or standard input ends; the answer
 * is that of the last check.
 */
export async function watchCheck(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
  thread?: string,
): Promise<ExitCode> {
  refuseOthers(paths, options);
  const places = placesOf(paths, options);
  const events = new WatchEvents(terminal);
  /** Looks at everything that is read, and watches it from then on. */
  const look = (): FileStates => {
    const states = fileStates(places);
    const around = [...places, ...states.keys()].map((path) => dirname(path));
    events.changes.watch(new Set([...foldersOf(states), ...around]));
    return states;
  };
  try {
    // Watched before it is read, so that no change falls between.
    let states = look();
    let title = '';
    for (;;) {
      const code = await checkOnce({ paths, options, thread, title }, terminal);
      let changed: readonly string[] = [];
      let isAsked = false;
      while (changed.length === 0 && !isAsked) {
        const event = await events.next();
        if (event.kind === 'end') return code;
        if (event.kind === 'key') {
          if (quitKeys.has(event.key)) return code;
          isAsked = event.key === '\r' || event.key === '\n';
        } else {
          const now = look();
          changed = changedFiles(states, now);
          states = now;
        }
      }
      title = isAsked ? '' : titleOf(changed);
    }
  } finally {
    events.close();
  }
}

interface Once {
  readonly paths: readonly string[];
  readonly options: CheckOptions;
  readonly thread: string | undefined;
  readonly title: string;
}

async function checkOnce({ paths, options, thread, title }: Once, terminal: Terminal) {
  const { stdout, stderr } = terminal;
  if (stdout.isTTY === true) await write(stdout, clear);
  await write(stdout, title);
  let code: ExitCode;
  try {
    code = await check(paths, options, terminal, thread);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    stderr.write(`error: ${error.message}\n`);
    code = error.exitCode;
  }
  await write(stdout, help);
  return code;
}

function titleOf(changed: readonly string[]): string {
  return `changed: ${changed.length > 3 ? `${changed.length} files` : changed.join(', ')}\n`;
}

function allPaths(paths: readonly string[], options: CheckOptions): readonly string[] {
  const { policies = [], resources = [], oldResource = [], helmValues = [] } = options;
  return [...paths, ...policies, ...resources, ...oldResource, ...helmValues];
}

function placesOf(paths: readonly string[], options: CheckOptions): ReadonlySet<string> {
  return new Set([...allPaths(paths, options), '.kubeadmitignore'].map(watchedPlace));
}

/** What is written for programs is of one check, and what is no file tells nobody that it has changed. */
function refuseOthers(paths: readonly string[], options: CheckOptions): void {
  const { output = [], context } = options;
  const all = allPaths(paths, options);
  const others: readonly (readonly [string, boolean])[] = [
    ['--output', output.some(({ format, file }) => format !== 'text' || file !== undefined)],
    ['--context', context !== undefined],
    ['standard input (-)', all.includes('-')],
    ['addresses (https:, oci:)', all.some((path) => /^(?:https?|oci):/.test(path))],
  ];
  for (const [name, isGiven] of others) {
    if (isGiven) {
      throw new CommandFailure(`--watch and ${name} exclude each other: a watch is about files`);
    }
  }
}
