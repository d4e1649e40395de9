import { expect, test } from 'vitest';
import { webhookCommand } from '../src/webhook-command.ts';

test('manifests requires policies, so that an empty output is not mistaken for a result', async () => {
  const errors: string[] = [];
  const output = { writeOut: () => undefined, writeErr: (text: string) => errors.push(text) };
  expect(await webhookCommand(['manifests'], output)).toBe(2);
  expect(errors.join('')).toBe(
    "error: required option '-p, --policies <path>' not specified\n(run with --help for usage)\n",
  );
});
