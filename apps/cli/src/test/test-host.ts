import { dirname, isAbsolute, join } from 'node:path';
import type { TestHost } from '@kubeadmit/check/internal';
import { readText } from '@kubeadmit/files';
import { Source } from '@kubeadmit/manifest';
import { readSources } from '../input/sources.ts';
import { problemText } from '../output/problems.ts';
import { styleFor } from '../output/style.ts';
import type { Terminal } from '../terminal.ts';

/** Reads the files of tests, by paths that are relative to the folder of the test. */
export function testHost(terminal: Terminal): TestHost {
  const { stderr, env } = terminal;
  return {
    read: async (path, from) => {
      const full = isAbsolute(path) ? path : join(dirname(from), path);
      const file = readFileText(full);
      if (file !== undefined) return { sources: [new Source(full, file)], problems: [] };
      return readSources([full], terminal);
    },
    warn: (problem) => {
      stderr.write(problemText(problem, 'warning', styleFor(stderr, env)));
    },
    clock: Date.now,
  };
}

/** The text of a file, read at once since tests name many small ones; undefined for anything else. */
function readFileText(path: string): string | undefined {
  try {
    return readText(path);
  } catch {
    return undefined;
  }
}
