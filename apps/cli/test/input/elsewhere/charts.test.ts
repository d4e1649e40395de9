import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { withFiles } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { buildKustomization } from '../../../src/input/elsewhere/programs.ts';
import { Boundary } from '../../../src/input/local/boundary.ts';
import { SkippedFiles } from '../../../src/input/local/skipped-files.ts';
import { runHere } from '../../terminal.ts';
import { configMap, policy, runIn, serve, summary } from './kit.ts';

const fakeHelm = `#!${process.execPath}
console.log(${JSON.stringify(configMap)} + '# ' + process.argv.slice(2).join(' '));
`;
const failing = `#!${process.execPath}
console.error('Error: values are missing'); process.exit(1);
`;

const chart = { 'p.yaml': policy, 'shop/Chart.yaml': 'name: shop', 'v.yaml': 'a: 1' };

test('charts are rendered by the helm of the user', async () => {
  await withFiles({ ...chart, 'bin/helm': fakeHelm }, async (folder) => {
    chmodSync(`${folder}/bin/helm`, 0o755);
    const args = ['check', '-p', 'p.yaml', '-r', 'shop', '--helm-values', 'v.yaml', '-n', 'x'];
    const { exitCode, stdout, stderr } = await runIn(folder, args, `${folder}/bin`);
    expect([exitCode, stderr]).toEqual([1, '']);
    expect(stdout).toContain('shop (helm template)');
    expect(stdout).toContain(summary);
  });
});

test('charts are rendered for the Kubernetes version of the check', async () => {
  const printing = `#!${process.execPath}
console.log('apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: ' + JSON.stringify(process.argv.find((each) => each.startsWith('--kube'))) + '}');
`;
  await withFiles({ ...chart, 'bin/helm': printing }, async (folder) => {
    chmodSync(`${folder}/bin/helm`, 0o755);
    const args = ['check', '-p', 'p.yaml', '-r', 'shop', '--kubernetes-version', '1.34'];
    const { stdout } = await runIn(folder, args, `${folder}/bin`);
    expect(stdout).toContain('ConfigMap default/--kube-version=1.34');
  });
});

const schemaReader = `#!${process.execPath}
if (!process.argv.includes('--skip-schema-validation')) await fetch('http://HOST/schema.json');
console.log(${JSON.stringify(configMap)});
`;
const oldHelm = `#!${process.execPath}
if (process.argv.includes('--skip-schema-validation')) {
  console.error('Error: unknown flag: --skip-schema-validation'); process.exit(1);
}
console.log(${JSON.stringify(configMap)});
`;

test('helm reads no schemas of values, which may name servers on this machine', async () => {
  const requests: string[] = [];
  const host = await serve(({ url = '' }, response) => {
    requests.push(url);
    response.end('{}');
  });
  const args = ['check', '-p', 'p.yaml', '-r', 'shop'];
  await withFiles(
    { ...chart, 'bin/helm': schemaReader.replace('HOST', host), 'old/helm': oldHelm },
    async (folder) => {
      for (const bin of ['bin', 'old']) {
        chmodSync(`${folder}/${bin}/helm`, 0o755);
        const { stdout, stderr } = await runIn(folder, args, `${folder}/${bin}`);
        expect([stderr, requests]).toEqual(['', []]);
        expect(stdout).toContain(summary);
      }
    },
  );
});

test('a chart that does not render, or without helm, is an error', async () => {
  await withFiles({ ...chart, 'bin/helm': failing }, async (folder) => {
    chmodSync(`${folder}/bin/helm`, 0o755);
    const args = ['check', '-p', 'p.yaml', '-r', 'shop'];
    const failed = await runIn(folder, args, `${folder}/bin`);
    expect(failed.stderr).toContain('failed with exit code 1: Error: values are missing');
    const without = await runIn(folder, args, `${folder}/none`);
    expect(without.stderr).toContain('helm is not installed');
    expect([failed.exitCode, without.exitCode]).toEqual([2, 2]);
  });
});

test('kustomizations are built by kustomize, else by kubectl, else read as they lie', async () => {
  const files = {
    'p.yaml': policy,
    'k/kustomization.yaml': 'resources: [c.yaml]',
    'k/c.yaml': configMap,
  };
  await withFiles({ ...files, 'bin/kubectl': fakeHelm }, async (folder) => {
    chmodSync(`${folder}/bin/kubectl`, 0o755);
    const args = ['check', '-p', 'p.yaml', '-r', 'k'];
    const built = await runIn(folder, args, `${folder}/bin`);
    expect(built.stdout).toContain('k (kustomize build)');
    const read = await runIn(folder, args, `${folder}/none`);
    expect(read.stdout).toContain('k/c.yaml');
    expect([built.exitCode, read.exitCode]).toEqual([1, 1]);
  });
});

test('a packed chart is rendered where it is a file, and refused elsewhere', async () => {
  await withFiles({ ...chart, 'bin/helm': fakeHelm }, async (folder) => {
    chmodSync(`${folder}/bin/helm`, 0o755);
    const bytes = execFileSync('tar', ['-czf', '-', '-C', folder, 'shop']);
    writeFileSync(`${folder}/shop.tgz`, bytes);
    const args = ['check', '-p', 'p.yaml', '-r', 'shop.tgz', '--helm-values', 'v.yaml'];
    const rendered = await runIn(folder, args, `${folder}/bin`);
    expect([rendered.exitCode, rendered.stderr]).toEqual([1, '']);
    expect(rendered.stdout).toContain('shop.tgz (helm template)');
    const without = await runIn(folder, args, folder);
    expect(without.stderr).toContain('this is a Helm chart, and helm is not installed');
    const host = await serve((_, response) => response.end(bytes));
    const far = await runIn(folder, ['check', '-p', 'p.yaml', `http://${host}/shop.tgz`]);
    expect(far.stderr).toContain('Helm charts in archives from the network are not rendered');
    expect([without.exitCode, far.exitCode]).toEqual([2, 2]);
  });
});

test.each([
  [
    'helm',
    'Chart.yaml',
    'template release ./--post-renderer=. --namespace=default --kube-version=1.37 --skip-schema-validation',
  ],
  ['kustomize', 'kustomization.yaml', 'build ./--post-renderer=.'],
  ['kubectl', 'kustomization.yaml', 'kustomize ./--post-renderer=.'],
])('a folder with the name of an option is a folder for %s', async (program, file, expected) => {
  const folderName = '--post-renderer=.';
  const printing = `#!${process.execPath}
console.log('apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: ' + JSON.stringify(process.argv.slice(2).join(' ')) + '}');
`;
  const files = { 'p.yaml': policy, [`${folderName}/${file}`]: '{}', [`bin/${program}`]: printing };
  await withFiles(files, async (folder) => {
    chmodSync(`${folder}/bin/${program}`, 0o755);
    const args = ['check', '-p', 'p.yaml', '-o', 'json', '--', folderName];
    const { stdout } = await runIn(folder, args, `${folder}/bin`);
    expect(stdout).toContain(`"resource": "ConfigMap/${expected}"`);
  });
});

test.each([
  ['unset', undefined],
  ['empty', ''],
  ['the working directory', '.'],
  ['with an empty part', ':/none:'],
])('no program of the working directory runs with PATH %s', async (_, path) => {
  const files = { ...chart, helm: fakeHelm, git: fakeHelm, 'x:y/c.yaml': configMap };
  await withFiles(files, async (folder) => {
    for (const name of ['helm', 'git']) chmodSync(`${folder}/${name}`, 0o755);
    const env = path === undefined ? {} : { PATH: path };
    const before = process.cwd();
    process.chdir(folder);
    try {
      const helm = await runHere(['check', '-p', 'p.yaml', '-r', 'shop'], { env });
      expect(helm.stderr).toContain('helm is not installed');
      const git = await runHere(['check', '-p', 'p.yaml', '-r', 'main:x'], { env });
      expect(git.stderr).toContain('git is not installed, and it is required to read a revision');
    } finally {
      process.chdir(before);
    }
  });
});

const printsProxies = `#!${process.execPath}
console.log(${JSON.stringify(configMap)} + '# ' + process.env.HTTPS_PROXY + ' ' + process.env.GIT_ALLOW_PROTOCOL);
`;

test('kustomize runs without a network unless fetching is allowed', async () => {
  const files = {
    'p.yaml': policy,
    'k/kustomization.yaml': 'resources: [c.yaml]',
    'k/c.yaml': configMap,
    'far/kustomization.yaml': 'resources: ["https://example.com/base"]',
    'bin/kustomize': printsProxies,
  };
  await withFiles(files, async (folder) => {
    chmodSync(`${folder}/bin/kustomize`, 0o755);
    const settings = {
      env: { PATH: `${folder}/bin`, HTTPS_PROXY: 'http://proxy' },
      maxFileSize: 1000,
      boundary: new Boundary([folder]),
      skipped: new SkippedFiles(),
    };
    const textOf = (name: string, allowRemoteBases: boolean) => {
      const built = buildKustomization(`${folder}/${name}`, { ...settings, allowRemoteBases });
      return Buffer.from(built?.bytes ?? []).toString('utf8');
    };
    expect(textOf('k', false)).toContain('# http://127.0.0.1:9 none');
    expect(textOf('far', true)).toContain('# http://proxy undefined');
    expect(() => textOf('far', false)).toThrow(
      'this kustomization fetches https://example.com/base',
    );
  });
});

test('manifests in the folder of a kustomization that it does not name are skipped and named', async () => {
  const files = {
    'p.yaml': policy,
    'base/kustomization.yaml': 'resources: [named.yaml, ../more]\npatches: [{path: patch.yaml}]',
    'base/named.yaml': configMap,
    'base/patch.yaml': configMap,
    'base/forgotten.yaml': configMap,
    'base/values.yaml': 'a: b',
    'base/deep/forgotten.yml': configMap,
    'more/kustomization.yaml': 'resources: [c.yaml]',
    'more/c.yaml': configMap,
    'bin/kustomize': fakeHelm,
  };
  await withFiles(files, async (folder) => {
    chmodSync(`${folder}/bin/kustomize`, 0o755);
    const { stdout, stderr } = await runIn(
      folder,
      ['check', '-p', 'p.yaml', 'base'],
      `${folder}/bin`,
    );
    expect(stdout).toContain(
      '2 files with manifests skipped: base/deep/forgotten.yml, base/forgotten.yaml',
    );
    expect(stderr).toContain(
      'base/forgotten.yaml: warning: skipped: not listed in the kustomization',
    );
  });
});
