import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeFolder } from '@kubeadmit/test-support';
import { afterAll, describe, expect, test } from 'vitest';
import { documents, ROOT } from '../src/documents.ts';
import { commandsOf } from '../src/markdown.ts';
import { runCommand } from '../src/run-command.ts';
import { workspaceOf } from '../src/workspace.ts';

const PNPM = /^(?:npx --yes pnpm@12\.21\.0|pnpm)(?: run)? /;

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
}
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

for (const document of documents()) {
  const { path, blocks, namedPaths } = document;
  const consoles = blocks.filter(({ language }) => language === 'console');
  const shells = blocks.filter(({ language }) => language === 'sh');
  if (consoles.length + shells.length + namedPaths.length === 0) continue;
  const { folder, commandFor, write } = workspaceOf(document);
  describe(path, () => {
    afterAll(() => {
      if (folder !== ROOT) removeFolder(folder);
    });
    for (const named of namedPaths) {
      test(`names what exists: ${named}`, () => expect(existsSync(join(ROOT, named))).toBe(true));
    }
    // Files are there when their block has been read, so that a page can show how one changes.
    let written = 0;
    for (const block of consoles) {
      for (const { command, output } of commandsOf(block)) {
        test(`prints what it says: ${command}`, () => {
          const here = blocks.indexOf(block);
          for (const shown of blocks.slice(written, here)) write(shown);
          written = here;
          expect(runCommand(commandFor(command), folder).output).toBe(output);
        });
      }
    }
    for (const line of shells.flatMap(({ text }) => text.split('\n'))) {
      const command = line.replace(/\s+#.*$/, '').trim();
      if (command !== '') test(`names what exists: ${command}`, () => checkWords(command));
    }
  });
}

/** Scripts and files that a command of a `sh` block names have to exist. */
function checkWords(command: string): void {
  const words = command.replace(/^(?:[A-Z_]+=\S+ )+/, '').split(' ');
  if (PNPM.test(`${words.join(' ')} `)) {
    const [script = ''] = words.join(' ').replace(PNPM, '').split(' ');
    const isBuiltIn = ['install', 'exec', '--filter'].includes(script);
    if (!isBuiltIn) expect(Object.keys(scripts)).toContain(script);
  }
  for (const word of words) {
    if (
      /^(?:apps|packages|tooling|examples|conformance|\.ci)\//.test(word) &&
      !/[<*…]/.test(word)
    ) {
      expect(existsSync(join(ROOT, word)), word).toBe(true);
    }
  }
}
