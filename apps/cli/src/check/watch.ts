import { dirname } from 'node:path';
import type { CheckOptions } from '../prepare/options.ts';
import type { ExitCode, Terminal } from '../process/terminal.ts';
import { WatchEvents } from '../watch/events.ts';
import { changedFiles, type FileStates, fileStates, foldersOf } from '../watch/file-states.ts';
import { watchedPlace } from '../watch/places.ts';
import {
  againKeys,
  changesTitle,
  isForPrograms,
  quitKeys,
  refuseBesideWatch,
  runOnScreen,
} from '../watch/runs.ts';
import { check } from './check.ts';

const help = 'Enter: again, q: quit\n';

/**
 * Checks manifests, and checks them again whenever a file changes, until the user quits or standard input ends. Returns
 * the exit code of the last check.
 */
export async function watchCheck(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
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
      const code = await runOnScreen(terminal, { title, help }, () =>
        check(paths, options, terminal),
      );
      let changed: readonly string[] = [];
      let isAsked = false;
      while (changed.length === 0 && !isAsked) {
        const event = await events.next();
        if (event.kind === 'end') return code;
        if (event.kind === 'key') {
          if (quitKeys.has(event.key)) return code;
          isAsked = againKeys.has(event.key);
        } else {
          const now = look();
          changed = changedFiles(states, now);
          states = now;
        }
      }
      title = isAsked ? '' : changesTitle(changed);
    }
  } finally {
    events.close();
  }
}

function allPaths(paths: readonly string[], options: CheckOptions): readonly string[] {
  const { policies = [], resources = [], oldResource = [], helmValues = [] } = options;
  return [...paths, ...policies, ...resources, ...oldResource, ...helmValues];
}

function placesOf(paths: readonly string[], options: CheckOptions): ReadonlySet<string> {
  return new Set([...allPaths(paths, options), '.kubeadmitignore'].map(watchedPlace));
}

/**
 * Rejects options for programs, which need a single check, and inputs that are not files, whose changes are
 * invisible.
 */
function refuseOthers(paths: readonly string[], options: CheckOptions): void {
  const all = allPaths(paths, options);
  const others = {
    '--output': isForPrograms(options.output),
    '--context': options.context !== undefined,
    'standard input (-)': all.includes('-'),
    'URLs (https:, oci:)': all.some((path) => /^(?:https?|oci):/.test(path)),
  };
  refuseBesideWatch(others, 'only files can be watched');
}
