import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder, removeFolder } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/stores/open-store.ts';
import { ownerProblem } from '../../src/stores/own-folder.ts';

const stats = (uid: number, mode: number) => ({ uid, mode, isSymbolicLink: () => false });

test.each([
  [1000, 0o40700, undefined],
  [0, 0o40700, undefined],
  // Kubernetes gives volumes to a group (`fsGroup`).
  [0, 0o42770, undefined],
  [1001, 0o40700, 'belongs to another user (1001)'],
  [1000, 0o40777, 'can be changed by all users'],
])('a folder of user %i with the mode %o', (uid, mode, problem) => {
  const found = ownerProblem(stats(uid, mode), 1000);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

test.each(['keys', 'objects'])('no store is opened if others can change its %s', async (name) => {
  const folder = createFolder({});
  onTestFinished(() => removeFolder(folder));
  mkdirSync(join(folder, name));
  chmodSync(join(folder, name), 0o777);
  await expect(openStore({ type: 'folder', folder })).rejects.toThrow(
    `${join(folder, name)} can be changed by all users`,
  );
});
