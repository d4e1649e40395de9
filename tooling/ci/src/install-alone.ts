import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Runs a program in a folder, and returns its output. */
export type Run = (program: string, args: readonly string[], folder: string) => Promise<string>;

interface Manifest {
  readonly exports?: Readonly<Record<string, unknown>>;
}

/** Entries that a runner of tests has to load. */
const withinTests: ReadonlySet<string> = new Set([
  '@kubeadmit/matchers/jest',
  '@kubeadmit/matchers/vitest',
]);

/** Versions of TypeScript, and how modules are resolved. */
const settings = [
  ['5.4.5', 'node16', 'node16'],
  ['5.4.5', 'esnext', 'bundler'],
  ['7.0.2', 'nodenext', 'nodenext'],
  ['7.0.2', 'esnext', 'bundler'],
] as const;

const compilerOptions = {
  target: 'es2022',
  // Signals, URLs and streams, which every runtime has.
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
};

/**
 * Installs each package alone into an empty project, loads all its exports, and checks its types: an undeclared
 * dependency is missing there.
 */
export async function installAlone(names: readonly string[], folder: string, run: Run) {
  const waiting = names.map((name) => ({ name, project: join(folder, name.replace(/\W+/g, '-')) }));
  // Two at once: npm waits for the disk half of the time.
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await installOne(next.name, next.project, run);
    }
  };
  await Promise.all([work(), work()]);
}

async function installOne(name: string, project: string, run: Run): Promise<void> {
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{"private":true,"type":"module"}\n');
  await run('npm', ['install', '--ignore-scripts', '--prefer-offline', name], project);
  const { exports = {} } = JSON.parse(
    readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8'),
  ) as Manifest;
  const entries = Object.keys(exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => `${name}${entry.slice(1)}`)
    .filter((entry) => !withinTests.has(entry));
  if (entries.length === 0) {
    console.log(`${name}: installed alone; a program`);
    return;
  }
  const uses = entries.map((entry, i) => `import * as entry${i} from '${entry}';`);
  const all = entries.map((_, i) => `entry${i}`).join(', ');
  const text = `${uses.join('\n')}\nexport const count: number = [${all}].flatMap((entry) => Object.keys(entry)).length;\n`;
  writeFileSync(join(project, 'use.ts'), text);
  const load = `${text.replace(': number', '')}console.log(count);`;
  const count = await run(
    'node',
    ['--input-type=module', '-e', load.replace('export ', '')],
    project,
  );
  if (Number(count) === 0) throw new Error(`${name} exports nothing`);
  for (const [version, module, moduleResolution] of settings) {
    const config = join(project, `tsconfig.${version}-${moduleResolution}.json`);
    const options = { ...compilerOptions, module, moduleResolution };
    writeFileSync(config, JSON.stringify({ compilerOptions: options, files: ['use.ts'] }));
    await run('npx', ['--yes', '-p', `typescript@${version}`, 'tsc', '-p', config], project);
  }
  console.log(
    `${name}: installed alone; ${entries.length} entries, ${count.trim()} exports, types right`,
  );
}
