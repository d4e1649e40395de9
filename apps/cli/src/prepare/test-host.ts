import { dirname, isAbsolute, join } from 'node:path';
import { readText } from '@kubeadmit/files';
import { type InputProblem, Source } from '@kubeadmit/manifest';
import type { TestHost } from '@kubeadmit/testing/other-tools';
import type { ReadBoundary } from '../input/local/boundary.ts';
import { readSources } from '../input/sources.ts';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import type { Terminal } from '../process/terminal.ts';

/**
 * Reads the files of tests, by paths that are relative to the folder of the test and lead nowhere outside of the boundary.
 * Manifests in a folder that are skipped are warned of.
 */
export function testHost(terminal: Terminal, boundary: ReadBoundary): TestHost {
  const { stderr, env } = terminal;
  const warn = (problem: InputProblem): void => {
    stderr.write(problemText(problem, 'warning', styleFor(stderr, env)));
  };
  return {
    read: async (path, from) => {
      const full = fullPath(path, from);
      const file = readFileText(full, boundary);
      if (file !== undefined) return { sources: [new Source(full, file)], problems: [] };
      const options = { boundary, isNamedByFile: true };
      const { sources, problems, skipped } = await readSources([full], terminal, options);
      skipped.forEach(warn);
      return { sources, problems };
    },
    warn,
    clock: Date.now,
  };
}

function fullPath(path: string, from: string): string {
  const full = isAbsolute(path) ? path : join(dirname(from), path);
  // On the command line a dash is standard input, and in a file a name.
  return full === '-' ? './-' : full;
}

/** The text of a file, read at once since tests name many small ones; undefined for anything else. */
function readFileText(path: string, boundary: ReadBoundary): string | undefined {
  try {
    boundary.require(path);
    return readText(path, { regularOnly: true });
  } catch {
    return undefined;
  }
}
