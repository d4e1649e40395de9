import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LayoutWriter, withFolder } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { ImageLayout, makeImageVerifier } from '../src/index.ts';

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
