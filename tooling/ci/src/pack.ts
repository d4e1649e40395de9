import { mkdirSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { argument, publicPackages, run, tarballsIn } from './workspace.ts';

const destination = argument(0, 'folder for the tarballs');
mkdirSync(destination, { recursive: true });
const packages = publicPackages();
for (const { folder } of packages) run('pnpm', ['pack', '--pack-destination', destination], folder);
const tarballs = tarballsIn(destination);
for (const tarball of tarballs) {
  console.log(`${basename(tarball)}: ${Math.ceil(statSync(tarball).size / 1024)} KiB`);
}
if (tarballs.length !== packages.length) {
  console.error(`${packages.length} packages gave ${tarballs.length} tarballs`);
  process.exit(1);
}
