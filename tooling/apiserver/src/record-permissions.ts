import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { loadSchemas } from '@kubeadmit/schemas';
import { askUsers, requestKey } from './permissions/ask-users.ts';
import { objectRequests, permissionRequests } from './permissions/requests.ts';
import { createPermissionUsers } from './permissions/users.ts';
import { startRealServer } from './real-server.ts';

const USAGE = `usage: SERVER=program record-permissions -o <answers.ndjson>

Makes every request of every resource as users with one permission each on the real kube-apiserver, and writes
who was refused, a request a line.`;

const { values } = parseArgs({ options: { output: { type: 'string', short: 'o' } } });
const program = process.env['SERVER'] ?? '';
if (values.output === undefined || program === '') {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  await record(values.output);
}

async function record(output: string): Promise<void> {
  const schemas = await loadSchemas();
  const { ask, stop } = await startRealServer(program);
  const lines: string[] = [];
  try {
    await createPermissionUsers(ask);
    for (const { method, path, body } of objectRequests(schemas)) {
      const headers = { 'content-type': 'application/json' };
      const sent = { method, path, headers, body: JSON.stringify(body), as: 'admin' } as const;
      let { status, text } = await ask(sent);
      for (let attempt = 0; status === 404 && attempt < 20; attempt++) {
        await sleep(200);
        ({ status, text } = await ask(sent));
      }
      if (status !== 201) console.error(`${path}: ${text}`);
    }
    await sleep(2000);
    for (const request of permissionRequests(schemas)) {
      const answers = await askUsers(ask, request);
      lines.push(JSON.stringify({ request: requestKey(request), answers }));
    }
  } finally {
    await stop();
  }
  writeFileSync(output, `${lines.join('\n')}\n`);
  console.log(`${lines.length} requests`);
}
