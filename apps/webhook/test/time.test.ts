import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { PolicyStore } from '../src/policies/policy-store.ts';
import { decideReview } from '../src/review/decide-review.ts';
import { readReview } from '../src/review/read-review.ts';
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
const unconcernedReview = configMapReview({
  request: {
    kind: { group: '', version: 'v1', kind: 'Secret' },
    requestKind: { group: '', version: 'v1', kind: 'Secret' },
    resource: { group: '', version: 'v1', resource: 'secrets' },
    requestResource: { group: '', version: 'v1', resource: 'secrets' },
  },
  object: { kind: 'Secret' },
});

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

    // Again when it is late, since a machine with much else to do may not let the client read for half a second; a
    // webhook that evaluates on is late each time.
    test('answers before the timeout passes, by the failure policy', { retry: 3 }, async () => {
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
  },
);

// By a clock that goes on by a millisecond whenever it is read, so that nothing depends on the machine.
test('four costly requests do not hold up others', async () => {
  let milliseconds = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => milliseconds++);
  try {
    const text = Array.from({ length: 100 }, (_, index) =>
      validatingPolicy(`policy-${index}`, 'object.metadata.name != ""'),
    ).join('\n---\n');
    const policies = new PolicyStore(undefined);
    await policies.load({ sources: [{ name: 'policies.yaml', text }], problems: [] });
    const { current: generation } = policies;
    if (generation === undefined) throw new Error('no policies');
    const order: string[] = [];
    const decide = async (name: string, body: string): Promise<void> => {
      const options = { excludedNamespaces: new Set<string>(), authorizer: undefined };
      const review = readReview(Buffer.from(body));
      const deadline = Number.POSITIVE_INFINITY;
      const { denial, trace } = await decideReview(generation, 'validate', review, {
        ...options,
        deadline,
      });
      order.push(`${name}, ${trace.length} policies, ${denial === undefined}`);
    };
    const costlyOnes = Array.from({ length: 4 }, () => decide('costly', configMapReview()));
    await Promise.all([...costlyOnes, decide('cheap', unconcernedReview)]);
    expect(order).toEqual([
      'cheap, 0 policies, true',
      ...Array.from({ length: 4 }, () => 'costly, 100 policies, true'),
    ]);
  } finally {
    clock.mockRestore();
  }
});

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
