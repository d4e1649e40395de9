import { readFileSync } from 'node:fs';
import {
  askUsers,
  createPermissionUsers,
  objectRequests,
  type PermissionAnswers,
  permissionRequests,
  requestKey,
} from '@kubeadmit/apiserver-tools';
import { loadSchemas } from '@kubeadmit/schemas';
import { readLines } from '@kubeadmit/test-support';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startLocalServer } from './local-server.ts';

interface RecordedAnswers {
  readonly request: string;
  readonly answers: PermissionAnswers;
}

const recorded = new Map(
  readLines<RecordedAnswers>(new URL('permissions.ndjson', import.meta.url)).map(
    ({ request, answers }) => [request, answers],
  ),
);
const gaps = JSON.parse(
  readFileSync(new URL('permission-gaps.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;
const schemas = await loadSchemas();
const requests = permissionRequests(schemas);

describe('users with one permission each get the answers of kube-apiserver', async () => {
  const { ask, server } = await startLocalServer();
  afterAll(() => server.close());
  beforeAll(async () => {
    await createPermissionUsers(ask);
    for (const { method, path, body } of objectRequests(schemas)) {
      const headers = { 'content-type': 'application/json' };
      await ask({ method, path, headers, body: JSON.stringify(body), as: 'admin' });
    }
  });
  for (const request of requests) {
    const key = requestKey(request);
    const play = async (): Promise<void> => {
      expect(await askUsers(ask, request)).toEqual(recorded.get(key));
    };
    // A request whose answers become the recorded ones is removed from the list.
    if (Object.hasOwn(gaps, key)) test.fails(key, play);
    else test(key, play);
  }
});

test('every recorded request is made', () => {
  expect([...recorded.keys()]).toEqual(requests.map(requestKey));
});
