import { expect, test } from 'vitest';
import { runInBareWorld } from '../src/bare-world.ts';
import { bundle } from '../src/bundle.ts';

test('every package is bundled for browsers and loads without Node', async () => {
  const { code } = await bundle('everything.ts');
  expect(code).not.toMatch(/__vite-browser-external|require\(["']node:/);
  const world = runInBareWorld(`${code}\nglobalThis.proof = kubeadmitProof;`);
  const { packages } = world['proof'] as { packages: Record<string, object> };
  const names = Object.entries(packages).map(([name, exports]) => [
    name,
    Object.keys(exports).length > 0,
  ]);
  expect(Object.fromEntries(names)).toEqual({
    admission: true,
    apimachinery: true,
    apiserver: true,
    cel: true,
    chain: true,
    check: true,
    convert: true,
    customResources: true,
    difference: true,
    engine: true,
    gatekeeper: true,
    go: true,
    kyverno: true,
    language: true,
    lint: true,
    machine: true,
    manifest: true,
    matcher: true,
    matchers: true,
    mutator: true,
    podSecurity: true,
    schemas: true,
    testing: true,
  });
});

test('a page that decodes manifests loads at most 250 kB, and knows every version then', async () => {
  const { code, gzipSize } = await bundle('schemas-page.ts');
  expect(gzipSize).toBeLessThan(250_000);
  const world = runInBareWorld(`${code}\nglobalThis.proof = kubeadmitProof;`);
  const { decodeManifest } = world['proof'] as typeof import('../src/schemas-page.ts');
  const manifest = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"none":1}';
  expect(await decodeManifest('1.30', manifest)).toBe(
    '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","creationTimestamp":null}}',
  );
});

test('the bare world is bare', () => {
  const world = runInBareWorld(`globalThis.found = {
    node: ['process', 'Buffer', 'require', 'global', 'setImmediate'].filter((name) => name in globalThis),
    eval: (() => { try { return eval('1'); } catch (problem) { return problem.name; } })(),
  };`);
  expect(world['found']).toEqual({ node: [], eval: 'EvalError' });
});
