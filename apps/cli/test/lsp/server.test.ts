import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { folderUntil } from '@kubeadmit/test-support';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Client, startClient } from './client.ts';

const broken = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: [1}\n';
const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], resources: [deployments], operations: [CREATE]}]}
  validations: [{expression: object.spec.replicass > 1}]
`;

async function start(rootUri: string | null, initializationOptions: object = {}): Promise<Client> {
  const client = startClient();
  const { error } = await client.request('initialize', {
    processId: null,
    rootUri,
    capabilities: {},
    initializationOptions,
  });
  expect(error).toBeUndefined();
  await client.notify('initialized', {});
  return client;
}

/**
 * Returns the number of problems last published for each file, by the end of its URI; omits files without problems.
 */
function shown(client: Client): Readonly<Record<string, number>> {
  const last = new Map<string, number>();
  for (const { method, params } of client.messages) {
    if (method !== 'textDocument/publishDiagnostics') continue;
    last.set(params?.uri ?? '', params?.diagnostics?.length ?? 0);
  }
  const withProblems = [...last].filter(([, count]) => count > 0);
  return Object.fromEntries(withProblems.map(([uri, count]) => [uri.split('/').at(-1), count]));
}

/** Waits until everything that was sent before is dealt with. */
async function settle(client: Client): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await client.request('textDocument/documentSymbol', { textDocument: { uri: 'file:///none' } });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('files that `kubeadmit lint` skips', () => {
  const skipped = {
    'chart/Chart.yaml': 'name: c\nversion: 1.0.0\napiVersion: v2\n',
    'chart/templates/policy.yaml': '{{ if .Values.on }}\na: [\n{{ end }}\n',
    'overlay/kustomization.yaml': 'patches: [{path: patch.yaml}]\nresources: [../policy.yaml]\n',
    'overlay/patch.yaml': policy,
    '.vscode/settings.json': '// comment\n{,}',
    'node_modules/x/broken.yaml': broken,
    'ignored/broken.yaml': broken,
    '.hidden.yaml': broken,
  };
  const setup = async (): Promise<{ client: Client; folder: string }> => {
    const folder = folderUntil(onTestFinished, {
      'policy.yaml': policy,
      'overlay/base.yaml': 'a: 1\n',
      ...skipped,
    });
    const client = await start(pathToFileURL(folder).href);
    await client.find(({ params }) => params?.uri?.endsWith('/policy.yaml') === true);
    await settle(client);
    return { client, folder };
  };
  const uriOf = (folder: string, name: string): string => pathToFileURL(join(folder, name)).href;

  // Only the process's own folder has a `.kubeadmitignore`, which these tests do not write.
  const names = Object.keys(skipped).filter((name) => !name.startsWith('ignored'));

  test('are not linted after they changed on disk', async () => {
    const { client, folder } = await setup();
    const before = shown(client);
    await client.notify('workspace/didChangeWatchedFiles', {
      changes: names.map((name) => ({ uri: uriOf(folder, name), type: 2 })),
    });
    await settle(client);
    expect(shown(client)).toEqual(before);
    expect(Object.keys(before).toSorted()).toEqual(['broken.yaml', 'policy.yaml']);
  });

  test.each(names)('are not linted while they are open and after: %s', async (name) => {
    const { client, folder } = await setup();
    const before = shown(client);
    const uri = uriOf(folder, name);
    await client.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text: broken },
    });
    await settle(client);
    expect(shown(client)).toEqual(before);
    await client.notify('textDocument/didClose', { textDocument: { uri } });
    await settle(client);
    expect(shown(client)).toEqual(before);
  });

  test('are linted once nothing skips them any more', async () => {
    const { client, folder } = await setup();
    rmSync(join(folder, 'chart/Chart.yaml'));
    await client.notify('workspace/didChangeWatchedFiles', {
      changes: [{ uri: uriOf(folder, 'chart/Chart.yaml'), type: 3 }],
    });
    await settle(client);
    const { length } = client.messages.filter(
      ({ params }) => params?.uri === uriOf(folder, 'chart/templates/policy.yaml'),
    );
    expect(length).toBeGreaterThan(0);
  });
});

describe('files of the workspace', () => {
  test('are read again when they change, and forgotten when they are gone', async () => {
    const folder = folderUntil(onTestFinished, { 'a.yaml': broken });
    const uri = pathToFileURL(join(folder, 'a.yaml')).href;
    const client = await start(pathToFileURL(folder).href);
    await client.find(({ params }) => (params?.diagnostics?.length ?? 0) > 0);
    writeFileSync(join(folder, 'a.yaml'), 'a: 1\n');
    writeFileSync(join(folder, 'b.yaml'), broken);
    await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    await settle(client);
    expect(shown(client)).toEqual({ 'b.yaml': 1 });
    rmSync(join(folder, 'b.yaml'));
    await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    await settle(client);
    expect(shown(client)).toEqual({});
  });

  test('are one file however the client escapes their names', async () => {
    const folder = folderUntil(onTestFinished, { 'a@b.yaml': policy });
    const client = await start(pathToFileURL(folder).href);
    await client.find(({ params }) => (params?.diagnostics?.length ?? 0) > 0);
    const uri = `${pathToFileURL(folder).href}/a%40b.yaml`;
    await client.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text: policy },
    });
    const { params } = await client.find((message) => message.params?.uri === uri);
    expect(params?.diagnostics?.map(({ code }) => code)).not.toContain('duplicate-name');
  });
});

describe('URIs that name no path', () => {
  const uris = [
    'file://wsl.localhost/Ubuntu/home/a/policy.yaml',
    'file:///a%2Fb/policy.yaml',
    'file:///a%00b/policy.yaml',
    'file:///a%zz/policy.yaml',
    'file:policy.yaml',
    'file://',
    'untitled:Untitled-1',
    'vscode-notebook-cell:/a/b#1',
    'not a uri',
    '',
  ];

  test.each(uris)('are names of documents: %j', async (uri) => {
    const client = await start(null);
    const textDocument = { uri, languageId: 'yaml', version: 1, text: policy };
    await client.notify('textDocument/didOpen', { textDocument });
    const { params } = await client.find((message) => message.params?.uri === uri);
    expect(params?.diagnostics?.length).toBeGreaterThan(0);
    await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 2 }] });
    await client.notify('textDocument/didClose', { textDocument: { uri } });
    await client.notify('workspace/didChangeWatchedFiles', { changes: [{ uri, type: 3 }] });
    await settle(client);
    expect(shown(client)).toEqual({});
  });

  // `file://` is the root of the file system.
  test.each(uris.filter((uri) => uri !== 'file://'))(
    'may be the folder of a workspace: %j',
    async (uri) => {
      const client = await start(uri);
      await client.request('textDocument/hover', {
        textDocument: { uri: 'file:///none' },
        position: { line: 0, character: 0 },
      });
    },
  );
});

describe('settings', () => {
  test.each([
    'command:workbench.action.terminal.new',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'vscode://x',
    7,
  ])('a documentation site is an http or https URL: %j', async (documentation) => {
    const client = await start(null, { documentation });
    const uri = 'file:///policy.yaml';
    await client.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text: policy },
    });
    const { params } = await client.find((message) => message.params?.uri === uri);
    expect(params?.diagnostics?.length).toBeGreaterThan(0);
    expect(JSON.stringify(params)).not.toContain('codeDescription');
    const { params: told } = await client.find(
      ({ method }) => method?.startsWith('window/showMessage') === true,
    );
    expect(told?.message).toBe(
      'kubeadmit: the setting `documentation` must be an http:// or https:// URL',
    );
  });

  test('link problems to the documentation site', async () => {
    const client = await start(null, { documentation: 'https://docs.example' });
    const uri = 'file:///policy.yaml';
    await client.notify('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text: policy },
    });
    const { params } = await client.find((message) => message.params?.uri === uri);
    expect(JSON.stringify(params)).toContain('"href":"https://docs.example/reference/lint/');
  });

  test('are quoted in messages without links that run commands', async () => {
    const client = await start(null, { kubernetesVersion: '[Update](command:x)' });
    const { params } = await client.find(
      ({ method }) => method?.startsWith('window/showMessage') === true,
    );
    expect(params?.message).toContain('[Update]');
    expect(params?.message).not.toContain('](');
  });
});
