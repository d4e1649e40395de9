import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderUntil, writeFiles } from '@kubeadmit/test-support';
import { expect, onTestFinished, test, vi } from 'vitest';
import { StaticFolders } from '../src/loading/static-folders.ts';
import { ask, startForTest } from './running-server.ts';

function guardText(message: string): string {
  return `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: guard.static.k8s.io}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [secrets]}]
  validations: [{expression: 'false', message: ${message}}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: guard.static.k8s.io}
spec: {policyName: guard.static.k8s.io, validationActions: [Deny]}
`;
}

test('a server applies the policies of its folder from the first request on, and those of a changed folder', async () => {
  const folder = folderUntil(onTestFinished, { 'a.yaml': guardText('first') });
  const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => void told.mockRestore());
  const server = await startForTest({ staticManifests: [folder] });
  const refusal = async (): Promise<unknown> => {
    const path = '/api/v1/namespaces/default/secrets?dryRun=All';
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' } };
    const { code, object } = await ask(server, { method: 'POST', path, object: secret });
    return code === 201 ? undefined : String(object['message']).replace(/.* denied request: /, '');
  };
  expect(await refusal()).toBe('first');
  writeFileSync(join(folder, 'a.yaml'), guardText('second'));
  await expect.poll(refusal).toBe('second');
  rmSync(join(folder, 'a.yaml'));
  await expect.poll(refusal).toBeUndefined();
});

type Server = ConstructorParameters<typeof StaticFolders>[0];

/** Folders that are read when the test says so, before a server that accepts everything not named `bad`. */
function startFolders(...folders: readonly string[]) {
  vi.useFakeTimers();
  const lines: string[] = [];
  const taken: string[][] = [];
  const server: Server = {
    useStaticManifests: (manifests) => {
      const names = manifests.map(({ object }) => String(object['kind']));
      if (names.includes('Bad')) return [{ message: 'a bad one' } as never];
      taken.push(names);
      return [];
    },
  };
  const watched = new StaticFolders(server, (line) => lines.push(line));
  onTestFinished(() => {
    watched.stop();
    vi.useRealTimers();
  });
  return {
    start: () => watched.start(folders.map((folder) => ({ folder }))),
    lines,
    taken,
    pass: (seconds: number) => vi.advanceTimersByTime(seconds * 1_000),
  };
}

const textOf = (kind: string): string => `apiVersion: v1\nkind: ${kind}\n`;

test('reads files in the order of their names, and no subfolders', () => {
  const files = { 'b.yml': textOf('B'), 'a.JSON': textOf('A'), 'c.txt': textOf('C') };
  const folder = folderUntil(onTestFinished, files);
  mkdirSync(join(folder, 'd.yaml'));
  const { start, taken, pass } = startFolders(folder);
  start();
  pass(5);
  expect(taken).toEqual([['A', 'B']]);
});

test('reports an invalid folder once, and loads it after a change', () => {
  const good = folderUntil(onTestFinished, { 'a.yaml': textOf('A') });
  const folder = folderUntil(onTestFinished, { 'b.yaml': textOf('B') });
  const { start, lines, taken, pass } = startFolders(good, folder);
  start();
  writeFiles(folder, { 'b.yaml': textOf('Bad') });
  pass(9);
  expect(lines).toEqual([
    'static manifests: a bad one',
    `static manifests: ${folder} has problems; its previous content stays in effect`,
  ]);
  writeFiles(folder, { 'b.yaml': textOf('C') });
  pass(1);
  expect(taken).toHaveLength(2);
  pass(1);
  expect(taken.at(-1)).toEqual(['A', 'C']);
  expect(lines.at(-1)).toBe(`static manifests: ${folder} has changed; loaded 1 objects`);
});

test('keeps the previous content if the folder is deleted or invalid', () => {
  const folder = folderUntil(onTestFinished, { 'a.yaml': textOf('A') });
  const { start, lines, taken, pass } = startFolders(folder);
  start();
  writeFileSync(join(folder, 'a.yaml'), 'kind: {');
  pass(3);
  expect(lines[0]).toContain(`static manifests: ${join(folder, 'a.yaml')}: `);
  rmSync(folder, { recursive: true });
  pass(3);
  expect(lines).toContain(`static manifests: ${folder}: no such file or directory`);
  expect(taken).toEqual([['A']]);
});

test('warns about an empty folder, and does not start with an invalid one', () => {
  const folder = folderUntil(onTestFinished);
  const { start, lines } = startFolders(folder);
  start();
  expect(lines).toEqual([
    `static manifests: ${folder} contains no policies or webhook configurations`,
  ]);
  writeFiles(folder, { 'a.yaml': textOf('Bad') });
  expect(startFolders(folder).start).toThrow('--static-manifests: a bad one');
});
