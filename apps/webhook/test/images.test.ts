import { join } from 'node:path';
import {
  createFolder,
  type ImageRegistry,
  type Intercept,
  LayoutWriter,
  makeKeys,
  removeFolder,
  type SigningKeys,
  serveImages,
  signatureLayer,
  storeLayers,
} from '@kubeadmit/test-support';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const keys = makeKeys();
let folder: string;
let layout: LayoutWriter;
let registry: ImageRegistry;
let intercept: Intercept;
let webhook: TestWebhook;
let digest: string;

/** An image with a signature, if it has a signer. */
function addImage(name: string, signer?: SigningKeys): string {
  const image = layout.image(`${registry.host}/team/${name}:1`);
  if (signer !== undefined) {
    const layer = signatureLayer(layout, image.digest, signer);
    storeLayers(layout, `${registry.host}/team/${name}`, image.digest, [layer]);
  }
  return image.digest;
}

beforeEach(async () => {
  folder = createFolder();
  layout = new LayoutWriter(join(folder, 'images'));
  intercept = () => false;
  registry = await serveImages(layout.folder, (...given) => intercept(...given));
  digest = addImage('signed', keys);
  addImage('unsigned');
  addImage('forged', makeKeys());
});

afterEach(async () => {
  await webhook.stop();
  registry.close();
  removeFolder(folder);
});

const verifying = (failurePolicy = 'Fail'): string => `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: signed}
spec:
  webhookConfiguration: {failurePolicy: ${failurePolicy}}
  rules:
  - name: key
    match: {any: [{resources: {kinds: [Pod]}}]}
    verifyImages:
    - imageReferences: ['${registry.host}/*']
      failureAction: Enforce
      attestors:
      - entries:
        - keys:
            rekor: {ignoreTlog: true, url: ''}
            ctlog: {ignoreSCT: true}
            publicKeys: ${JSON.stringify(keys.pem)}
`;

const inCel = (): string => `apiVersion: policies.kyverno.io/v1
kind: ImageValidatingPolicy
metadata: {name: signed-in-cel}
spec:
  validationActions: [Deny]
  validationConfigurations: {mutateDigest: true, required: true, verifyDigest: true}
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  matchImageReferences: [{glob: '${registry.host}/*'}]
  attestors:
  - name: team
    cosign:
      ctlog: {insecureIgnoreTlog: true, insecureIgnoreSCT: true}
      key:
        data: ${JSON.stringify(keys.pem)}
  validations:
  - expression: images.containers.map(image, verifyImageSignatures(image, [attestors.team])).all(e, e > 0)
    message: the image is not signed by the team
`;

async function start(policy: string, options: readonly string[] = []): Promise<void> {
  const insecure = ['--allow-insecure-registry', registry.host];
  webhook = await startWebhook({ 'policy.yaml': policy }, [...insecure, ...options]);
}

const pods = { group: '', version: 'v1', resource: 'pods' };
const kind = { group: '', version: 'v1', kind: 'Pod' };

interface Reply {
  readonly allowed: boolean;
  readonly message: string;
  /** The object after the patch of the response, as far as tests read it. */
  readonly patch: readonly { readonly path: string; readonly value: unknown }[];
}

async function ask(
  path: string,
  image: string,
  metadata: Readonly<Record<string, unknown>> = {},
): Promise<Reply> {
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'shop', ...metadata },
    spec: { containers: [{ name: 'c', image }] },
  };
  const request = { kind, resource: pods, requestKind: kind, requestResource: pods, name: 'p' };
  const { body } = await webhook.ask(path, configMapReview({ request: { ...request, object } }));
  const { allowed, status, patch } = body['response'] as {
    readonly allowed: boolean;
    readonly status?: { readonly message?: string };
    readonly patch?: string;
  };
  return {
    allowed,
    message: status?.message ?? '',
    patch: patch === undefined ? [] : JSON.parse(Buffer.from(patch, 'base64').toString()),
  };
}

test('adds the digest of a signed image, notes its verification, and validates the result', async () => {
  await start(verifying());
  const { allowed, patch } = await ask('/mutate', `${registry.host}/team/signed:1`);
  expect(allowed).toBe(true);
  const pinned = `${registry.host}/team/signed:1@${digest}`;
  const [annotations, image] = [
    patch.find(({ path }) => path.startsWith('/metadata')),
    patch.find(({ path }) => path.startsWith('/spec')),
  ];
  expect(image?.value).toBe(pinned);
  expect(JSON.stringify(annotations)).toContain('kyverno.io/verify-images');
  const validated = await ask('/validate', pinned, { annotations: annotations?.value });
  expect(validated).toMatchObject({ allowed: true });
});

test('denies an object whose images were not verified', async () => {
  await start(verifying());
  const named = `${registry.host}/team/signed@${digest}`;
  const { allowed, message } = await ask('/validate', named);
  expect(allowed).toBe(false);
  expect(message).toContain(`unverified image ${named}`);
});

test.each([
  ['unsigned', 'no signatures found'],
  ['forged', 'no matching signatures: invalid signature when validating ASN.1 encoded signature'],
  ['lost', 'the registry has no image'],
])('denies the image %s', async (name, reason) => {
  await start(verifying('Ignore'));
  const image = `${registry.host}/team/${name}:1`;
  const { allowed, message } = await ask('/mutate', image);
  expect(allowed).toBe(false);
  expect(message).toContain(
    `failed to verify image ${image}: .attestors[0].entries[0].keys: ${reason}`,
  );
});

test.each([
  ['', 'unexpected status code 500 Internal Server Error'],
  ['{"errors":[{"code":"UNKNOWN","message":"try later"}]}', 'UNKNOWN: try later'],
])(
  'denies with the text of Kyverno if the registry answers with the error %j',
  async (body, text) => {
    intercept = (_request, response) => {
      response.writeHead(500).end(body);
      return true;
    };
    await start(verifying('Ignore'));
    const image = `${registry.host}/team/signed:1`;
    const { allowed, message } = await ask('/mutate', image);
    expect(allowed).toBe(false);
    const url = `http://${registry.host}/v2/team/signed/manifests/1`;
    expect(message).toContain(
      `failed to verify image ${image}: .attestors[0].entries[0].keys: GET ${url}: ${text}`,
    );
  },
);

test.each([
  ['denies', 'Fail', false],
  ['allows', 'Ignore', true],
])(
  '%s if the registry is down and the failure policy is %s',
  async (_, failurePolicy, expected) => {
    await start(verifying(failurePolicy));
    registry.close();
    const { allowed, message } = await ask('/mutate', `${registry.host}/team/signed:1`);
    expect(allowed).toBe(expected);
    if (!expected) expect(message).toMatch(/failed to read the manifest .*ECONNREFUSED/);
  },
);

test('denies if the registry does not answer within the time limit of the request', async () => {
  await start(verifying());
  intercept = () => true;
  const began = performance.now();
  const { allowed, message } = await ask('/mutate?timeout=1s', `${registry.host}/team/signed:1`);
  expect(allowed).toBe(false);
  expect(message).toContain('the time limit of the request has passed');
  expect(performance.now() - began).toBeLessThan(5000);
});

test('reads each part once for concurrent and later requests', async () => {
  await start(verifying());
  const image = `${registry.host}/team/signed:1`;
  await Promise.all([1, 2, 3].map(() => ask('/mutate', image)));
  await ask('/mutate', image);
  expect(registry.requests).toHaveLength(3);
  const { text } = await webhook.read('/metrics');
  expect(text).toContain('kubeadmit_image_fetches_total{kind="manifest",result="found"} 2');
  expect(text).toContain('kubeadmit_image_fetches_total{kind="blob",result="found"} 1');
  expect(text).toMatch(/kubeadmit_image_cache_total\{result="hit"\} [1-9]/);
});

test('reads a tag again after the time of the cache', async () => {
  await start(verifying(), ['--image-cache-seconds', '0']);
  const image = `${registry.host}/team/signed:1`;
  await ask('/mutate', image);
  await ask('/mutate', image);
  expect(registry.requests.filter((path) => path.endsWith('/manifests/1'))).toHaveLength(2);
});

test('sends credentials of a file to a registry that requires them', async () => {
  const basic = Buffer.from('me:secret').toString('base64');
  const file = join(
    createFolder({
      'config.json': JSON.stringify({ auths: { [registry.host]: { auth: basic } } }),
    }),
    'config.json',
  );
  intercept = ({ headers }, response) => {
    if (headers.authorization === `Basic ${basic}`) return false;
    response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
    return true;
  };
  await start(verifying(), ['--registry-config', file]);
  expect(await ask('/mutate', `${registry.host}/team/signed:1`)).toMatchObject({ allowed: true });
});

test('reports that credentials are missing, and denies whatever the failure policy is', async () => {
  intercept = (_request, response) => {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="test"' }).end();
    return true;
  };
  await start(verifying('Ignore'));
  const { allowed, message } = await ask('/mutate', `${registry.host}/team/signed:1`);
  expect(allowed).toBe(false);
  expect(message).toContain('use --image-pull-secret or --registry-config');
});

test.each([
  ['signed', true, ''],
  ['unsigned', false, 'the image is not signed by the team'],
])('an ImageValidatingPolicy decides about the image %s', async (name, expected, reason) => {
  await start(inCel());
  const image = `${registry.host}/team/${name}:1`;
  const { patch } = await ask('/mutate', image);
  const pinned = String(patch.find(({ path }) => path.startsWith('/spec'))?.value);
  expect(pinned).toMatch(/:1@sha256:/);
  const { allowed, message } = await ask('/validate', pinned);
  expect(allowed).toBe(expected);
  expect(message).toContain(reason);
});

test('reads nothing from this machine without the option for it', async () => {
  webhook = await startWebhook({ 'policy.yaml': verifying('Ignore') });
  const { allowed, message } = await ask('/mutate', `${registry.host}/team/signed:1`);
  expect(allowed).toBe(false);
  expect(message).toMatch(/localhost:\d+ has the address (?:127\.0\.0\.1|::1), which is refused/);
  expect(registry.requests).toEqual([]);
});

test('reports rules about images that are not evaluated', async () => {
  await start(verifying(), ['--no-verify-images']);
  const { text } = await webhook.read('/readyz?verbose');
  expect(text).toContain('rules with verifyImages are not supported');
  expect(await ask('/mutate', `${registry.host}/team/unsigned:1`)).toMatchObject({ allowed: true });
});
