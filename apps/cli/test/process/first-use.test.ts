import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { folderUntil } from '@kubeadmit/test-support';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { parse } from 'yaml';

// The first day with a GitOps repository: a check on the command line, in a pull request, and before a commit. The built
// program takes the place of the package from npm.

vi.setConfig({ testTimeout: 120_000 });

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const main = join(root, 'apps/cli/dist/main.js');
const example = (name: string): string =>
  readFileSync(join(root, 'examples/required-labels', name), 'utf8');

const deployment = (labels: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: ${labels}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: registry.example.com/web:1.0.0}]}
`;
const good =
  '{app.kubernetes.io/name: web, example.com/team: storefront, example.com/cost-center: cc-1234}';
const denial =
  '::error file=apps/web/deployment.yaml,line=1,col=1,title=required-labels%3A Deployment shop/web::these labels are required: example.com/team, example.com/cost-center\n';

interface Step {
  readonly name: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run: string;
}

interface Ran {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A repository with policies, manifests and files of other tools; `kubeadmit` is on the path. */
function repository(labels: string): { readonly folder: string; readonly temporary: string } {
  const folder = folderUntil(onTestFinished, {
    'policies/policy.yaml': example('policy.yaml'),
    'policies/binding.yaml': example('binding.yaml'),
    'apps/web/deployment.yaml': deployment(labels),
    'apps/web/values.yaml': 'replicas: 3\n',
    '.github/workflows/policies.yaml': 'on: pull_request\n',
  });
  const temporary = folderUntil(onTestFinished, {
    'kubeadmit/bin/kubeadmit': `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`,
  });
  chmodSync(join(temporary, 'kubeadmit/bin/kubeadmit'), 0o755);
  return { folder, temporary };
}

function shell(
  script: string,
  { folder, temporary }: ReturnType<typeof repository>,
  env: Readonly<Record<string, string>> = {},
): Ran {
  const path = `${join(temporary, 'kubeadmit/bin')}:${process.env['PATH']}`;
  const { status, stdout, stderr } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...env, PATH: path, RUNNER_TEMP: temporary },
    encoding: 'utf8',
  });
  return { exitCode: status, stdout, stderr };
}

test.skipIf(process.platform === 'win32')('builds a program that a linked package can run', () => {
  expect(statSync(main).mode & 0o111).toBe(0o111);
});

describe('the action', () => {
  const { inputs, runs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
    readonly runs: { readonly steps: readonly Step[] };
  };

  /** Runs the step with the inputs of a workflow. */
  function runStep(
    name: string,
    place: ReturnType<typeof repository>,
    given: Readonly<Record<string, string>>,
  ): Ran {
    const step = runs.steps.find((each) => each.name === name);
    const env = Object.entries(step?.env ?? {}).map(([variable, value]) => {
      const input = /inputs\.([\w-]+)/.exec(value)?.[1] ?? '';
      return [variable, given[input] ?? inputs[input]?.default ?? ''];
    });
    const summary = { GITHUB_STEP_SUMMARY: join(place.temporary, 'summary.md') };
    return shell(step?.run ?? 'exit 99', place, { ...Object.fromEntries(env), ...summary });
  }

  test('annotates a manifest that a policy denies, and writes a summary', () => {
    const place = repository('{app.kubernetes.io/name: web}');
    const given = { manifests: 'apps/' };
    expect(runStep('Lint', place, given)).toMatchObject({ exitCode: 0, stdout: '' });
    expect(runStep('Check', place, given)).toMatchObject({ exitCode: 1, stdout: denial });
    runStep('Write the summary', place, given);
    const summary = readFileSync(join(place.temporary, 'summary.md'), 'utf8');
    expect(summary).toContain('## ❌ kubeadmit check');
    expect(summary).toContain('apps/web/deployment.yaml:1');
  });

  test('passes when the labels are there', () => {
    const place = repository(good);
    const { exitCode, stdout, stderr } = runStep('Check', place, { manifests: 'apps/' });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toContain('1 object checked by 1 policy with 1 binding: 1 allowed');
  });

  test('fails when no policy matches a manifest', () => {
    const place = repository(good);
    const given = { manifests: 'policies/', policies: 'apps/' };
    expect(runStep('Check', place, given)).toMatchObject({ exitCode: 2, stdout: '' });
  });

  test('reads several folders and follows no name that looks like an option', () => {
    const place = repository(good);
    const given = { manifests: 'apps/web\n--exit-zero', strict: 'true' };
    const { exitCode, stderr } = runStep('Check', place, given);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--exit-zero');
  });

  test('runs tests only if some are named', () => {
    const conditions = Object.fromEntries(runs.steps.map((step) => [step.name, step.if]));
    expect(conditions).toMatchObject({
      Check: expect.stringContaining("inputs.manifests != ''"),
      Test: expect.stringContaining("inputs.tests != ''"),
    });
  });
});

describe('the hooks for pre-commit', () => {
  const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly {
    readonly id: string;
    readonly entry: string;
    readonly args: readonly string[];
  }[];

  function runHook(id: string, place: ReturnType<typeof repository>): Ran {
    const hook = hooks.find((each) => each.id === id);
    return shell([hook?.entry, ...(hook?.args ?? [])].join(' '), place);
  }

  test('check manifests, and stop a commit that a policy denies', () => {
    expect(runHook('kubeadmit-check', repository(good))).toMatchObject({ exitCode: 0, stdout: '' });
    const { exitCode, stdout } = runHook('kubeadmit-check', repository('{}'));
    expect(exitCode).toBe(1);
    expect(stdout).toContain('denied by required-labels: these labels are required');
  });

  test('lint policies', () => {
    expect(runHook('kubeadmit-lint', repository(good))).toMatchObject({ exitCode: 0 });
  });
});

test('checks a GitOps repository, with and without annotations', () => {
  const started = performance.now();
  const place = repository('{app.kubernetes.io/name: web}');
  expect(shell('kubeadmit check -p policies/ -r apps/', place)).toMatchObject({ exitCode: 1 });
  expect(shell('kubeadmit check -p policies/ -r apps/ -o github', place).stdout).toBe(denial);
  const milliseconds = Math.round(performance.now() - started);
  console.info(`NOTE: two checks of a GitOps repository: ${milliseconds} ms`);
});
