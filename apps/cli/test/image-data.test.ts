import {
  LayoutWriter,
  makeKeys,
  signatureLayer,
  storeLayers,
  withFolder,
  writeFiles,
} from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { runHere } from './terminal.ts';

const repository = 'registry.example/team/app';
const image = `${repository}:1.0`;
const keys = makeKeys();

/** A policy with one rule; its fields are in YAML, indented as an item of `verifyImages`. */
function policy(pem: string, fields = ''): string {
  const key = pem.trimEnd().replaceAll('\n', `\n${' '.repeat(16)}`);
  return `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata:
  name: signed
spec:
  validationFailureAction: Enforce
  background: false
  rules:
    - name: check
      match: {any: [{resources: {kinds: [Pod]}}]}
      verifyImages:
        - imageReferences: ['registry.example/*']
${fields}          attestors:
            - entries:
                - keys:
                    rekor: {url: https://rekor.example, ignoreTlog: true}
                    publicKeys: |-
                      ${key.replaceAll('\n', '\n      ')}
`;
}

const pod = `apiVersion: v1
kind: Pod
metadata: {name: app, namespace: default}
spec:
  containers: [{name: app, image: '${image}'}]
`;

/** Runs a command with a signed image in the folder \`data\`; the policy is for a public key. */
function runWithData(
  pem: string,
  args: readonly string[],
  look: (ran: Awaited<ReturnType<typeof runHere>>, digest: string) => void,
): Promise<void> {
  return withFolder(async (folder) => {
    writeFiles(folder, { 'policy.yaml': policy(pem), 'pod.yaml': pod });
    const layout = new LayoutWriter(`${folder}/data`);
    const { digest } = layout.image(image);
    storeLayers(layout, repository, digest, [signatureLayer(layout, digest, keys)]);
    const named = args.map((arg) => (arg === 'data' ? layout.folder : arg));
    const files = [`${folder}/policy.yaml`, `${folder}/pod.yaml`];
    look(await runHere([...named, ...files]), digest);
  });
}

test('check allows a signed image', () =>
  runWithData(keys.pem, ['check', '--image-data', 'data'], (ran) => {
    expect(ran.stderr).toBe('');
    expect(ran.stdout).toContain('1 changed');
    expect(ran.exitCode).toBe(0);
  }));

test('check denies an image that is signed by another key', () =>
  runWithData(makeKeys().pem, ['check', '--image-data', 'data'], ({ stdout, exitCode }) => {
    expect(stdout).toContain(
      `failed to verify image ${image}: .attestors[0].entries[0].keys: no matching signatures: invalid signature when validating ASN.1 encoded signature`,
    );
    expect(exitCode).toBe(1);
  }));

test('check names the image and the option if there is no data', () =>
  runWithData(keys.pem, ['check'], ({ stdout, exitCode }) => {
    expect(stdout).toContain(
      `no data of the image ${image}; record it with \`kubeadmit image-data record ${image} --output FOLDER\` and use --image-data FOLDER`,
    );
    expect(exitCode).toBe(1);
  }));

test('mutate adds the digest of a signed image', () =>
  runWithData(keys.pem, ['mutate', '--image-data', 'data'], ({ stdout, exitCode }, digest) => {
    expect(stdout).toContain(`image: ${image}@${digest}`);
    expect(stdout).toContain('kyverno.io/verify-images');
    expect(exitCode).toBe(0);
  }));

test('policies in CEL read the metadata of recorded images', () =>
  withFolder(async (folder) => {
    const policyInCel = `apiVersion: policies.kyverno.io/v1
kind: ValidatingPolicy
metadata: {name: architecture}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations:
  - expression: object.spec.containers.all(c, image.getMetadata(c.image).config.architecture == 'arm64')
    message: only arm64
`;
    writeFiles(folder, { 'policy.yaml': policyInCel, 'pod.yaml': pod });
    const layout = new LayoutWriter(`${folder}/data`);
    layout.image(image);
    const files = [`${folder}/policy.yaml`, `${folder}/pod.yaml`];
    const { stdout, exitCode } = await runHere(['check', '--image-data', layout.folder, ...files]);
    expect(stdout).toContain('denied by architecture: only arm64');
    expect(exitCode).toBe(1);
  }));

test('test runs the rows about rules that verify images', () =>
  withFolder(async (folder) => {
    const rows = `apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: {name: signed}
policies: [policy.yaml]
resources: [pod.yaml]
results: [{policy: signed, rule: check, kind: Pod, resources: [app], result: pass}]
`;
    writeFiles(folder, {
      'policy.yaml': policy(keys.pem),
      'pod.yaml': pod,
      'kyverno-test.yaml': rows,
    });
    const layout = new LayoutWriter(`${folder}/data`);
    const { digest } = layout.image(image);
    storeLayers(layout, repository, digest, [signatureLayer(layout, digest, keys)]);
    const { stdout } = await runHere(['test', '--image-data', layout.folder, folder]);
    expect(stdout).toContain('passed, 0 failed');
  }));

/** An ImageValidatingPolicy for a public key. */
function policyInCel(pem: string): string {
  return `apiVersion: policies.kyverno.io/v1
kind: ImageValidatingPolicy
metadata: {name: signed-in-cel}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  matchImageReferences: [{glob: 'registry.example/*'}]
  attestors:
  - name: release
    cosign: {key: {data: ${JSON.stringify(pem)}}, ctlog: {insecureIgnoreTlog: true}}
  validations:
  - expression: images.containers.map(image, verifyImageSignatures(image, [attestors.release])).all(count, count > 0)
    message: not signed
`;
}

/** Does as `runWithData` with an ImageValidatingPolicy. */
function runInCel(
  pem: string,
  args: readonly string[],
  look: (ran: Awaited<ReturnType<typeof runHere>>, digest: string) => void,
): Promise<void> {
  return withFolder(async (folder) => {
    writeFiles(folder, { 'policy.yaml': policyInCel(pem), 'pod.yaml': pod });
    const layout = new LayoutWriter(`${folder}/data`);
    const { digest } = layout.image(image);
    storeLayers(layout, repository, digest, [signatureLayer(layout, digest, keys)]);
    const named = args.map((arg) => (arg === 'data' ? layout.folder : arg));
    look(await runHere([...named, `${folder}/policy.yaml`, `${folder}/pod.yaml`]), digest);
  });
}

test('check adds the digest and validates the signature by an ImageValidatingPolicy', () =>
  runInCel(keys.pem, ['check', '--image-data', 'data'], ({ stdout, exitCode }, digest) => {
    expect(stdout).toContain(
      `replace /spec/containers/0/image "registry.example/team/app:1.0@${digest}"`,
    );
    expect(exitCode).toBe(0);
  }));

test('check denies an image that the attestor of an ImageValidatingPolicy did not sign', () =>
  runInCel(makeKeys().pem, ['check', '--image-data', 'data'], ({ stdout, exitCode }) => {
    expect(stdout).toContain('denied by signed-in-cel: not signed');
    expect(exitCode).toBe(1);
  }));

test('check names the image and the command for missing data of an ImageValidatingPolicy', () =>
  runInCel(keys.pem, ['check'], ({ stdout, exitCode }) => {
    expect(stdout).toContain(
      `no data of the image ${image}; record it with \`kubeadmit image-data record ${image} --output FOLDER\` and use --image-data FOLDER`,
    );
    expect(exitCode).toBe(1);
  }));

test('mutate adds the digest for an ImageValidatingPolicy', () =>
  runInCel(keys.pem, ['mutate', '--image-data', 'data'], ({ stdout, exitCode }, digest) => {
    expect(stdout).toContain(`image: ${image}@${digest}`);
    expect(exitCode).toBe(0);
  }));

test('test runs the rows about ImageValidatingPolicies', () =>
  withFolder(async (folder) => {
    const row = (policy: string, result: string) =>
      `{policy: ${policy}, isImageValidatingPolicy: true, kind: Pod, resources: [app], result: ${result}}`;
    const rows = `apiVersion: cli.kyverno.io/v1alpha1
kind: Test
metadata: {name: signed}
policies: [policy.yaml]
resources: [pod.yaml]
results: [${row('signed-in-cel', 'pass')}]
`;
    const lenient = policyInCel(keys.pem).replace(
      'spec:\n',
      'spec:\n  validationConfigurations: {verifyDigest: false}\n',
    );
    writeFiles(folder, { 'policy.yaml': lenient, 'pod.yaml': pod, 'kyverno-test.yaml': rows });
    const layout = new LayoutWriter(`${folder}/data`);
    const { digest } = layout.image(image);
    storeLayers(layout, repository, digest, [signatureLayer(layout, digest, keys)]);
    const { stdout } = await runHere(['test', '--image-data', layout.folder, folder]);
    expect(stdout).toContain('1 passed, 0 failed');
  }));
