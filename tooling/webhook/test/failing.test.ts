import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { folderUntil } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { runScenarios } from '../src/failing/run.ts';
import type { Sent } from '../src/server/api-server.ts';
import { startCluster } from './cluster.ts';

const program = fileURLToPath(new URL('../../../apps/webhook/dist/main.js', import.meta.url));

test('after every failure verdicts follow the failure policies, and the webhook recovers', async () => {
  const cluster = await startCluster();
  const folder = folderUntil(onTestFinished, { kubeconfig: cluster.kubeconfig });
  const kubeconfig = join(folder, 'kubeconfig');
  try {
    const server = {
      kubeconfig,
      port: Number(/:(\d+)$/m.exec(cluster.kubeconfig)?.[1]),
      ask: async ({ method, path, body, contentType = 'application/json' }: Sent) => {
        const answer = await cluster.ask(method, path, { body, contentType });
        return { code: answer.code, body: answer.object, warnings: [], auditId: '' };
      },
    };
    const options = { folder, program, changes: 30, onlyQuick: true };
    const told = await runScenarios(server, options);
    expect(told.filter(({ isRight }) => !isRight)).toEqual([]);
    expect(told).toHaveLength(6);
  } finally {
    await cluster.stop();
  }
});
