import { randomBytes } from 'node:crypto';
import { folderUntil, stopProgram } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { request, type SpawnedServer, spawnServer } from './spawned-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
/** A megabyte: less than the database writes into one file. */
const fileBlocks = 2048;

test('reports a failed write, loses no acknowledged one, and continues when space is available', {
  skip: process.platform === 'win32',
}, async () => {
  const folder = folderUntil(onTestFinished);
  const limited = await spawnServer(folder, { fileBlocks });
  const acknowledged = new Map<string, string>();
  const refused = new Map<string, string>();
  for (let count = 0; refused.size === 0 && count < 100; count++) {
    const data = randomBytes(60_000).toString('base64');
    const answer = await create(limited, `c${count}`, data);
    (answer?.code === 201 ? acknowledged : refused).set(`c${count}`, data);
    if (answer?.code === 201) continue;
    expect(answer?.code).toBe(500);
    expect(JSON.parse(String(answer?.body))).toMatchObject({
      kind: 'Status',
      reason: 'InternalError',
      message: expect.stringMatching(/^Internal error occurred: IO error: .*: File too large$/),
    });
  }
  expect(acknowledged.size).toBeGreaterThan(3);
  expect(refused.size).toBe(1);
  await holds(limited, acknowledged);
  // The database begins a new file, so that there is room again.
  expect((await request(limited, { path: '/readyz' }))?.code).toBe(200);
  const after = await create(limited, 'after', 'small');
  expect(after?.code, String(after?.body)).toBe(201);
  acknowledged.set('after', 'small');
  await stopProgram(limited.process, 'SIGKILL');

  const restarted = await spawnServer(folder);
  await holds(restarted, acknowledged);
  await stopProgram(restarted.process, 'SIGKILL');
});

function create(server: SpawnedServer, name: string, value: string): ReturnType<typeof request> {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { value } };
  return request(server, { method: 'POST', path: configMaps, body: JSON.stringify(object) });
}

/** Whether a server has exactly the acknowledged writes. */
async function holds(
  server: SpawnedServer,
  acknowledged: ReadonlyMap<string, string>,
): Promise<void> {
  const answer = await request(server, { path: configMaps });
  const found = new Map<string, string>();
  for (const { metadata, data } of JSON.parse(String(answer?.body)).items) {
    if (metadata.name !== 'kube-root-ca.crt') found.set(metadata.name, data.value);
  }
  expect(found).toEqual(acknowledged);
}

test('a start on a full disk reports that nothing can be written', {
  skip: process.platform === 'win32',
}, async () => {
  await expect(spawnServer(folderUntil(onTestFinished), { fileBlocks: 0 })).rejects.toThrow(
    /^the server ended: error: the store cannot be written to: .*File too large\n$|^the server ended: error: .* cannot be opened: .*File too large\n$/,
  );
});
