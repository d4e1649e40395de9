import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder, writeFiles } from '@kubeadmit/test-support';
import { type DocumentFile, ROOT, SITE } from './documents.ts';
import type { Block } from './markdown.ts';

/** The working directory of a document's commands, and the programs that they name. */
export interface Workspace {
  readonly folder: string;
  readonly commandFor: (shown: string) => string;
  /** Writes the file that a block of a page is; a page may show a file again as it has become. */
  readonly write: (block: Block) => void;
}

const program = join(ROOT, 'apps/cli/dist/main.js');

/**
 * The folder for the commands of a document.
 *
 * Pages of the site are read by people who have the program and the examples: their commands begin with
 * `kubeadmit` and run where `examples` lies beside the files that the page shows. Those of other documents run
 * in the repository.
 */
export function workspaceOf({ path }: DocumentFile): Workspace {
  if (!path.startsWith(SITE)) {
    return {
      folder: ROOT,
      write: () => undefined,
      commandFor: (shown) => shown.replace('npx --yes pnpm@12.21.0 kubeadmit', `node ${program}`),
    };
  }
  const folder = createFolder();
  cpSync(join(ROOT, 'examples'), join(folder, 'examples'), { recursive: true });
  return {
    folder,
    write: ({ file, text }) => {
      if (file !== undefined) writeFiles(folder, { [file]: text });
    },
    commandFor: (shown) => shown.replaceAll(/(^|\| )kubeadmit(?= )/g, `$1node ${program}`),
  };
}
