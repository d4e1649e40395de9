import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { folderUntil } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startFiles } from '../src/init/templates.ts';
import { runHere } from './terminal.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = `${root}examples/replica-limits`;

/** The commands of the program in a text, with what CI systems would put into them. */
function commandsIn(text: string, temporary: string): readonly (readonly string[])[] {
  return [...text.matchAll(/npx --yes "?@kubeadmit\/cli(?:@\$VERSION)?"? (.*)/g)].map(
    ([, words = '']) =>
      words
        .replaceAll('"', '')
        .replaceAll('$RUNNER_TEMP', temporary)
        .replaceAll('$THRESHOLD', '100')
        .replaceAll(/\$PATHS|FOLDER/g, folder)
        .replaceAll(/=(lint\.json|policies\.xml)/g, `=${temporary}/$1`)
        .split(' '),
  );
}

const hooks = parse(readFileSync(`${root}.pre-commit-hooks.yaml`, 'utf8')) as readonly {
  readonly entry: string;
  readonly args: readonly string[];
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
    expect({ args, exitCode, stderr }).toEqual({ args, exitCode: 0, stderr: '' });
  }
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
