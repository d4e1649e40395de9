import { readFileSync } from 'node:fs';
import { withFiles } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { runProgram } from './program.ts';

const lines = Array.from({ length: 200_000 }, (_, at) => `  key-${at}: "value ${at}"\n`).join('');
const policy = new URL('../../../../examples/replica-limits/policy.yaml', import.meta.url);
const files = {
  'policy.yaml': readFileSync(policy),

  'big.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: big}\ndata:\n${lines}`,
};

test(
  'reports exhausted memory with advice, and not a denial',
  () =>
    withFiles(files, async (cwd) => {
      const env = { NODE_OPTIONS: '--max-old-space-size=40' };
      const { exitCode, stdout, stderr } = await runProgram(
        ['check', 'policy.yaml', '-r', 'big.yaml'],
        {
          cwd,
          env,
        },
      );
      expect(exitCode).not.toBe(0);
      expect(exitCode).not.toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toMatch(
        /error: the program ended unexpectedly, so nothing was checked\. .* its limit is \d+ MB, .*NODE_OPTIONS=--max-old-space-size=\d+/,
      );
    }),
  60_000,
);

// The inputs are large enough that the program is watched for running out of memory.
test(
  'reports nothing about memory if there is enough',
  () =>
    withFiles(files, async (cwd) => {
      const { exitCode, stderr } = await runProgram(
        ['check', '-q', '--allow-nothing', 'policy.yaml', '-r', 'big.yaml'],
        {
          cwd,
          env: { NODE_OPTIONS: '--max-old-space-size=120' },
        },
      );
      expect(stderr).not.toContain('memory');
      expect(exitCode).toBe(0);
    }),
  60_000,
);
