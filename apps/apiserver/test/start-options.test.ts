import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startApiServer } from '../src/index.ts';

describe('rejects options that would have no effect', () => {
  test.each<[unknown, string]>([
    [null, 'startApiServer: expected options as an object, got null'],
    [{ laod: [] }, 'startApiServer: unknown option `laod` (did you mean `load`?)'],
    [{ load: 'policies' }, 'startApiServer: `load` must be a list, got the string "policies"'],
    [{ load: [{}] }, 'startApiServer: `load` contains an object; every item must be a string'],
    [
      { names: [undefined] },
      'startApiServer: `names` contains undefined; every item must be a string',
    ],
    [{ store: 'folder' }, 'startApiServer: `store` must be an object, got the string "folder"'],
    [
      { store: { folder: '/data' } },
      'startApiServer: `store`: `type` must be one of "memory", "folder", "etcd", got null',
    ],
    [{ store: { type: 'folder' } }, 'startApiServer: `store` has no `folder`'],
    [
      { store: { type: 'memory', folder: '/data' } },
      'startApiServer: `store`: unknown option `folder` (expected one of type)',
    ],
    [
      { store: { type: 'etcd', urls: [1] } },
      'startApiServer: `store.urls` contains the number 1; every item must be a string',
    ],
    [{ listen: { port: 1 } }, 'startApiServer: `listen` has no `host`'],
    [
      { listen: { host: 'localhost', port: '1' } },
      'startApiServer: `listen`: `port` must be a number, got the string "1"',
    ],
    [{ tls: { keyFile: 'k' } }, 'startApiServer: `tls` has no `certificateFile`'],
    [
      { auditLog: { path: '-', level: 'All' } },
      'startApiServer: `auditLog`: `level` must be one of "Metadata", "Request", "RequestResponse", got the string "All"',
    ],
    [{ oidc: { issuerUrl: 'https://a' } }, 'startApiServer: `oidc` has no `clientId`'],
    [{ controllers: 'no' }, 'startApiServer: `controllers` must be a boolean, got the string "no"'],
  ])('%j', async (options, message) => {
    await expect(startApiServer(options as never)).rejects.toThrow(new TypeError(message));
  });
});

describe('reports the reason of a failed start with every store', () => {
  test.each(['static manifests', 'an admission configuration', 'a port', 'a token file'])(
    '%s',
    async (what) => {
      const folder = folderUntil(onTestFinished, { 'wrong.yaml': 'a: b\n' });
      mkdirSync(join(folder, 'data'));
      const missing = join(folder, 'missing');
      const taken = await startApiServer();
      onTestFinished(() => taken.close());
      const options: Readonly<Record<string, object>> = {
        'static manifests': { staticManifests: [missing] },
        'an admission configuration': { admissionConfigurationFile: join(folder, 'wrong.yaml') },
        'a port': { listen: { host: '127.0.0.1', port: Number(new URL(taken.url).port) } },
        'a token file': { tokenFile: missing },
      };
      const reasons: Readonly<Record<string, string>> = {
        'static manifests': 'missing: no such file or directory',
        'an admission configuration': 'failed to read plugin config',
        'a port': 'address already in use',
        'a token file': 'missing: no such file or directory',
      };
      const store = { type: 'folder', folder: join(folder, 'data') } as const;
      for (let attempt = 0; attempt < 2; attempt++) {
        const failed = startApiServer({ store, ...options[what] });
        await expect(failed).rejects.toThrow(reasons[what]);
      }
    },
  );
});
