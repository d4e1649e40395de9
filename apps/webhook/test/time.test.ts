import { expect, test, vi } from 'vitest';
import type { Generation } from '../src/policies/generation.ts';
import { PolicyStore } from '../src/policies/policy-store.ts';
import { decideReview, type ReviewDecision } from '../src/review/decide-review.ts';
import { readReview } from '../src/review/read-review.ts';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook } from './harness/webhook.ts';

// Each takes a large part of the cost that one expression may have.
const ten = '[0,1,2,3,4,5,6,7,8,9]';
const loops = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, ${ten}.exists(e, e == 9)))))`;
const costly = `!has(object.data) || ${loops}`;
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

interface Response {
  readonly allowed: boolean;
  readonly status?: { readonly message: string };
}

/** A clock that advances by a millisecond at each reading, so that nothing depends on the machine. */
async function byReadings(work: (readings: () => number) => Promise<void>): Promise<void> {
  let milliseconds = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => milliseconds++);
  try {
    await work(() => milliseconds);
  } finally {
    clock.mockRestore();
  }
}

/** Cheap policies that are loaded; they let everything in. */
async function generationOf(count: number, failurePolicy = 'Fail'): Promise<Generation> {
  const text = Array.from({ length: count }, (_, index) =>
    validatingPolicy(`policy-${index}`, 'object.metadata.name != ""', { failurePolicy }),
  ).join('\n---\n');
  return generationOfText(text);
}

async function generationOfText(text: string): Promise<Generation> {
  const policies = new PolicyStore();
  await policies.load({ sources: [{ name: 'policies.yaml', text }], problems: [] });
  const { current } = policies;
  if (current === undefined) throw new Error('no policies');
  return current;
}

async function decide(
  generation: Generation,
  body: string,
  deadline: number,
): Promise<ReviewDecision> {
  const excludedNamespaces = new Set<string>();
  const options = { excludedNamespaces, authorizer: undefined, deadline };
  return decideReview(generation, 'validate', readReview(Buffer.from(body)), options);
}

const late = 'the time of the request was up before the policy was evaluated';

test.each(['Fail', 'Ignore'])(
  'from the deadline on, policies are errors that %s',
  (failurePolicy) =>
    byReadings(async (readings) => {
      const generation = await generationOf(100, failurePolicy);
      const { denial, trace } = await decide(generation, configMapReview(), readings() + 60);
      const messages = trace.map(
        ({ bindings }) => bindings[0]?.evaluations[0]?.decisions?.[0]?.message,
      );
      const first = messages.indexOf(late);
      expect(first).toBeGreaterThan(10);
      expect(first).toBeLessThanOrEqual(60);
      expect(messages).toEqual(messages.map((_, index) => (index < first ? '' : late)));
      const { policy } = trace[first] ?? {};
      const subject = `ValidatingAdmissionPolicy '${policy}' with binding '${policy}'`;
      expect(denial?.message).toBe(
        failurePolicy === 'Ignore'
          ? undefined
          : `configmaps "settings" is forbidden: ${subject} denied request: ${late}`,
      );
    }),
);

const cheap = 'object.metadata.name != ""';
const interrupted = 'operation interrupted: its time is up';

// Evaluation does not yield within a policy. A costly expression reads the clock about 1,100 times, so the deadline
// is in the second of them. The clock only advances when it is read, so code that does not read it is in time.
test.each([
  { what: 'six costly validations', expressions: Array<string>(6).fill(costly), time: 1500 },
  { what: 'forty cheap validations', expressions: Array<string>(40).fill(cheap), time: 20 },
])('the deadline ends one policy of $what', ({ expressions, time }) =>
  byReadings(async (readings) => {
    const extra = expressions
      .slice(1)
      .map((expression) => `  - {expression: ${JSON.stringify(expression)}}\n`)
      .join('');
    const text = validatingPolicy('policy', expressions[0] ?? '', { extra });
    const generation = await generationOfText(text);
    const deadline = readings() + time;
    const { denial, trace } = await decide(generation, costlyReview, deadline);
    const [evaluation] = trace[0]?.bindings[0]?.evaluations ?? [];
    const messages = evaluation?.decisions?.map(({ message }) => message) ?? [];
    const error = (expression: string): string =>
      `expression '${expression}' resulted in error: ${interrupted}`;
    const first = messages.findIndex((message) => message !== '');
    expect(first).toBeGreaterThan(0);
    expect(messages).toEqual(expressions.map((each, index) => (index < first ? '' : error(each))));
    expect(denial?.message).toContain(`denied request: ${error(expressions[first] ?? '')}`);
    // Two looks for each validation that is left, and some around them.
    expect(readings()).toBeLessThan(deadline + 2 * expressions.length + 10);
  }),
);

// A costly expression reads the clock about 1,100 times.
test.each([
  { what: 'ends with all its expressions', share: 1, each: expect.stringContaining(interrupted) },
  { what: 'by the clock alone does not end', share: 0.1, each: '' },
])('an evaluation that takes long $what', ({ share, each }) =>
  byReadings(async (readings) => {
    const usage = vi.spyOn(process, 'cpuUsage').mockImplementation((before) => {
      return { user: readings() * share * 1000 - (before?.user ?? 0), system: 0 };
    });
    const extra = `  - {expression: '${cheap}'}\n`;
    const generation = await generationOfText(validatingPolicy('policy', costly, { extra }));
    const { trace } = await decide(generation, costlyReview, Number.POSITIVE_INFINITY);
    const [evaluation] = trace[0]?.bindings[0]?.evaluations ?? [];
    expect(evaluation?.decisions?.map(({ message }) => message)).toEqual([each, each]);
    usage.mockRestore();
  }),
);

// A webhook that evaluates on would let the request in, much later.
test('the timeout of the URL ends the evaluation of 400 costly policies', async () => {
  // Together more than any machine does in a second.
  const extra = `  - {expression: ${JSON.stringify(costly)}}\n`.repeat(4);
  const names = Array.from({ length: 400 }, (_, index) => `costly-${index}`);
  const files = names.map((name) => [`${name}.yaml`, validatingPolicy(name, costly, { extra })]);
  const options = ['--log-allows', '0'];
  const webhook = await startWebhook(Object.fromEntries(files), options);
  try {
    const { body } = await webhook.ask('/validate?timeout=1s', costlyReview);
    const response = body['response'] as Response;
    expect(response.allowed).toBe(false);
    expect(response.status?.message).toMatch(new RegExp(`(${late}|${interrupted})$`));
  } finally {
    await webhook.stop();
  }
});

test('four costly requests do not hold up others', () =>
  byReadings(async () => {
    const generation = await generationOf(100);
    const order: string[] = [];
    const tell = async (name: string, body: string): Promise<void> => {
      const { denial, trace } = await decide(generation, body, Number.POSITIVE_INFINITY);
      order.push(`${name}, ${trace.length} policies, ${denial === undefined}`);
    };
    const costlyOnes = Array.from({ length: 4 }, () => tell('costly', configMapReview()));
    await Promise.all([...costlyOnes, tell('cheap', unconcernedReview)]);
    expect(order).toEqual([
      'cheap, 0 policies, true',
      ...Array.from({ length: 4 }, () => 'costly, 100 policies, true'),
    ]);
  }));

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
