import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

interface Answered {
  readonly code: number;
  readonly connection: string;
  readonly isReused: boolean;
}

const body = configMapReview();

function send(webhook: TestWebhook, agent: Agent): Promise<Answered> {
  const ca = readFileSync(join(webhook.folder, 'tls/ca.crt'));
  const url = `https://127.0.0.1:${webhook.port}/validate`;
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const call = request(url, { method: 'POST', agent, ca, headers }, (response) => {
      response.resume().once('end', () =>
        resolve({
          code: response.statusCode ?? 0,
          connection: response.headers.connection ?? '',
          isReused: call.reusedSocket,
        }),
      );
    });
    call.once('error', reject);
    call.end(body);
  });
}

test('answers after SIGTERM carry `Connection: close`, and new connections are still accepted', async () => {
  const webhook = await startWebhook({ 'policy.yaml': validatingPolicy('policy', 'true') }, [
    '--shutdown-delay',
    '2',
  ]);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  expect(await send(webhook, agent)).toMatchObject({ code: 200, connection: 'keep-alive' });
  const stopped = webhook.stop();
  const last = await send(webhook, agent);
  expect(last).toEqual({ code: 200, connection: 'close', isReused: true });
  expect((await webhook.read('/readyz')).code).toBe(503);
  expect(await send(webhook, agent)).toEqual({ code: 200, connection: 'close', isReused: false });
  await stopped;
});

test('no request of many clients is lost while the webhook shuts down', async () => {
  const webhook = await startWebhook({ 'policy.yaml': validatingPolicy('policy', 'true') }, [
    '--shutdown-delay',
    '2',
  ]);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  let isGone = false;
  // As kube-proxy does, no request is sent to a replica that has not been ready for a moment.
  const client = async (): Promise<number> => {
    for (let count = 0; ; count++) {
      if (isGone) return count;
      expect((await send(webhook, agent)).code).toBe(200);
    }
  };
  const clients = Array.from({ length: 20 }, client);
  await new Promise((resolve) => setTimeout(resolve, 200));
  const stopped = webhook.stop();
  await new Promise((resolve) => setTimeout(resolve, 900));
  isGone = true;
  const counts = await Promise.all(clients);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  await stopped;
});
