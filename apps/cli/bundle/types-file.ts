import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Plugin } from 'vite';

/** A module that holds the types of a Go package; `$` is the only character of them that may be escaped. */
const typesModule = /\nexport const text: string = `((?:[^`\\$]|\\?\$(?!\{))*)`;\n$/;

/** The whole file. */
let types = '';

/**
 * Lets the types of kinds be read from one file, in which a line with the name of its package stands before the types of
 * each and an empty one after: V8 would scan and compile what is only text, most of which nobody asks for.
 */
export const typesFile: Plugin = {
  name: 'types-file',
  load: {
    filter: { id: /\/schemas\/src\/data\/(?:modules|.+\.v\w+)\.ts$/ },
    handler(id) {
      const name = basename(id, '.ts');
      return name === 'modules'
        ? readingModule(id)
        : `import { textOf } from './modules.ts';\nexport const text = textOf('${name}');\n`;
    },
  },
  // Vite drops what is emitted before.
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: 'parts/types.txt', source: types });
  },
};

/** What stands for the module that loads those with types. */
function readingModule(id: string): string {
  const imports = readFileSync(id, 'utf8').matchAll(/import\('\.\/(.+)\.ts'\)/g);
  const names = Array.from(imports, ([, name = '']) => name);
  const packages = names.map((name) => `${name}\n${typesOf(join(dirname(id), `${name}.ts`))}`);
  types = packages.join('\n\n');
  return `import { readFileSync } from 'node:fs';
import { join } from 'node:path';
let texts;
function readTexts() {
  const packages = readFileSync(join(__dirname, 'types.txt'), 'latin1').split('\\n\\n');
  return new Map(packages.map((text) => {
    const end = text.indexOf('\\n');
    return [text.slice(0, end), text.slice(end + 1)];
  }));
}
export const textOf = (name) => (texts ??= readTexts()).get(name);
const names = ${JSON.stringify(names)};
export const modules = Object.fromEntries(names.map((name) => [name, async () => textOf(name)]));
`;
}

function typesOf(file: string): string {
  const [, text] = typesModule.exec(readFileSync(file, 'utf8')) ?? [];
  if (text === undefined || /\n\n|[^\0-\x7f]/.test(text)) {
    throw new Error(`${file} holds types in another way`);
  }
  return text.replaceAll('\\$', '$');
}
