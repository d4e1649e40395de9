import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createFolder, removeFolder } from '@kubeadmit/test-support';
import { installAlone } from './install-alone.ts';
import { startRegistry } from './registry.ts';
import { publicPackages } from './workspace.ts';

// Publishes every package to a registry that lives as long as this process, and installs from it, as a release does: the
// program beside a library, and then each package alone.

const runFile = promisify(execFile);

const { stdout: configured } = await runFile('npm', ['config', 'get', 'registry']);
const registry = await startRegistry(configured.trim());
const folder = createFolder();
const settings = join(folder, '.npmrc');
const host = registry.url.replace('http:', '');
writeFileSync(
  settings,
  `registry=${registry.url}\n${host}:_authToken=rehearsal\nprovenance=false\nfund=false\naudit=false\n`,
);
const environment = {
  ...process.env,
  NPM_CONFIG_USERCONFIG: settings,
  npm_config_registry: registry.url,
};

async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    return (await runFile(program, args, { cwd, env: environment, maxBuffer: 1e8 })).stdout;
  } catch (failure) {
    const { stdout = '', stderr = '' } = failure as { stdout?: string; stderr?: string };
    console.error(`${program} ${args.join(' ')} failed\n${stdout}\n${stderr}`);
    process.exit(1);
  }
}

try {
  for (const { folder: at } of publicPackages()) {
    const publishing = ['publish', '--no-git-checks', '--provenance=false', '--ignore-scripts'];
    await run('pnpm', [...publishing, '--registry', registry.url], at);
  }
  console.log(`published ${registry.published.length} packages`);
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  await run('npm', ['install', '--ignore-scripts', 'kubeadmit', '@kubeadmit/cel'], folder);
  const version = await run('npx', ['--no-install', 'kubeadmit', 'version'], folder);
  const script = "import { evaluate } from '@kubeadmit/cel'; console.log(evaluate('1 + 2'));";
  const sum = await run('node', ['--input-type=module', '-e', script], folder);
  console.log(`installed: ${version.trim().split('\n')[0]}; 1 + 2 is ${sum.trim()}`);
  if (sum.trim() !== '3') process.exitCode = 1;
  const names = publicPackages().map(({ name }) => name);
  await installAlone(names, join(folder, 'alone'), run);
} finally {
  registry.close();
  removeFolder(folder);
}
