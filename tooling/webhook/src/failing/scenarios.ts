import { setTimeout as sleep } from 'node:timers/promises';
import { makeAuthority } from '@kubeadmit/certificates';
import type { JsonObject } from '../server/json.ts';
import { policyAbout, type Surroundings } from './surroundings.ts';

/** Something that goes wrong; it throws where a verdict is not the one that was to be. */
export interface Scenario {
  readonly name: string;
  /** It takes a few seconds. */
  readonly isQuick?: boolean;
  run(around: Surroundings): Promise<string>;
}

// Files are looked at once a second.
const noticeMilliseconds = 2_500;

interface Expected {
  readonly good: string;
  readonly bad: string;
}

async function expectVerdicts(
  around: Surroundings,
  verdicts: { readonly fail: Expected; readonly ignore: Expected },
): Promise<void> {
  for (const namespace of ['fail', 'ignore'] as const) {
    for (const [name, isGood] of [
      ['good', true],
      ['bad', false],
    ] as const) {
      const found = await around.verdict(namespace, isGood);
      const expected = verdicts[namespace][name];
      if (found === expected) continue;
      throw new Error(`${name} in ${namespace}: expected ${expected}, found ${found}`);
    }
  }
}

const unanswered = {
  fail: { good: 'no answer', bad: 'no answer' },
  ignore: { good: 'allowed', bad: 'allowed' },
};

const answered = (message = 'generation 0'): Parameters<typeof expectVerdicts>[1] => {
  const each = { good: 'allowed', bad: `denied: ${message}` };
  return { fail: each, ignore: each };
};

/** Checks the verdicts before, during and after an outage of the webhook. */
async function outage(around: Surroundings, begin: () => unknown, end: () => unknown) {
  await expectVerdicts(around, answered());
  await begin();
  await expectVerdicts(around, unanswered);
  await end();
  await around.untilDenied('generation 0');
  await expectVerdicts(around, answered());
  return 'as the failure policy says; answered again';
}

const leadTo = (name: 'confused' | 'garbage' | 'slow'): Scenario['run'] => {
  return (around) =>
    outage(
      around,
      () => around.reviews.lead(around.badWebhooks[name]),
      () => around.leadToWebhook(),
    );
};

/** Returns the failure scenarios in order; `changes` is the number of policy changes under load. */
export function scenarios(changes: number): readonly Scenario[] {
  return [
    {
      name: 'killed and started again',
      isQuick: true,
      run: (around) =>
        outage(
          around,
          () => around.killWebhook(),
          () => around.startWebhook(),
        ),
    },
    { name: 'too slow', run: leadTo('slow') },
    { name: 'answers garbage', isQuick: true, run: leadTo('garbage') },
    { name: 'answers about another request', run: leadTo('confused') },
    { name: 'a certificate that has expired', isQuick: true, run: expired },
    { name: 'a certificate of another authority', run: otherAuthority },
    { name: 'a policy that is costly', run: costly },
    { name: 'a policy that is broken', isQuick: true, run: broken },
    { name: 'the watch is cut, and resumed', isQuick: true, run: cutWatch },
    {
      name: `${changes} changes of policies under load`,
      isQuick: true,
      run: (around) => busy(around, changes),
    },
  ];
}

async function expired(around: Surroundings): Promise<string> {
  return outage(
    around,
    async () => {
      await around.useCertificate(undefined, 1);
      await sleep(noticeMilliseconds);
      around.reviews.cut();
    },
    async () => {
      await around.useCertificate();
      await sleep(noticeMilliseconds);
      around.reviews.cut();
    },
  );
}

async function otherAuthority(around: Surroundings): Promise<string> {
  const other = await makeAuthority('other', { now: Date.now() });
  const result = await outage(
    around,
    async () => {
      await around.useCertificate(other);
      await sleep(noticeMilliseconds);
      around.reviews.cut();
    },
    () => around.register(other.certificate),
  );
  return result;
}

const ten = '[0,1,2,3,4,5,6,7,8,9]';
const loops = `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, ${ten}.all(d, ${ten}.exists(e, e == 9)))))`;

// Each policy is within its budget, and all together are not within the timeout on any machine.
async function costly(around: Surroundings): Promise<string> {
  const names = Array.from({ length: 300 }, (_, index) => `costly-${index}`);
  const objects = names.flatMap((name) => costlyPolicy(name));
  await Promise.all(objects.map((object) => around.put(object)));
  const late = /the time of the request was up before the policy was evaluated$/;
  for (let attempt = 0; ; attempt++) {
    const found = await around.verdict('ignore', true);
    if (late.test(found)) break;
    // The webhook answers by itself in time, so that the server never has to decide.
    if (found === 'no answer' || attempt === 100) throw new Error(`costly: ${found}`);
    await sleep(100);
  }
  await Promise.all(objects.map((object) => around.remove(object)));
  await around.untilDenied('generation 0');
  await around.untilAllowed();
  return 'denied in time by the failure policy of the policies';
}

function costlyPolicy(name: string): readonly JsonObject[] {
  const [policy = {}, ...bindings] = policyAbout(name, 'generation 0', loops);
  const spec = policy['spec'] as JsonObject;
  const [validation] = spec['validations'] as readonly JsonObject[];
  const validations = Array.from({ length: 8 }, () => validation);
  return [{ ...policy, spec: { ...spec, validations } }, ...bindings];
}

async function broken(around: Surroundings): Promise<string> {
  const [policy] = policyAbout('named', 'generation 1', 'object.metadata.');
  await around.put(policy ?? {});
  await sleep(noticeMilliseconds);
  await expectVerdicts(around, answered());
  for (const object of policyAbout('named', 'generation 2')) await around.put(object);
  await around.untilDenied('generation 2');
  for (const object of policyAbout('named', 'generation 0')) await around.put(object);
  await around.untilDenied('generation 0');
  return 'the last good one acted on; the repaired one acts';
}

async function cutWatch(around: Surroundings): Promise<string> {
  const port = around.cluster.target;
  around.cluster.lead(undefined);
  for (const object of policyAbout('named', 'generation 3')) await around.put(object);
  await sleep(noticeMilliseconds);
  // The last known policies stay active.
  await expectVerdicts(around, answered());
  around.cluster.lead(port);
  const start = performance.now();
  await around.untilDenied('generation 3');
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  for (const object of policyAbout('named', 'generation 0')) await around.put(object);
  await around.untilDenied('generation 0');
  return `acted on as known, and changed ${seconds} s after the connection was back`;
}

async function busy(around: Surroundings, changes: number): Promise<string> {
  let isOver = false;
  let asked = 0;
  const wrong: string[] = [];
  const asking = Array.from({ length: 4 }, async (_, index) => {
    while (!isOver) {
      const isGood = (index + asked++) % 2 === 0;
      const found = await around.verdict(index % 2 === 0 ? 'fail' : 'ignore', isGood);
      if (isGood ? found !== 'allowed' : !/^denied: generation \d+$/.test(found)) wrong.push(found);
    }
  });
  for (let change = 1; change <= changes; change++) {
    const [policy, binding] = policyAbout(
      change % 3 === 0 ? 'other' : 'named',
      `generation ${change}`,
    );
    await around.put(policy ?? {});
    if (change % 3 === 0) await around.put(binding ?? {});
    if (change % 9 === 0) await around.remove(policy ?? {});
  }
  for (const object of policyAbout('other', 'generation 0')) await around.remove(object);
  for (const object of policyAbout('named', 'generation 0')) await around.put(object);
  await around.untilDenied('generation 0');
  isOver = true;
  await Promise.all(asking);
  if (wrong.length > 0) {
    throw new Error(`${wrong.length} of ${asked} wrong: ${wrong[0]} ${around.lastFailure}`);
  }
  return `${asked} verdicts, none of them wrong`;
}
