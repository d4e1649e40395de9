import type { Plugin } from 'vite';

const entry = `export { Argument } from './lib/argument.js';
export { Command } from './lib/command.js';
export { CommanderError, InvalidArgumentError } from './lib/error.js';
export { Option } from './lib/option.js';
`;

/**
 * Makes modules of Commander's CommonJS files, which would become a function each that V8 reads twice before it runs.
 *
 * Commander starts other programs for commands that are such: there are none, and loading what that needs takes 5 ms.
 */
export const commanderModules: Plugin = {
  name: 'commander-modules',
  transform: {
    filter: { id: /\/commander\/(?:esm\.mjs|lib\/\w+\.js)$/ },
    handler: (code, id) => ({ code: id.endsWith('/esm.mjs') ? entry : moduleOf(code), map: null }),
  },
};

/** A module in the lines of a CommonJS file. */
function moduleOf(file: string): string {
  const code = file
    .replace("require('node:child_process')", '{}')
    .replaceAll(
      /^const (?:(\{.+\})|(\w+)) = require\('(.+)'\)(\.\2)?;$/gm,
      (_, names: string | undefined, name: string, from: string, isMember: string | undefined) =>
        `import ${names ?? (isMember === undefined ? name : `{ ${name} }`)} from '${from}';`,
    )
    .replaceAll(/^exports\.(\w+) = \1;/gm, 'export { $1 };');
  if (/\brequire\(|^exports\./m.test(code)) throw new Error('Commander is written in another way');
  return code;
}
