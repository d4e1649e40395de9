import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argument, run } from './workspace.ts';

// Types of the installed packages for those who check all of them, with older versions of TypeScript too.

const folder = argument(0, 'folder of the project with the packages');

/** Versions, and how modules are resolved. */
const settings = [
  ['5.4.5', 'node16', 'node16'],
  ['5.4.5', 'esnext', 'bundler'],
  ['5.7.3', 'nodenext', 'nodenext'],
  ['5.9.3', 'nodenext', 'nodenext'],
  ['7.0.2', 'esnext', 'bundler'],
  ['7.0.2', 'nodenext', 'nodenext'],
] as const;

for (const [version, module, moduleResolution] of settings) {
  const name = `tsconfig.${version}-${moduleResolution}.json`;
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023'],
    types: [],
    module,
    moduleResolution,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  };
  writeFileSync(join(folder, name), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  run('npx', ['--yes', '-p', `typescript@${version}`, 'tsc', '-p', join(folder, name)]);
  console.log(`TypeScript ${version}, ${moduleResolution}: right`);
}
