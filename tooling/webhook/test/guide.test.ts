import { folderUntil } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { followGuide } from '../src/guide/follow-guide.ts';
import { startCluster } from './cluster.ts';
import { kubectl } from './kubectl.ts';

test('the guide leads from nothing to the first denied pod', async () => {
  const cluster = await startCluster();
  try {
    const steps = await followGuide(
      { ...cluster, kubectl: (args, input) => kubectl(cluster, args, input) },
      folderUntil(onTestFinished),
    );
    expect(steps.length).toBeGreaterThan(5);
    for (const { command, output, expected } of steps) {
      if (expected === undefined)
        expect({ command, output }).toMatchObject({ output: expect.not.stringContaining('Error') });
      else expect({ command, output }).toEqual({ command, output: expected });
    }
  } finally {
    await cluster.stop();
  }
});
