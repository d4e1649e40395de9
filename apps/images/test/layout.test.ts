import { generateKeyPairSync } from 'node:crypto';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LayoutWriter, withFolder } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { ImageLayout, makeImageVerifier } from '../src/index.ts';
import { anyCheck } from './checks.ts';

const image = 'registry.example/team/app:1.0';

interface Case {
  readonly name: string;
  /** Damages the layout, given the file of the image's manifest. */
  readonly damage: (folder: string, manifest: string) => void;
  readonly error: RegExp;
}

const cases: readonly Case[] = [
  {
    name: 'rejects content with another digest',
    damage: (_folder, manifest) => writeFileSync(manifest, '{"layers":[]}'),
    error: /^digest mismatch: expected sha256:[a-f0-9]{64}, got sha256:[a-f0-9]{64}$/,
  },
  {
    name: 'rejects missing content',
    damage: (_folder, manifest) => rmSync(manifest),
    error: /^missing content sha256:/,
  },
  {
    name: 'rejects links to other files',
    damage: (folder, manifest) => {
      rmSync(manifest);
      writeFileSync(join(folder, 'secret'), '{}');
      symlinkSync(join(folder, 'secret'), manifest);
    },
    error: /: not a regular file$/,
  },
];

test.each(cases)('$name', ({ damage, error }) =>
  withFolder((folder) => {
    const layout = new LayoutWriter(folder);
    const { digest } = layout.image(image);
    damage(folder, join(folder, 'blobs', 'sha256', digest.slice('sha256:'.length)));
    const verifier = makeImageVerifier({ registry: new ImageLayout(folder), clock: () => 0 });
    expect(verifier.digestOf(image)).toEqual({
      error: expect.stringMatching(error),
      isUnavailable: true,
    });
  }),
);

test.each([
  ['an empty folder', {}, 'not an OCI layout; expected the files oci-layout and index.json'],
  [
    'an index with a path as digest',
    { manifests: [{ digest: 'sha256:../../../etc/passwd', size: 1 }] },
    'manifest index.json has a descriptor without a valid digest and size',
  ],
  [
    'an index with too many entries',
    { manifests: Array.from({ length: 1001 }, () => ({})) },
    'manifest index.json has 1001 manifests, more than 1000',
  ],
])('refuses %s', (_name, index, error) =>
  withFolder((folder) => {
    if ('manifests' in index) {
      writeFileSync(join(folder, 'oci-layout'), '{}');
      writeFileSync(join(folder, 'index.json'), JSON.stringify(index));
    }
    expect(() => new ImageLayout(folder)).toThrow(error);
  }),
);

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const big = 1.5 * 2 ** 20;

test.each([
  [
    'content that is larger than its description says',
    (layout: LayoutWriter) => [{ ...layout.blob('x'.repeat(big)), size: 1 }],
    /^content sha256:[a-f0-9]{64} has 1572864 bytes, expected 1$/,
  ],
  [
    'one large layer a hundred times',
    (layout: LayoutWriter) => {
      const layer = layout.blob('x'.repeat(big));
      return Array.from({ length: 100 }, () => layer);
    },
    /^the layers have 157286400 bytes, more than 67108864$/,
  ],
])('refuses signatures with %s', (_name, layersOf, error) =>
  withFolder((folder) => {
    const layout = new LayoutWriter(folder);
    const { digest } = layout.image(image);
    const tag = `registry.example/team/app:${digest.replace(':', '-')}.sig`;
    layout.manifest(tag, layersOf(layout));
    const verifier = makeImageVerifier({ registry: new ImageLayout(folder), clock: () => 0 });
    expect(verifier.verifySignature({ ...anyCheck(image), key })).toEqual({
      error: expect.stringMatching(error),
      isUnavailable: true,
    });
  }),
);

test('reads a list that an index names a thousand times once', () =>
  withFolder((folder) => {
    const layout = new LayoutWriter(folder);
    const annotations = { padding: 'x'.repeat(2 * 2 ** 20) };
    const list = layout.blob(JSON.stringify({ manifests: [], annotations }));
    const entries = Array.from({ length: 999 }, (_, at) => ({
      ...list,
      annotations: { 'org.opencontainers.image.ref.name': `registry.example/team/app:v${at}` },
    }));
    writeFileSync(join(folder, 'index.json'), JSON.stringify({ manifests: entries }));
    const verifier = makeImageVerifier({ registry: new ImageLayout(folder), clock: () => 0 });
    const start = performance.now();
    const missing = `registry.example/team/app@sha256:${'0'.repeat(64)}`;
    expect(verifier.digestOf(missing)).toHaveProperty('error');
    expect(performance.now() - start).toBeLessThan(3_000);
  }));
