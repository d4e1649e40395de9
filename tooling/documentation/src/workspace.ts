import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type DocumentFile, ROOT, SITE } from './documents.ts';

/** Where the commands of a document run, and what they are there. */
export interface Workspace {
  readonly folder: string;
  /** The command to run for one that is shown. */
  readonly commandFor: (shown: string) => string;
}

const program = join(ROOT, 'apps/cli/dist/main.js');

/**
 * The folder for the commands of a document.
 *
 * Pages of the site are read by people who have the program and the examples: their commands begin with
 * `kubeadmit` and run where `examples` lies beside the files that the page shows. Those of other documents run
 * in the repository.
 */
export function workspaceOf({ path, blocks }: DocumentFile): Workspace {
  if (!path.startsWith(SITE)) {
    return {
      folder: ROOT,
      commandFor: (shown) => shown.replace('npx --yes pnpm@12.21.0 kubeadmit', `node ${program}`),
    };
  }
  const folder = mkdtempSync(join(tmpdir(), 'kubeadmit-page-'));
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
  for (const { file, text } of blocks) {
    if (file === undefined) continue;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return {
    folder,
    commandFor: (shown) => shown.replaceAll(/(^|\| )kubeadmit(?= )/g, `$1node ${program}`),
  };
}
