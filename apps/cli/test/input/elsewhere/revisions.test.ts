import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { withFiles } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { configMap, policy, runIn, summary } from './kit.ts';

test('reads policies of a revision, whatever the folder contains now', async () => {
  await withFiles(
    {
      'policies/p.yaml': policy,
      'policies/readme.md': '#',
      'docs/readme.md': '#',
      'base/kustomization.yaml': 'resources: [c.yaml]',
      'base/c.yaml': configMap,
      'c.yaml': configMap,
    },
    async (folder) => {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: folder,
        });
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('commit', '-q', '-m', 'one');
      git('rm', '-q', '-r', 'policies');
      const right = await runIn(folder, ['check', '-p', 'main:policies/', '-r', 'HEAD:c.yaml']);
      expect([right.exitCode, right.stderr]).toEqual([1, '']);
      expect(right.stdout).toContain(summary);
      expect(right.stdout).toContain('HEAD:c.yaml');
      const wrong = await runIn(folder, [
        'check',
        '-p',
        'old:policies/',
        '-r',
        'main:nothing',
        'c.yaml',
      ]);
      expect(wrong.exitCode).toBe(2);
      const kustomized = await runIn(folder, ['check', '-p', 'main:policies/', '-r', 'main:base']);
      expect([kustomized.exitCode, kustomized.stderr]).toEqual([
        1,
        expect.stringContaining('main:base: warning: this revision contains a kustomization that'),
      ]);
      const empty = await runIn(folder, ['check', '-p', 'main:policies/', '-r', 'main:docs']);
      expect(empty.stderr).toContain('main:docs: error: no manifests in this folder');
      expect(wrong.stderr).toContain('old:policies/: error: unknown git revision `old`');
      expect(wrong.stderr).toContain('main:nothing: error: `nothing` does not exist in main');
    },
  );
});

test('a folder with the name of a revision never takes its place', async () => {
  const lax = policy.replace('has(object.data)', 'true');
  await withFiles({ 'policies/p.yaml': policy, 'c.yaml': configMap }, async (folder) => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'one');
    for (const name of ['main:policies', 'gone:policies']) {
      mkdirSync(`${folder}/${name}`);
      writeFileSync(`${folder}/${name}/p.yaml`, lax);
    }
    const check = (path: string) => runIn(folder, ['check', '-p', path, 'c.yaml']);
    expect((await check('main:policies/')).stdout).toContain(summary);
    // A shallow clone has no base branch.
    const gone = await check('gone:policies/');
    expect(gone.exitCode).toBe(2);
    expect(gone.stderr).toContain(
      'unknown git revision `gone`; use `./gone:policies/` to read the file',
    );
    expect((await check('./main:policies/')).stdout).toContain('1 allowed');
  });
});

test('links and submodules of a revision are reported, since their policies are missing', async () => {
  await withFiles(
    { 'policies/p.yaml': policy, 'shared/q.yaml': policy, 'c.yaml': configMap, 'a.md': '#' },
    async (folder) => {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
          cwd: folder,
        });
      symlinkSync('../shared/q.yaml', `${folder}/policies/link.yaml`);
      symlinkSync('../shared', `${folder}/policies/all`);
      symlinkSync('../../elsewhere', `${folder}/policies/outside`);
      symlinkSync('../a.md', `${folder}/policies/readme`);
      git('init', '-q', '-b', 'main');
      git('add', '.');
      const id = execFileSync('git', ['hash-object', '-w', 'a.md'], {
        cwd: folder,
        encoding: 'utf8',
      });
      git('update-index', '--add', '--cacheinfo', `160000,${id.trim()},policies/sub`);
      git('commit', '-q', '-m', 'one');
      const { stderr } = await runIn(folder, [
        ...['check', '--strict', '-p', 'main:policies/', '-r', 'c.yaml'],
      ]);
      const names = ['all', 'link.yaml', 'outside', 'sub'].map((name) => `main:policies/${name}`);
      expect(stderr).toContain(
        `error: --strict: 4 files with manifests skipped: ${names.join(', ')}\n`,
      );
      expect(stderr).toContain('symbolic links are not followed in a revision');
      expect(stderr).toContain('submodules are not read in a revision');
    },
  );
});

test('a bare repository in the checkout is not taken for the repository', async () => {
  await withFiles({ 'p.yaml': policy, 'c.yaml': configMap }, async (folder) => {
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
    git('add', '.');
    git('commit', '-q', '-m', 'one');
    git('clone', '-q', '--bare', '.', 'sub');
    const { exitCode, stderr } = await runIn(`${folder}/sub`, [
      'check',
      '-p',
      'main:p.yaml',
      '../c.yaml',
    ]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('cannot use bare repository');
  });
});

test.each([
  ['--output=x:c.yaml', 'no such file or directory'],
  ['-main:c.yaml', 'no such file or directory'],
  ['main^{/x}:c.yaml', 'unknown git revision'],
  ['main:../outside.yaml', 'main:../outside.yaml: error: '],
  ['main:c.yaml --x', '`c.yaml --x` does not exist in main'],
  [':(exclude)c.yaml:c.yaml', 'no such file or directory'],
])('an odd revision %s reads nothing and is an error', async (path, message) => {
  await withFiles({ 'p.yaml': policy, 'c.yaml': configMap }, async (folder) => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'one');
    const args = ['check', '-p', 'p.yaml', '--', path];
    const { exitCode, stdout, stderr } = await runIn(folder, args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

test('the configuration of lint can be that of a revision', async () => {
  const files = { 'p.yaml': policy.replace('---', '--- # one\n'), 'kubeadmit.yaml': 'lint: {}' };
  await withFiles(files, async (folder) => {
    const git = (...args: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'one');
    // A pull request turns a rule off.
    writeFileSync(`${folder}/kubeadmit.yaml`, 'lint: {rules: {policy-without-binding: off}}');
    const own = await runIn(folder, ['lint', 'p.yaml']);
    expect(own.stdout).toContain('the rule `policy-without-binding` is turned off here');
    const base = await runIn(folder, ['lint', '--config', 'main:kubeadmit.yaml', 'p.yaml']);
    expect([base.exitCode, base.stderr]).toEqual([0, '']);
    expect(base.stdout).not.toContain('turned off');
    const wrong = await runIn(folder, ['lint', '--config', 'main:none.yaml', 'p.yaml']);
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      'error: main:none.yaml: `none.yaml` does not exist in main (relative to the working directory)\n',
    ]);
    const gone = await runIn(folder, ['lint', '--config', 'gone:kubeadmit.yaml', 'p.yaml']);
    expect(gone.stderr).toContain('unknown git revision `gone`');
  });
});
