import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { HeldBytes, readBody } from '../src/server/read-body.ts';

const limits = {
  bodyBytes: 10,
  heldBytes: 100,
  requestsInFlight: 1,
  arrivalSeconds: 1,
};

test.each([
  ['whole', ['12345'], '12345'],
  ['longer than allowed', ['12345', '1234567890', '12345'], 'the body is longer than 10 bytes'],
  ['more than may be held', ['x'.repeat(101)], 'too many requests are being read'],
])(
  'of a body that is %s nothing is held afterwards, nor less than nothing',
  async (_, parts, result) => {
    const held = new HeldBytes(limits.heldBytes);
    const request = new PassThrough();
    const read = readBody(request as unknown as IncomingMessage, limits, held);
    const outcome = read.then(String, (error: Error) => error.message);
    for (const part of parts) request.write(part);
    request.end();
    expect(await outcome).toBe(result);
    await finished(request);
    expect(held.take(limits.heldBytes + 1)).toBe(false);
    expect(held.take(limits.heldBytes)).toBe(true);
  },
);
