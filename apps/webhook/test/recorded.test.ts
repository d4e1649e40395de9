import { readFileSync } from 'node:fs';
import { readLines } from '@kubeadmit/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

interface RecordedReview {
  readonly path: string;
  readonly review: { readonly request: { readonly uid: string } };
  readonly answer: unknown;
}

// Requests of a real kube-apiserver, with answers for which it did the same as with its own policies
// (tooling/webhook).
const recorded = readLines<RecordedReview>(new URL('recorded/reviews.ndjson', import.meta.url));
const policies = readFileSync(new URL('recorded/policies.yaml', import.meta.url), 'utf8');

let webhook: TestWebhook;

beforeAll(async () => {
  webhook = await startWebhook({ 'policies.yaml': policies }, ['--log-allows', '0']);
});

afterAll(() => webhook.stop());

test(`${recorded.length} reviews of a real kube-apiserver are answered as recorded`, async () => {
  expect(recorded.length).toBeGreaterThan(700);
  const different = [];
  for (const { path, review, answer } of recorded) {
    const { body } = await webhook.ask(path, JSON.stringify(review));
    if (JSON.stringify(body) !== JSON.stringify(answer)) {
      different.push({ uid: review.request.uid, expected: answer, actual: body });
    }
  }
  expect(different).toEqual([]);
});
