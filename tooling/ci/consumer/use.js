import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

const scope = new URL('node_modules/@kubeadmit/', import.meta.url);
for (const name of readdirSync(scope)) {
  const manifest = JSON.parse(readFileSync(new URL(`${name}/package.json`, scope), 'utf8'));
  for (const entry of Object.keys(manifest.exports ?? {})) {
    if (entry === './package.json') continue;
    const specifier = `${manifest.name}${entry.slice(1)}`;
    const exports = await import(specifier);
    assert.notEqual(Object.keys(exports).length, 0, `${specifier} exports nothing`);
    console.log(`${specifier}: ${Object.keys(exports).length} exports`);
  }
}
