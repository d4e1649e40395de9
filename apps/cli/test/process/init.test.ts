import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withFolder } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { runProgram } from './program.ts';

test('copies policies of the library with tests that pass', () =>
  withFolder(async (cwd) => {
    const options = ['--from', 'drop-all-capabilities', '--from', 'replica-limits'];
    const { exitCode, stderr } = await runProgram(['init', ...options], { cwd });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const suite = `${cwd}/policies/drop-all-capabilities/drop-all-capabilities.admit.yaml`;
    expect(readFileSync(suite, 'utf8')).toMatch(/^policies: /);
    expect(existsSync(`${cwd}/policies/replica-limits/params.yaml`)).toBe(true);
    const tests = await runProgram(['test', '--coverage-threshold', '100', 'policies'], { cwd });
    expect(tests.exitCode).toBe(0);
    const again = await runProgram(['init', ...options], { cwd });
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toMatch(
      /nothing was written, because these files exist: .* \(use another folder\)$/m,
    );
  }));

test('copies the complete library', () =>
  withFolder(async (cwd) => {
    const { exitCode } = await runProgram(['init', 'library', '--from', 'all'], { cwd });
    expect(exitCode).toBe(0);
    expect(existsSync(`${cwd}/library/no-latest-tag/policy.yaml`)).toBe(true);
    expect(existsSync(`${cwd}/library/kyverno`)).toBe(false);
    writeFileSync(
      `${cwd}/service.yaml`,
      'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n',
    );
    const checked = await runProgram(['check', '-p', 'library', '-r', 'service.yaml'], { cwd });
    expect(checked.stderr).toBe('');
    expect(checked.stdout).toContain('1 object checked by 47 policies');
  }));

test.each([
  [
    'drop-all-capabilitys',
    'unknown policy "drop-all-capabilitys" (did you mean `drop-all-capabilities`?)',
  ],
  ['../kyverno', 'unknown policy "../kyverno"; expected all or one of allowed-registries, '],
])('rejects the unknown policy %s', (name, message) =>
  withFolder(async (cwd) => {
    const { exitCode, stderr } = await runProgram(['init', '--from', name], { cwd });
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  }),
);
