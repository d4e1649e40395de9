import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, expect, test } from 'vitest';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

const folder = folderUntil(afterAll);
const good = validatingPolicy('good', 'false', { message: 'good' });
const broken = validatingPolicy('broken', 'object.x +');

interface Told {
  readonly code: number;
  readonly message: string | undefined;
  readonly readiness: number;
  readonly verbose: string;
  readonly metrics: string;
}

async function tell(webhook: TestWebhook): Promise<Told> {
  const { code, body } = await webhook.ask('/validate', configMapReview());
  const response = body['response'] as
    | { readonly status?: { readonly message: string } }
    | undefined;
  return {
    code,
    message: response?.status?.message.replace(/.*: /, '') ?? (body['message'] as string),
    readiness: (await webhook.read('/readyz')).code,
    verbose: (await webhook.read('/readyz?verbose')).text,
    metrics: (await webhook.read('/metrics')).text,
  };
}

test.each([
  ['a policy that does not compile', `${good}---\n${broken}`],
  ['a file that is not YAML', 'a: ['],
  ['an empty file', ''],
])('after a restart with %s, the last good set of --state decides', async (name, text) => {
  const state = join(folder, name.replaceAll(' ', '-'));
  const first = await startWebhook({ 'policy.yaml': good }, ['--state', state]);
  await first.stop();
  const second = await startWebhook({ 'policy.yaml': text }, ['--state', state]);
  try {
    const told = await tell(second);
    expect(told).toMatchObject({ code: 200, message: 'good', readiness: 200 });
    expect(told.verbose).toMatch(/^\[!\]last-good-set degraded: policies of 20.*Z are active$/m);
    expect(told.metrics).toMatch(/^kubeadmit_policy_set_outdated 1$/m);
    second.write('policy.yaml', good);
    await expect.poll(async () => (await tell(second)).verbose).toContain('[+]last-good-set ok');
    expect((await tell(second)).metrics).toMatch(/^kubeadmit_policy_set_outdated 0$/m);
  } finally {
    await second.stop();
  }
});

test.each([
  ['is cut off', (text: string) => text.slice(0, 30), /last-good-set\.json: .*JSON/],
  ['is something else', () => '{}', /last-good-set\.json: not a stored set of policies$/],
])('a kept set that %s is logged and not used', async (name, changed, problem) => {
  const state = join(folder, name.replaceAll(' ', '-'));
  const first = await startWebhook({ 'policy.yaml': good }, ['--state', state]);
  await first.stop();
  const file = join(state, 'last-good-set.json');
  writeFileSync(file, changed(readFileSync(file, 'utf8')));
  const second = await startWebhook({ 'policy.yaml': 'a: [' }, ['--state', state]);
  expect(await tell(second)).toMatchObject({ code: 503, readiness: 503 });
  expect(second.log).toContainEqual(
    expect.objectContaining({
      message: 'cannot read the last good policies',
      problem: expect.stringMatching(problem),
    }),
  );
  await second.stop();
});

test('with --on-invalid-policy=skip, an invalid policy is left out and the others decide', async () => {
  const webhook = await startWebhook(
    { 'good.yaml': good, 'broken.yaml': broken, 'text.yaml': 'a: [' },
    ['--on-invalid-policy=skip'],
  );
  const told = await tell(webhook);
  expect(told).toMatchObject({ code: 200, message: 'good', readiness: 200 });
  expect(told.verbose).toMatch(/^\[!\]policies degraded: .*text\.yaml.*broken\.yaml/m);
  expect(told.metrics).toMatch(/^kubeadmit_policy_problems 2$/m);
  await webhook.stop();
});

test('with --on-invalid-policy=fail, no request is decided until the policies are valid', async () => {
  const webhook = await startWebhook({ 'policy.yaml': good }, ['--on-invalid-policy=fail']);
  expect(await tell(webhook)).toMatchObject({ code: 200, message: 'good', readiness: 200 });
  webhook.write('broken.yaml', broken);
  await expect.poll(async () => (await tell(webhook)).readiness).toBe(503);
  expect(await tell(webhook)).toMatchObject({
    code: 503,
    message: 'policies are still being loaded',
  });
  webhook.write('broken.yaml', '# none');
  await expect.poll(async () => (await tell(webhook)).message).toBe('good');
  await webhook.stop();
});
