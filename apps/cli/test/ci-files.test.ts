import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { folderUntil, withFiles } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startFiles } from '../src/init/templates.ts';
import { runHere } from './terminal.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = `${root}examples/replica-limits`;

/** The lint and test commands in a text; `process/first-use.test.ts` runs those that check manifests. */
function commandsIn(text: string, temporary: string): readonly (readonly string[])[] {
  return [
    ...text.matchAll(/^.*?(?:bin\/kubeadmit"|[-:] kubeadmit|^\s*kubeadmit) ((?:lint|test) .*)$/gm),
  ].map(([, words = '']) =>
    words
      .replace(/"\$\{options\[@\]\}"/, optionsIn(text, words))
      .replaceAll('"', '')
      .replaceAll('$RUNNER_TEMP', temporary)
      .replaceAll('$THRESHOLD', '100')
      .replaceAll(/\$\{paths\[@\]\}|FOLDER/g, folder)
      .replaceAll(/=(lint\.json|policies\.xml)/g, `=${temporary}/$1`)
      .split(' '),
  );
}

/** The options that a script of the action sets for a command. */
function optionsIn(text: string, words: string): string {
  const [, all = ''] = text.slice(0, text.indexOf(words)).match(/.*options=\(([^)]*)\)/s) ?? [];
  return all;
}

const hooks = parse(readFileSync(`${root}.pre-commit-hooks.yaml`, 'utf8')) as readonly {
  readonly entry: string;
  readonly args: readonly string[];
  readonly types_or?: readonly string[];
}[];
const texts: readonly (readonly [string, string])[] = [
  ['action.yml', readFileSync(`${root}action.yml`, 'utf8')],
  [
    '.pre-commit-hooks.yaml',
    hooks
      .map(({ entry, args }) => [entry, ...args].join(' ').replace(/ \.$/, ' FOLDER'))
      .join('\n'),
  ],
  [
    'the job of GitHub',
    startFiles('FOLDER', 'github').get('.github/workflows/policies.yaml') ?? '',
  ],
  ['the job of GitLab', startFiles('FOLDER', 'gitlab').get('.gitlab-ci.yml') ?? ''],
];

test.each(texts)('what %s runs is there and passes', async (_, text) => {
  const commands = commandsIn(text, folderUntil(onTestFinished));
  expect(commands).toHaveLength(2);
  for (const args of commands) {
    const { exitCode, stderr } = await runHere(args);
    // Beside annotations it says how much it looked at.
    const summary = expect.stringMatching(/^(?:\d+ .*\n)?$/);
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: summary });
  }
});

test('the hooks run for each type of file that is read', () => {
  for (const hook of hooks) expect(hook.types_or).toEqual(['yaml', 'json']);
});

test('the action is a composite one', () => {
  const action = parse(readFileSync(`${root}action.yml`, 'utf8')) as {
    readonly runs: {
      readonly using: string;
      readonly steps: readonly { readonly shell: string }[];
    };
  };
  expect(action.runs.using).toBe('composite');
  for (const { shell } of action.runs.steps) expect(shell).toBe('bash');
});

const scripts = texts.map(([name, text]) => [name, text] as const);

test.each(scripts)('%s runs no code of the checkout and follows no moving name', (_, text) => {
  expect(text).not.toMatch(/npx|@latest/);
  for (const [, action = ''] of text.matchAll(/uses: (\S+)/g)) {
    expect(action).toMatch(/@[0-9a-f]{40}$/);
  }
  for (const line of text.split('\n').filter((each) => /^(?!#).*npm install/.test(each))) {
    const isOutside = /cd \/ &&|--global/.test(line);
    expect({ line, isOutside }).toEqual({ line, isOutside: true });
  }
});

test('the action installs before anything else, outside of the checkout and an exact version', () => {
  const { inputs, runs } = parse(readFileSync(`${root}action.yml`, 'utf8')) as {
    readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
    readonly runs: { readonly steps: readonly Readonly<Record<string, string>>[] };
  };
  const [install] = runs.steps;
  expect(inputs['version']?.default).toBeUndefined();
  expect(install?.['working-directory']).toMatch(/^\$\{\{ runner\.temp \}\}$/);
  expect(install?.['run']).toContain('--registry https://registry.npmjs.org/');
  // Inputs reach scripts through the environment only, where they are data.
  for (const { run = '' } of runs.steps) expect(run).not.toContain('${{');
});

test.each([
  ['1.2.3', 0],
  ['1.2.3-rc.1', 0],
  ['latest', 2],
  ['^1.0.0', 2],
  ['1.2', 2],
  ['1.2.3 evil', 2],
  ['file:./evil', 2],
  ['1.2.3\nfile:./evil', 2],
])('the action takes the version %j with exit code %i', (version, expected) => {
  const { runs } = parse(readFileSync(`${root}action.yml`, 'utf8')) as {
    readonly runs: { readonly steps: readonly { readonly run: string }[] };
  };
  const script = `npm() { echo "$@"; }\n${runs.steps[0]?.run}`;
  const env = { PATH: process.env['PATH'], RUNNER_TEMP: '/nowhere', VERSION: version };
  const { status, stdout } = spawnSync('bash', ['-euo', 'pipefail', '-c', script], {
    env,
    encoding: 'utf8',
  });
  expect(status).toBe(expected);
  if (expected === 0) expect(stdout).toContain(`@kubeadmit/cli@${version}`);
});

test('the action passes each line of its paths as one argument', async () => {
  const { runs } = parse(readFileSync(`${root}action.yml`, 'utf8')) as {
    readonly runs: { readonly steps: readonly { readonly name: string; readonly run: string }[] };
  };
  const names = 'my policies\n*.yaml\n\n$(touch evil)\n--fix';
  const printing = '#!/bin/bash\nprintf "<%s>" "$@"\n';
  await withFiles({ 'kubeadmit/bin/kubeadmit': printing, '*.yaml': '' }, (temporary) => {
    chmodSync(`${temporary}/kubeadmit/bin/kubeadmit`, 0o755);
    const env = {
      PATH: process.env['PATH'],
      RUNNER_TEMP: temporary,
      POLICIES: names,
      TESTS: names,
      CONFIG: '',
      THRESHOLD: '0',
    };
    for (const { run } of runs.steps.filter(({ name }) => ['Lint', 'Test'].includes(name))) {
      const options = { env, cwd: temporary, encoding: 'utf8' } as const;
      const { stdout } = spawnSync('bash', ['-euo', 'pipefail', '-c', run], options);
      expect(stdout).toMatch(/<--><my policies><\*\.yaml><\$\(touch evil\)><--fix>$/);
    }
    expect(existsSync(`${temporary}/evil`)).toBe(false);
  });
});

test.each([
  ['true', 0, /<--strict>/],
  ['false', 0, /^(?!.*<--strict>)/],
  ['True', 2, /::error::the input strict must be true or false/],
  ['yes', 2, /::error::the input strict must be true or false/],
])('the action takes %j for strict with exit code %i', async (strict, expected, printed) => {
  const { runs } = parse(readFileSync(`${root}action.yml`, 'utf8')) as {
    readonly runs: { readonly steps: readonly { readonly name: string; readonly run: string }[] };
  };
  const run = runs.steps.find(({ name }) => name === 'Check')?.run ?? '';
  const printing = '#!/bin/bash\nprintf "<%s>" "$@"\n';
  await withFiles({ 'kubeadmit/bin/kubeadmit': printing }, (temporary) => {
    chmodSync(`${temporary}/kubeadmit/bin/kubeadmit`, 0o755);
    const paths = { POLICIES: 'p', MANIFESTS: 'm' };
    const env = { PATH: process.env['PATH'], RUNNER_TEMP: temporary, ...paths, STRICT: strict };
    const options = { env, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync('bash', ['-euo', 'pipefail', '-c', run], options);
    expect(status).toBe(expected);
    expect(stdout).toMatch(printed);
  });
});

const workflows = `${root}.github/workflows/`;

test.each(readdirSync(workflows))('the workflow %s names actions by commit', (name) => {
  const text = readFileSync(workflows + name, 'utf8');
  for (const [line, action = ''] of text.matchAll(/uses: (\S+)(?: # v\d+\.\d+\.\d+)?$/gm)) {
    expect(action, line).toMatch(/@[0-9a-f]{40}$/);
    expect(line).toMatch(/# v\d+\.\d+\.\d+$/);
  }
  expect(text).not.toContain('pull_request_target');
});

const jobs = { github: '.github/workflows/policies.yaml', gitlab: '.gitlab-ci.yml' } as const;

/** The commands of the program in a job that `init` writes. */
function jobCommands(ci: keyof typeof jobs, folderName: string): readonly string[] {
  const job: unknown = parse(startFiles(folderName, ci).get(jobs[ci]) ?? '');
  const texts: string[] = [];
  JSON.stringify(job, (_key, value: unknown) => {
    if (typeof value === 'string' && value.startsWith('kubeadmit ')) texts.push(value);
    return value;
  });
  return texts;
}

const oddNames = [
  'my policies',
  "it's",
  '--fix',
  '$(touch evil)',
  '`touch evil`',
  'a: b',
  'a #b',
  '$HOME',
  '$&$1',
  '{{x}}',
  '*.yaml',
];

test.each(
  (['github', 'gitlab'] as const).flatMap((ci) => oddNames.map((name) => [ci, name] as const)),
)('the job of %s gives the folder %j to the program as one argument', (ci, name) => {
  const commands = jobCommands(ci, name);
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const script = `kubeadmit() { printf '<%s>' "$@"; }\n${command}`;
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    expect(stdout.endsWith(`<--><${name}>`)).toBe(true);
  }
});

async function initIn(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<{
  readonly exitCode: number;
  readonly stderr: string;
  readonly left: readonly string[];
}> {
  return withFiles(files, async (temporary) => {
    const before = process.cwd();
    process.chdir(temporary);
    try {
      const { exitCode, stderr } = await runHere(['init', ...args]);
      const left = readdirSync(temporary, { recursive: true, encoding: 'utf8' }).sort();
      return { exitCode, stderr, left };
    } finally {
      process.chdir(before);
    }
  });
}

test.each([
  ['github', ['$', '{{ github.event.issue.title }}'].join(''), 'contains `${{`, which starts'],
  ['gitlab', 'a${{b', 'contains `${{`, which starts a GitHub Actions expression'],
  ['github', 'a\n    - run: evil', 'contains control characters'],
  ['github', 'a\u0085b', 'contains control characters'],
  ['gitlab', 'a\u2028b', 'contains control characters'],
])('init refuses to put into a job of %s the folder %j', async (ci, name, message) => {
  const { exitCode, stderr, left } = await initIn({}, ['--ci', ci, name]);
  expect([exitCode, left]).toEqual([2, []]);
  expect(stderr).toContain(message);
});

test.each([
  ['a folder of the job is a file', { '.github': '' }, ['--ci', 'github', 'a/b'], ['.github']],
  [
    'a folder inside is a file',
    { '.github/workflows': '' },
    ['--ci', 'github', 'a'],
    ['.github', '.github/workflows'],
  ],
  [
    'the place of a file is a folder',
    { 'a/kept.txt': '', '.gitlab-ci.yml/x': '' },
    ['--ci', 'gitlab', 'a'],
    ['.gitlab-ci.yml', '.gitlab-ci.yml/x', 'a', 'a/kept.txt'],
  ],
])('init leaves nothing behind if %s', async (_, files, args, kept) => {
  const { exitCode, left } = await initIn(files, args);
  expect([exitCode, left]).toEqual([2, kept]);
});
