import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLog } from '../src/logging/log.ts';
import { DecisionLog } from '../src/operation/decision-log.ts';
import type { DecidedReview } from '../src/server/review-endpoint.ts';

const secret = 'hunter2';
const message = `secrets "a" is forbidden: ValidatingAdmissionPolicy 'p' denied request: ${secret}`;

const decided = {
  step: 'validate',
  review: { request: { uid: '1', name: 'a', operation: 'CREATE', object: { data: secret } } },
  decision: {
    denial: { code: 422, reason: 'Invalid', message },
    warnings: [secret],
    operations: [],
    findings: () => [
      { policy: 'p', verdict: 'deny', message: secret },
      { policy: 'p', verdict: 'deny', message: secret },
      { policy: 'q', verdict: 'warn', message: secret },
    ],
  },
  generation: { number: 1 },
  seconds: 0.001,
} as unknown as DecidedReview;

function logged(denialMessages: boolean): string {
  let text = '';
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk;
      done();
    },
  });
  new DecisionLog(createLog(output), { loggedAllows: 0, denialMessages }).write(decided);
  return text;
}

test('the log of a denial names the policies and has nothing of the object', () => {
  const text = logged(false);
  expect(text).not.toContain(secret);
  expect(JSON.parse(text)).toMatchObject({ code: 422, reason: 'Invalid', policies: ['p'] });
});

test('the log of a denial has its message if the administrator asks for it', () => {
  expect(JSON.parse(logged(true))).toMatchObject({ denial: message, policies: ['p'] });
});
