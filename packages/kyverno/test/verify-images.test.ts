import type { JsonObject } from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import {
  applyPolicies,
  compilePolicy,
  type ImageVerifier,
  type SignatureCheck,
} from '../src/index.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const key = '-----BEGIN PUBLIC KEY-----\nA\n-----END PUBLIC KEY-----';
const otherKey = key.replace('A', 'B');

/** Accepts the key `A`, and attestations of any key with the given predicate. */
function verifierWith(predicate: JsonObject = {}): ImageVerifier {
  const accepts = ({ key: given }: SignatureCheck) => given.includes('\nA\n');
  return {
    verifySignature: (check) => {
      if (check.image.includes('missing')) return { error: 'no data', isUnavailable: true };
      return accepts(check) ? { digest } : { error: 'no matching signatures' };
    },
    fetchAttestations: ({ predicateType }) => ({
      digest,
      statements: [{ predicateType, type: predicateType, predicate }],
    }),
    verifyCosign: () => ({ error: 'no matching signatures' }),
    fetchAttested: () => ({ error: 'no matching attestations' }),
    referrerOf: () => ({ error: 'no data' }),
    digestOf: () => ({ digest }),
    metadataOf: () => ({ error: 'no data' }),
  };
}

const keys = (publicKeys: string) => ({ keys: { publicKeys } });
const attestor = (...entries: readonly JsonObject[]) => ({ entries });

interface Lesson {
  readonly name: string;
  /** Fields of the item of `verifyImages`. */
  readonly item: JsonObject;
  /** Fields of the rule. */
  readonly rule?: JsonObject;
  readonly image?: string;
  readonly predicate?: JsonObject;
  /** Each result as `status: message`. */
  readonly results: readonly string[];
  /** The image afterwards, if it changes. */
  readonly after?: string;
}

const lessons: readonly Lesson[] = [
  {
    name: 'a verified image gets its digest',
    item: { attestors: [attestor(keys(key))] },
    results: ['pass: verified image signatures for ghcr.io/team/app:1', 'pass: image verified'],
    after: `ghcr.io/team/app:1@${digest}`,
  },
  {
    name: 'an image without a matching signature fails at the path of its attestor',
    item: { attestors: [attestor(keys(otherKey))] },
    results: [
      'fail: failed to verify image ghcr.io/team/app:1: .attestors[0].entries[0].keys: no matching signatures',
      `fail: unverified image ghcr.io/team/app@${digest}`,
    ],
    after: `ghcr.io/team/app:1@${digest}`,
  },
  {
    name: 'all entries are required without a count',
    item: {
      attestors: [attestor(keys(key), keys(otherKey))],
      mutateDigest: false,
      required: false,
      verifyDigest: false,
    },
    results: [
      'fail: failed to verify image ghcr.io/team/app:1: .attestors[0].entries[1].keys: no matching signatures',
    ],
  },
  {
    name: 'attestations that are not objects are ignored',
    item: {
      attestors: [attestor(keys(key))],
      attestations: [null],
      mutateDigest: false,
      required: false,
      verifyDigest: false,
    },
    results: ['pass: verified image signatures for ghcr.io/team/app:1'],
  },
  {
    name: 'a count accepts some of the entries',
    item: {
      attestors: [{ count: 1, entries: [keys(otherKey), keys(key)] }],
      mutateDigest: false,
      required: false,
      verifyDigest: false,
    },
    results: ['pass: verified image signatures for ghcr.io/team/app:1'],
  },
  {
    name: 'several keys in one entry are several entries',
    item: {
      attestors: [{ count: 1, entries: [keys(`${otherKey}\n${key}`)] }],
      mutateDigest: false,
      required: false,
      verifyDigest: false,
    },
    results: ['pass: verified image signatures for ghcr.io/team/app:1'],
  },
  {
    name: 'a nested attestor has a longer path',
    item: {
      attestors: [attestor({ attestor: attestor(keys(otherKey)) })],
      mutateDigest: false,
      required: false,
      verifyDigest: false,
    },
    results: [
      'fail: failed to verify image ghcr.io/team/app:1: .attestors[0].entries[0].attestor.entries[0].keys: no matching signatures',
    ],
  },
  {
    name: 'missing data are an error',
    item: {
      attestors: [attestor(keys(key))],
      mutateDigest: false,
      required: false,
      verifyDigest: false,
    },
    image: 'ghcr.io/team/missing:1',
    results: [
      'error: failed to verify image ghcr.io/team/missing:1: .attestors[0].entries[0].keys: no data',
    ],
  },
  {
    name: 'a skipped image is not verified',
    item: {
      attestors: [attestor(keys(otherKey))],
      skipImageReferences: ['*/app:*'],
      mutateDigest: false,
      verifyDigest: false,
      required: false,
    },
    results: [
      'skip: skipping image reference image ghcr.io/team/app:1, policy signed ruleName check',
    ],
  },
  {
    name: 'an image of another registry has no result',
    item: { attestors: [attestor(keys(otherKey))] },
    image: 'quay.io/team/app:1',
    results: [],
  },
  {
    name: 'a rule without attestors only adds digests',
    item: { required: false },
    results: ['pass: mutated image digest', 'pass: image verified'],
    after: `ghcr.io/team/app:1@${digest}`,
  },
  {
    name: 'an image without a digest fails if digests are required',
    item: { mutateDigest: false, required: false, verifyDigest: true },
    results: ['fail: missing digest for ghcr.io/team/app:1'],
  },
  {
    name: 'an attestation whose conditions hold passes',
    item: {
      attestations: [
        {
          type: 'https://example.com/scan',
          attestors: [attestor(keys(key))],
          conditions: [{ all: [{ key: '{{ severity }}', operator: 'NotEquals', value: 'high' }] }],
        },
      ],
      mutateDigest: false,
      required: false,
      verifyDigest: false,
    },
    predicate: { severity: 'low' },
    results: [`pass: verified image attestations for ghcr.io/team/app@${digest}`],
  },
  {
    name: 'an attestation whose conditions do not hold fails with their messages',
    item: {
      attestations: [
        {
          type: 'https://example.com/scan',
          attestors: [attestor(keys(key))],
          conditions: [
            {
              all: [
                {
                  key: '{{ severity }}',
                  operator: 'NotEquals',
                  value: 'high',
                  message: 'too severe',
                },
              ],
            },
          ],
        },
      ],
      mutateDigest: false,
      required: false,
      verifyDigest: false,
    },
    predicate: { severity: 'high' },
    results: [
      `fail: image attestations verification failed, verifiedCount: 0, requiredCount: 1, error: .attestations[0].attestors[0].entries[0].keys: attestation checks failed for ghcr.io/team/app@${digest} and predicate https://example.com/scan: too severe`,
    ],
  },
  {
    name: 'extractors find images elsewhere',
    item: {
      attestors: [attestor(keys(key))],
      mutateDigest: false,
      required: false,
      verifyDigest: false,
    },
    rule: { imageExtractors: { Pod: [{ path: '/metadata/annotations/image' }] } },
    results: ['pass: verified image signatures for ghcr.io/team/tool:2'],
  },
  {
    name: 'a digest cannot be added below a key with a slash, which Kyverno does not escape',
    item: { attestors: [attestor(keys(key))], required: false, verifyDigest: false },
    rule: { imageExtractors: { Pod: [{ path: '/data/*/image' }] } },
    results: [
      'error: failed to apply patch: replace operation does not apply: doc is missing path: /data/team/tool/image: missing value',
    ],
  },
];

test.each(lessons)(
  '$name',
  ({ item, rule, image = 'ghcr.io/team/app:1', predicate, ...expected }) => {
    const policy = compilePolicy({
      apiVersion: 'kyverno.io/v1',
      kind: 'ClusterPolicy',
      metadata: { name: 'signed' },
      spec: {
        rules: [
          {
            name: 'check',
            match: { any: [{ resources: { kinds: ['Pod'] } }] },
            verifyImages: [{ imageReferences: ['ghcr.io/*'], ...item }],
            ...rule,
          },
        ],
      },
    });
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'app',
        namespace: 'default',
        annotations: { image: 'ghcr.io/team/tool:2' },
      },
      spec: { containers: [{ name: 'app', image }] },
      data: { 'team/tool': { image: 'ghcr.io/team/tool:2' } },
    };
    const user = { username: '', groups: [], roles: [], clusterRoles: [] };
    const responses = applyPolicies([policy], pod, () => ({
      operation: 'CREATE',
      facts: {
        operation: 'CREATE',
        subresource: '',
        namespaceLabels: {},
        namespace: undefined,
        user,
        kind: undefined,
      } as never,
      sources: { images: verifierWith(predicate) },
      exceptions: [],
      isCluster: true,
    }));
    const results = responses.flatMap((response) => response.results);
    expect(results.map(({ status, message }) => `${status}: ${message}`)).toEqual(expected.results);
    const after = responses.at(-1)?.object as unknown as typeof pod | undefined;
    expect(after?.spec.containers[0]?.image ?? image).toBe(expected.after ?? image);
  },
);
