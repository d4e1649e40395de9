import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selectedPlugins } from '@kubeadmit/admission/plugins';
import { readDocuments, Source } from '@kubeadmit/manifest';
import { folderUntil, writeFiles } from '@kubeadmit/test-support';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readAdmissionConfiguration } from '../src/loading/admission-configuration.ts';
import { ask, startForTest } from './running-server.ts';

interface Case {
  readonly name: string;
  readonly text: string;
  readonly error?: string;
  readonly folders?: readonly string[];
}

const file = new URL('admission-configurations.yaml', import.meta.url);
const { documents } = readDocuments(new Source('cases.yaml', readFileSync(file, 'utf8')));
const cases = documents[0]?.value as unknown as readonly Case[];

function policies(kind: string, spec: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}AdmissionPolicy
metadata: {name: guard.static.k8s.io}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
${spec}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ${kind}AdmissionPolicyBinding
metadata: {name: guard.static.k8s.io}
spec: {policyName: guard.static.k8s.io${kind === 'Validating' ? ', validationActions: [Deny]' : ''}}
`;
}

const validating = policies(
  'Validating',
  '  validations: [{expression: "object.metadata.labels.a == \'b\'", messageExpression: "\'labels: %s\'.format([object.metadata.labels])"}]',
);
const mutating = policies(
  'Mutating',
  '  reinvocationPolicy: Never\n  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: "Object{metadata: Object.metadata{labels: {\'a\': object.metadata.name}}}"}}]',
);

// Nothing listens there.
const webhooks = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: guard.static.k8s.io}
webhooks:
- name: guard.example.com
  clientConfig: {url: 'https://127.0.0.1:1/'}
  rules: [{apiGroups: [admissionregistration.k8s.io], apiVersions: [v1], operations: [CREATE], resources: ['*']}]
  sideEffects: None
  admissionReviewVersions: [v1]
`;

const enabled = selectedPlugins('default', 37);

/** A folder with the files of the cases, and the configuration file of one. */
function written(text: string): { readonly folder: string; readonly file: string } {
  const folder = folderUntil(onTestFinished, {
    'good/a.yaml': validating,
    'mutating/a.yaml': mutating,
    'webhooks/a.yaml': webhooks,
  });
  mkdirSync(join(folder, 'empty'));
  writeFiles(folder, {
    'mutating.yaml': `apiVersion: apiserver.config.k8s.io/v1\nkind: MutatingAdmissionPolicyConfiguration\nstaticManifestsDir: ${folder}/mutating\n`,
    'configuration.yaml': text.replaceAll('FOLDER', folder),
  });
  return { folder, file: join(folder, 'configuration.yaml') };
}

describe('a configuration of admission', () => {
  test.each(cases.filter(({ folders }) => folders))('$name', ({ text, folders = [] }) => {
    const { folder, file: path } = written(text);
    const read = readAdmissionConfiguration(path, {
      enabled,
      warn: () => expect.unreachable(),
    }).folders.map((each) => each.folder);
    expect(read).toEqual(folders.map((name) => join(folder, name)));
  });

  test.each(cases.filter(({ error }) => error))('$name', async ({ text, error = '' }) => {
    const { folder, file: path } = written(text);
    const started = startForTest({ admissionConfigurationFile: path });
    const message = error.replaceAll('FOLDER', folder);
    await expect(started).rejects.toMatchObject({ message });
  });

  test.each([
    ['nope.yaml', 'no file'],
    ['.', 'a folder'],
  ])('%s: %s', (name) => {
    const path = join(folderUntil(onTestFinished), name);
    const text = `failed to apply admission: failed to read plugin config: unable to read admission control configuration from "${path}" [open ${path}: `;
    expect(() => readAdmissionConfiguration(path, { enabled, warn: () => {} })).toThrow(text);
  });

  test('ignores the configuration of plugins that kube-apiserver does not run, with a warning', () => {
    const told: string[] = [];
    const text =
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{name: Nope, configuration: {apiVersion: x/v1, kind: Y}}, {name: EventRateLimit, path: nope.yaml}]\n';
    const { file: path } = written(text);
    const warn = (line: string): void => void told.push(line);
    const { folders, configurations } = readAdmissionConfiguration(path, { enabled, warn });
    expect([folders, [...configurations]]).toEqual([[], []]);
    const line = (name: string): string =>
      `--admission-control-config-file: ${path} configures the admission plugin "${name}", which does not run; its configuration is ignored`;
    expect(told).toEqual([line('Nope'), line('EventRateLimit')]);
  });

  test('configures the plugins that take a configuration', async () => {
    const text = `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodSecurity
  configuration: {apiVersion: pod-security.admission.config.k8s.io/v1, kind: PodSecurityConfiguration, defaults: {enforce: baseline}}
- {name: LimitRanger, path: nope.yaml}
`;
    const { file: path } = written(text);
    const server = await startForTest({
      admissionConfigurationFile: path,
      disableAdmissionPlugins: ['ServiceAccount'],
    });
    const object = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { hostNetwork: true, containers: [{ name: 'c', image: 'i' }] },
    };
    const target = '/api/v1/namespaces/default/pods';
    const answer = await ask(server, { method: 'POST', path: target, object });
    expect(answer).toMatchObject({
      code: 403,
      object: {
        message:
          'pods "a" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
      },
    });
  });

  test('an invalid configuration of a plugin ends the start', async () => {
    const text =
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{name: PodSecurity, path: pods.yaml}]\n';
    const { file: path, folder } = written(text);
    await expect(startForTest({ admissionConfigurationFile: path })).rejects.toThrow(
      `failed to apply admission: couldn't init admission plugin "PodSecurity": Couldn't open admission plugin configuration ${folder}/pods.yaml: `,
    );
  });

  test('credentials for webhooks end the start', () => {
    const text =
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{name: MutatingAdmissionWebhook, configuration: {apiVersion: apiserver.config.k8s.io/v1, kind: WebhookAdmissionConfiguration, kubeConfigFile: /credentials}}]\n';
    const { file: path } = written(text);
    expect(() => readAdmissionConfiguration(path, { enabled, warn: () => {} })).toThrow(
      'kubeConfigFile: "/credentials": this server calls webhooks without credentials',
    );
  });

  test('calls static webhooks for policies until their folder is empty', async () => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => void told.mockRestore());
    const { text } = cases.find(({ name }) => name === 'webhooks of a folder') ?? { text: '' };
    const { folder, file: path } = written(text);
    const server = await startForTest({ admissionConfigurationFile: path });
    const create = async (): Promise<unknown> => {
      const target =
        '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings?dryRun=All';
      const spec = { policyName: 'x', validationActions: ['Deny'] };
      const object = {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'a' },
        spec,
      };
      const answer = await ask(server, { method: 'POST', path: target, object });
      return answer.code === 201 ? 201 : answer.object['message'];
    };
    expect(await create()).toBe(
      'Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: Post "https://127.0.0.1:1/?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
    rmSync(join(folder, 'webhooks/a.yaml'));
    await expect.poll(create, { timeout: 10_000 }).toBe(201);
  });

  test('its policies act from the first request on, and those of a changed folder', async () => {
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    onTestFinished(() => void told.mockRestore());
    const { folder, file: path } = written(cases[0]?.text ?? '');
    const server = await startForTest({ admissionConfigurationFile: path });
    const create = async (name: string): Promise<unknown> => {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      const target = '/api/v1/namespaces/default/configmaps?dryRun=All';
      const { code, object: made } = await ask(server, { method: 'POST', path: target, object });
      if (code === 201) return (made['metadata'] as { labels?: unknown }).labels;
      return String(made['message']).replace(/.* denied request: /, '');
    };
    expect(await create('b')).toEqual({ a: 'b' });
    expect(await create('c')).toBe('labels: {"a":"c"}');
    writeFileSync(join(folder, 'mutating/a.yaml'), mutating.replace('object.metadata.name', "'b'"));
    await expect.poll(() => create('c'), { timeout: 10_000 }).toEqual({ a: 'b' });
  });
});
