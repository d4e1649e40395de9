import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { argument, publicPackages, run, tarballsIn } from './workspace.ts';

const TEMPLATE = fileURLToPath(new URL('../consumer/', import.meta.url));

const tarballs = tarballsIn(argument(0, 'folder of the tarballs'));
const consumer = argument(1, 'folder for the empty project');
mkdirSync(consumer, { recursive: true });
cpSync(TEMPLATE, consumer, { recursive: true });
const dependencies = publicPackages().map(({ name }) => {
  const prefix = name.replace('@', '').replace('/', '-');
  const tarball = tarballs.find((path) => new RegExp(`/${prefix}-\\d[^/]*\\.tgz$`).test(path));
  if (tarball === undefined) throw new Error(`no tarball of ${name}`);
  return [name, `file:${tarball}`] as const;
});
const manifest = {
  name: 'consumer',
  private: true,
  type: 'module',
  dependencies: Object.fromEntries(dependencies),
};
writeFileSync(`${consumer}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
run('npm', ['install', '--ignore-scripts', '--no-package-lock', '--loglevel=error'], consumer);
