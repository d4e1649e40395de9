import type { JsonObject } from '@kubeadmit/apimachinery';
import { expect, test } from 'vitest';
import { ImageValidation, pinDigests } from '../src/images.ts';
import { type CelRequest, compileCelPolicy, type ImageVerifier } from '../src/index.ts';
import { readCelException } from '../src/internal.ts';

const digest = `sha256:${'a'.repeat(64)}`;
const signed = `ghcr.io/team/app@${digest}`;

/** Knows all images but those named `missing`, and accepts the key `good`. */
const verifier: ImageVerifier = {
  verifySignature: () => ({ error: 'unused' }),
  fetchAttestations: () => ({ error: 'unused' }),
  verifyCosign: ({ signer }) => {
    if (signer?.kind === 'keyless') return { error: 'no trust root', isUnavailable: true };
    return signer?.kind === 'key' && signer.pem === 'good' ? undefined : { error: 'not signed' };
  },
  fetchAttested: (_check, type) => ({ type, payload: { predicate: { severity: 'low' } } }),
  referrerOf: (_image, type) => ({ data: { type } }),
  digestOf: (image) => (image.includes('missing') ? { error: `no data of ${image}` } : { digest }),
};

const key = (data: string): JsonObject => ({ name: data, cosign: { key: { data } } });
const all = (call: string): JsonObject => ({
  expression: `images.containers.map(image, ${call}).all(count, count > 0)`,
  message: 'not signed',
});
const signedByGood = all('verifyImageSignatures(image, [attestors.good])');

interface Lesson {
  readonly name: string;
  readonly spec?: JsonObject;
  readonly image?: string;
  readonly exceptions?: readonly JsonObject[];
  /** Specs of policies beside it. */
  readonly others?: readonly JsonObject[];
  /** Each result as `status: message`. */
  readonly results: readonly string[];
}

const unverified = (image: string): string =>
  `fail: image ${image} is not verified: no policy performed a signature or attestation check on it`;

// The messages are those of Kyverno 1.19.1, except for what is missing or not supported here.
const lessons: readonly Lesson[] = [
  { name: 'a signed image passes', results: ['pass: success'] },
  {
    name: 'an image that is not signed by the attestor fails',
    spec: { validations: [all('verifyImageSignatures(image, [attestors.bad])')] },
    results: ['fail: not signed'],
  },
  {
    name: 'the number of attestors that signed is counted',
    spec: {
      validations: [all('verifyImageSignatures(image, [attestors.good, attestors.bad]) - 1')],
    },
    results: ['fail: not signed'],
  },
  {
    name: 'an image without a digest fails',
    image: 'ghcr.io/team/app:1',
    results: ['fail: image ghcr.io/team/app:1 does not have a digest'],
  },
  {
    name: 'an image without a digest passes if the policy does not verify digests',
    image: 'ghcr.io/team/app:1',
    spec: { validationConfigurations: { verifyDigest: false } },
    results: ['pass: success'],
  },
  {
    name: 'an image without data is an error',
    image: `ghcr.io/team/missing@${digest}`,
    results: [`error: failed to evaluate policy: no data of ghcr.io/team/missing@${digest}`],
  },
  {
    name: 'an image that no policy verifies fails',
    spec: { validations: [{ expression: 'true' }] },
    results: [unverified(signed)],
  },
  {
    name: 'verification by another policy is enough',
    spec: { validations: [{ expression: 'true' }] },
    others: [{}],
    results: ['pass: success', 'pass: success'],
  },
  {
    name: 'verification need not be required',
    spec: { validationConfigurations: { required: false }, validations: [{ expression: 'true' }] },
    results: ['pass: success'],
  },
  {
    name: 'images that no glob matches are not selected',
    spec: {
      matchImageReferences: [{ glob: 'docker.io/*' }],
      validations: [{ expression: 'images.containers == []' }],
    },
    results: ['pass: success'],
  },
  {
    name: 'a glob has classes and alternatives',
    spec: { matchImageReferences: [{ glob: '{docker,ghcr}.io/te[a-z]m/*' }] },
    results: ['pass: success'],
  },
  {
    name: 'an expression selects images',
    spec: {
      matchImageReferences: [{ expression: "parseImageReference(ref).registry() == 'ghcr.io'" }],
    },
    results: ['pass: success'],
  },
  {
    name: 'a match condition that is false gives no result',
    spec: { matchConditions: [{ name: 'a', expression: 'false' }] },
    results: [],
  },
  {
    name: 'errors of match conditions are ignored if the failure policy says so',
    spec: {
      failurePolicy: 'Ignore',
      matchConditions: [{ name: 'a', expression: 'object.spec.no == 1' }],
    },
    results: [],
  },
  {
    name: 'an error of a match condition is an error',
    spec: { matchConditions: [{ name: 'a', expression: 'object.spec.no == 1' }] },
    results: ['error: failed to evaluate policy: no such key: no'],
  },
  {
    name: 'own expressions find further images',
    spec: {
      images: [{ name: 'label', expression: '[object.metadata.labels.image]' }],
      validations: [
        signedByGood,
        { expression: "images.label == ['ghcr.io/x/y:1']", message: 'label' },
      ],
      validationConfigurations: { verifyDigest: false, required: false },
    },
    results: ['pass: success'],
  },
  {
    name: 'variables read images',
    spec: {
      variables: [{ name: 'count', expression: 'size(images.containers)' }],
      validations: [signedByGood, { expression: 'variables.count == 1' }],
    },
    results: ['pass: success'],
  },
  {
    name: 'the key of an attestor may be an expression',
    spec: {
      attestors: [{ name: 'good', cosign: { key: { expression: "'go' + 'od'" } } }],
    },
    results: ['pass: success'],
  },
  {
    name: 'the key of an attestor has to be a string',
    spec: { attestors: [{ name: 'good', cosign: { key: { expression: '1' } } }] },
    results: [
      "error: failed to evaluate policy: failed to convert key in compiled attestor: good, error: failed to convert expression in compiled attestor: good, error: unsupported type conversion from 'int' to string",
    ],
  },
  {
    name: 'a list of anything but attestors is an error',
    spec: { validations: [all("verifyImageSignatures(image, ['good'])")] },
    results: [
      "error: failed to evaluate policy: unsupported native conversion from string to 'v1alpha1.Attestor'",
    ],
  },
  {
    name: 'an expression for images has to give a list',
    spec: { images: [{ name: 'name', expression: 'object.metadata.name' }] },
    results: [
      "error: failed to evaluate policy: unsupported native conversion from string to '[]string'",
    ],
  },
  {
    name: 'an unknown attestor is an error',
    spec: { validations: [all('verifyImageSignatures(image, [attestors.none])')] },
    results: ['error: failed to evaluate policy: no such key: none'],
  },
  {
    name: 'notary attestors are an error',
    spec: { attestors: [{ name: 'good', notary: { certs: { value: 'a' } } }] },
    results: [
      'error: failed to evaluate policy: attestor good: notary attestors are not supported',
    ],
  },
  {
    name: 'missing trust is an error and no failure',
    spec: { attestors: [{ name: 'good', cosign: { keyless: { identities: [{ issuer: 'a' }] } } }] },
    results: ['error: failed to evaluate policy: attestor good: no trust root'],
  },
  {
    name: 'conditions read the payload of a verified attestation',
    spec: {
      attestations: [{ name: 'scan', intoto: { type: 'https://example.com/scan' } }],
      validations: [
        all('verifyAttestationSignatures(image, attestations.scan, [attestors.good])'),
        {
          expression:
            "images.containers.all(i, extractPayload(i, attestations.scan).predicate.severity == 'low')",
        },
      ],
    },
    results: ['pass: success'],
  },
  {
    name: 'the payload of an attestation that is not verified is an error',
    spec: {
      attestations: [{ name: 'scan', intoto: { type: 'https://example.com/scan' } }],
      validations: [{ expression: "extractPayload(images.containers[0], 'scan') == 1" }],
    },
    results: [
      'error: failed to evaluate policy: failed to get payload: intoto attestation payload cannot be fetch before verifying intoto attestation',
    ],
  },
  {
    name: 'an artifact that refers to the image is read without verification',
    spec: {
      attestations: [{ name: 'sbom', referrer: { type: 'sbom/json' } }],
      validations: [
        signedByGood,
        { expression: "images.containers.all(i, extractPayload(i, 'sbom').type == 'sbom/json')" },
      ],
    },
    results: ['pass: success'],
  },
  {
    name: 'an exception skips the policy',
    exceptions: [{ matchConditions: [{ name: 'a', expression: "object.kind == 'Pod'" }] }],
    results: ['skip: rule is skipped due to policy exception: saved'],
  },
  {
    name: 'an exception for some images skips nothing',
    exceptions: [{ images: ['ghcr.io/*'] }],
    results: ['pass: success'],
  },
  {
    name: 'an expression that does not compile is an error',
    spec: { validations: [{ expression: 'nonsense' }] },
    results: [
      "error: failed to compile policy: spec.validations[0].expression: Invalid value: \"nonsense\": ERROR: <input>:1:1: undeclared reference to 'nonsense' (in container '')\n | nonsense\n | ^",
    ],
  },
];

function policyOf(spec: JsonObject, exceptions: readonly JsonObject[] = []) {
  const source = {
    apiVersion: 'policies.kyverno.io/v1',
    kind: 'ImageValidatingPolicy',
    metadata: { name: 'images' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
        ],
      },
      attestors: [key('good'), key('bad')],
      validations: [signedByGood],
      ...spec,
    },
  };
  const policyRefs = [{ kind: 'ImageValidatingPolicy', name: 'images' }];
  return compileCelPolicy(source as JsonObject, {
    clock: () => 0,
    exceptions: exceptions.map((exception) =>
      readCelException({ metadata: { name: 'saved' }, spec: { policyRefs, ...exception } }),
    ),
  });
}

function requestOf(object: JsonObject, resource: string, group = ''): CelRequest {
  const version = 'v1';
  return {
    attributes: {
      kind: { group, version, kind: String(object['kind']) },
      resource: { group, version, resource },
      subresource: '',
      name: 'web',
      namespace: 'default',
      operation: 'CREATE',
      user: {},
      object: object as never,
      oldObject: null,
      dryRun: false,
      options: null,
    },
    sources: {},
  };
}

const podWith = (image: string): JsonObject => ({
  kind: 'Pod',
  metadata: { name: 'web', labels: { image: 'ghcr.io/x/y:1' } },
  spec: { containers: [{ name: 'app', image }] },
});

test.each(lessons)('$name', ({ spec = {}, image = signed, exceptions, others = [], results }) => {
  const validation = new ImageValidation({ verifier });
  const request = requestOf(podWith(image), 'pods');
  for (const policy of [policyOf(spec, exceptions), ...others.map((other) => policyOf(other))]) {
    validation.validate(policy, request);
  }
  const said = validation.responses().map(({ result }) => `${result.status}: ${result.message}`);
  expect(said).toEqual(results);
});

test('policies for pods validate the templates of pod controllers', () => {
  const validation = new ImageValidation({ verifier });
  const template = { spec: { containers: [{ name: 'app', image: 'ghcr.io/team/app:1' }] } };
  const deployment = { kind: 'Deployment', metadata: { name: 'web' }, spec: { template } };
  validation.validate(policyOf({}), requestOf(deployment, 'deployments', 'apps'));
  expect(validation.responses().map(({ result }) => result.message)).toEqual([
    'image ghcr.io/team/app:1 does not have a digest',
  ]);
});

test('digests are added to selected images', () => {
  const policy = policyOf({ matchImageReferences: [{ glob: 'ghcr.io/*' }] });
  const pod = podWith('ghcr.io/team/app:1');
  const { object, responses } = pinDigests([policy], requestOf(pod, 'pods'), { verifier });
  expect(object).toEqual(podWith(`ghcr.io/team/app:1@${digest}`));
  expect(responses).toEqual([]);
});

test('a digest that is unknown is an error', () => {
  const request = requestOf(podWith('ghcr.io/team/missing:1'), 'pods');
  const { responses } = pinDigests([policyOf({})], request, { verifier });
  expect(responses.map(({ result }) => result)).toEqual([
    {
      rule: 'mutateDigest',
      status: 'error',
      message:
        'failed to update digest: failed to resolve digest for image ghcr.io/team/missing:1: no data of ghcr.io/team/missing:1',
    },
  ]);
});

test('digests are not added if the policy says so', () => {
  const pod = podWith('ghcr.io/team/app:1');
  const policy = policyOf({ validationConfigurations: { mutateDigest: false } });
  expect(pinDigests([policy], requestOf(pod, 'pods'), { verifier }).object).toBe(pod);
});
