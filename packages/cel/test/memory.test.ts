import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('allocation.ts', import.meta.url));

/** Measures in a child process, since V8 takes flags only before it starts. */
function allocationsOf(expression: string): {
  readonly forSmall: number;
  readonly forLarge: number;
} {
  const node = ['--expose-gc', '--import', 'tsx', '--conditions=@kubeadmit/source'];
  return JSON.parse(
    execFileSync(process.execPath, [...node, program, expression], { encoding: 'utf8' }),
  );
}

test.each([
  'object.spec.replicas <= 5',
  "has(object.metadata.labels) && 'app' in object.metadata.labels",
  "object.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
  'object == null || has(object.data)',
])('%s allocates no more for a large object', (expression) => {
  const { forSmall, forLarge } = allocationsOf(expression);
  expect(forLarge).toBeLessThan(forSmall + 100);
});
