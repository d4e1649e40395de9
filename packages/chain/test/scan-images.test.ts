import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { allSteps } from '@kubeadmit/engine/unstable-internal';
import { loadSchemas } from '@kubeadmit/schemas';
import { expect, test } from 'vitest';
import { loadChain } from '../src/chain/chain.ts';
import { images as unverified } from './images.ts';

const schemas = await loadSchemas();
const digest = `sha256:${'0'.repeat(64)}`;
const verified = { ...unverified, verifySignature: () => ({ digest }) };

const match = { any: [{ resources: { kinds: ['Pod'] } }] };
const attestors = [{ entries: [{ keys: { publicKeys: 'a key' } }] }];
const verifyImages = [
  { failureAction: 'Enforce', imageReferences: ['registry.local/*'], attestors },
];
const policy = {
  apiVersion: 'kyverno.io/v1',
  kind: 'ClusterPolicy',
  metadata: { name: 'signed' },
  spec: {
    rules: [
      { name: 'images', match, verifyImages },
      {
        name: 'labels',
        match,
        validate: { message: 'no team', pattern: { metadata: { labels: { team: '?*' } } } },
      },
    ],
  },
};
const image = `registry.local/app@${digest}`;
const note = { '/signed': { images: { [image]: 'pass' } } };

const podOf = (name: string, annotations: Readonly<Record<string, string>>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'shop', labels: { team: 'a' }, annotations },
  spec: { containers: [{ name: 'c', image: name }] },
});

const pods = { group: '', version: 'v1', resource: 'pods' };
const request: AdmissionRequest = {
  ...{ kind: { group: '', version: 'v1', kind: 'Pod' }, resource: pods, operation: 'CREATE' },
  ...{ name: 'p', namespace: 'shop', userInfo: {}, oldObject: null, options: null },
};
const noted = { 'kyverno.io/verify-images-scoped': JSON.stringify({ version: 1, policies: note }) };
const failure = /^failed to verify image registry\.local\/app/;

test.each([
  ['passes an image without a note', image, {}, verified, { verdict: 'allow' }],
  ['passes a tag without a digest', 'registry.local/app:1', {}, verified, { verdict: 'allow' }],
  ['verifies a noted image again', image, noted, unverified, { message: failure, verdict: 'deny' }],
])('a scan %s', async (_, name, annotations, images, expected) => {
  const resources = [policy as unknown as KubernetesObject];
  const { kyverno } = await loadChain({ resources, schemas, images, clock: () => 0 });
  if (kyverno === undefined) throw new Error('no policies of Kyverno');
  const object = podOf(name, annotations);
  const { findings } = allSteps(kyverno.scanInSteps({ ...request, object }, object));
  const { message, ...rest } = { message: undefined, ...expected };
  expect(findings).toEqual([
    { policy: 'signed', rule: 'labels', verdict: 'allow' },
    {
      ...{ policy: 'signed', rule: 'images', ...rest },
      ...(message === undefined ? {} : { message: expect.stringMatching(message) }),
    },
  ]);
});
