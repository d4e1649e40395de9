import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook, type TestWebhook } from './harness/webhook.ts';

// Each takes a good part of what one expression may cost.
const ten = '[0,1,2,3,4,5,6,7,8,9]';
const loops = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, ${ten}.exists(e, e == 9)))))`;
const costly = `!has(object.data) || ${loops}`;
// Together more than any machine does in four seconds.
const costlier = `!has(object.data) || [0, 1, 2].all(z, ${loops})`;
const costlyReview = configMapReview({ object: { data: { asked: 'yes' } } });
const cheapReview = configMapReview();

function policies(failurePolicy: string): Record<string, string> {
  const names = Array.from({ length: 400 }, (_, index) => `costly-${index}`);
  return Object.fromEntries(
    names.map((name) => [`${name}.yaml`, validatingPolicy(name, costlier, { failurePolicy })]),
  );
}

async function timed<Value>(work: () => Promise<Value>): Promise<readonly [Value, number]> {
  const start = performance.now();
  return [await work(), performance.now() - start];
}

interface Response {
  readonly allowed: boolean;
  readonly status?: { readonly message: string };
}

describe.each(['Fail', 'Ignore'])(
  'with 400 costly policies whose failure policy is %s',
  (failurePolicy) => {
    let webhook: TestWebhook;

    beforeAll(async () => {
      webhook = await startWebhook(policies(failurePolicy), ['--log-allows', '0']);
    });

    afterAll(() => webhook.stop());

    test('answers before the timeout passes, by the failure policy', async () => {
      const [{ body }, milliseconds] = await timed(() =>
        webhook.ask('/validate?timeout=4s', costlyReview),
      );
      const response = body['response'] as Response;
      expect(milliseconds).toBeLessThan(4_000);
      expect(response.allowed).toBe(failurePolicy === 'Ignore');
      if (failurePolicy === 'Fail') {
        expect(response.status?.message).toMatch(
          /^ValidatingAdmissionPolicy 'costly-\d+' with binding 'costly-\d+' denied request: /,
        );
      }
    });

    // Again when it fails, since a machine with much else to do may give the cheap one no turn for four seconds; a
    // webhook that does not give way fails each time.
    test('four costly requests do not hold up others', { retry: 3 }, async () => {
      const order: string[] = [];
      const slow = Array.from({ length: 4 }, async () => {
        const { code } = await webhook.ask('/validate?timeout=4s', costlyReview);
        order.push(`costly ${code}`);
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      const { code, body } = await webhook.ask('/validate', cheapReview);
      order.push(`cheap ${code} ${(body['response'] as Response).allowed}`);
      await Promise.all(slow);
      // Without giving way it would be the last; before how many it comes is up to the machine.
      expect(order.at(-1)).toBe('costly 200');
      expect(order.toSorted()).toEqual([
        'cheap 200 true',
        ...Array.from({ length: 4 }, () => 'costly 200'),
      ]);
    });
  },
);

test('several hundred at once are right or told to come back', async () => {
  const files = { 'policy.yaml': validatingPolicy('policy', costly) };
  const webhook = await startWebhook(files, ['--max-in-flight', '20', '--log-allows', '0']);
  try {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        webhook.ask('/validate', index % 10 === 0 ? costlyReview : cheapReview),
      ),
    );
    const codes = new Set(answers.map(({ code }) => code));
    expect([...codes].every((code) => code === 200 || code === 429)).toBe(true);
    const wrong = answers.filter(
      ({ code, body }) => code === 200 && !(body['response'] as Response).allowed,
    );
    expect(wrong).toEqual([]);
  } finally {
    await webhook.stop();
  }
});
