import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, onTestFinished, test } from 'vitest';

interface Manifest {
  readonly main: string;
  readonly icon: string;
  readonly contributes: {
    readonly configuration: {
      readonly properties: Readonly<Record<string, Readonly<Record<string, string>>>>;
    };
    readonly walkthroughs: readonly {
      readonly steps: readonly { readonly media: { readonly markdown: string } }[];
    }[];
  };
}

describe('the packed extension', () => {
  const packed = readFileSync(new URL('../dist/kubeadmit.vsix', import.meta.url));
  const files = unzipSync(packed);
  const manifest = JSON.parse(
    strFromU8(files['extension/package.json'] ?? new Uint8Array()),
  ) as Manifest;

  test('contains the files that its manifest names', () => {
    const { main, icon, contributes } = manifest;
    const media = contributes.walkthroughs.flatMap(({ steps }) =>
      steps.map((step) => step.media.markdown),
    );
    for (const path of [
      main.replace('./', ''),
      icon,
      ...media,
      'README.md',
      'LICENSE.txt',
      'server/main.js',
    ]) {
      expect(Object.keys(files)).toContain(`extension/${path}`);
    }
    expect(Object.keys(files)).toContain('[Content_Types].xml');
    expect(Object.keys(files)).toContain('extension.vsixmanifest');
  });

  test('describes its settings, and contains no build files', () => {
    for (const setting of Object.values(manifest.contributes.configuration.properties)) {
      expect(setting['description'] ?? setting['markdownDescription']).toMatch(/^\S.{20,}\.$/);
    }
    expect(Object.keys(manifest)).not.toContain('devDependencies');
    expect(Object.keys(files).filter((name) => /node_modules|\.map$|\.ts$/.test(name))).toEqual([]);
  });

  test('has an icon of 128 by 128', () => {
    const icon = Buffer.from(files[`extension/${manifest.icon}`] ?? []);
    expect(icon.subarray(1, 4).toString()).toBe('PNG');
    expect([icon.readUInt32BE(16), icon.readUInt32BE(20)]).toEqual([128, 128]);
  });

  test('is small', () => {
    expect(packed.byteLength).toBeLessThan(2_500_000);
    expect(files['extension/dist/extension.cjs']?.byteLength).toBeLessThan(600_000);
  });

  test('brings a server that starts', async () => {
    const folder = folderUntil(onTestFinished, files);
    const message = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { processId: null, rootUri: null, capabilities: {} },
    });
    // As vscode-languageclient starts a module.
    const server = fork(
      join(folder, 'extension/server/main.js'),
      ['lsp', '--stdio', `--clientProcessId=${process.pid}`],
      { silent: true, execArgv: [] },
    );
    server.stdin?.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`);
    let answer = '';
    for await (const chunk of server.stdout ?? []) {
      answer += chunk;
      if (answer.includes('serverInfo')) server.stdin?.end();
    }
    expect(answer).toContain('"serverInfo":{"name":"kubeadmit"');
  });
});
