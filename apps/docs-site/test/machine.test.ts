import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseJson } from '@kubeadmit/cel';
import {
  COMMANDS,
  type Command,
  commandOf,
  type JsonObject,
  splitLine,
} from '@kubeadmit/conformance-tools';
import { stringifyJson } from '@kubeadmit/go';
import { parseLines, readLines } from '@kubeadmit/test-support';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  askAll,
  chromium,
  type OpenPage,
  openSite,
  readyPlayground,
  type Site,
} from './site.ts';

const conformance = fileURLToPath(new URL('../../../conformance/', import.meta.url));
const program = fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url));

/** The number of recorded cases to run per command; set `CASES=500` for more. */
const wanted = Number(process.env['CASES'] ?? 30);

/** Where the recorded cases of commands lie. */
const recordedIn: Readonly<Record<string, RegExp>> = {
  admit: /^admit\//,
  write: /^write\//,
  lint: /^lint\//,
  decode: /^decode\//,
  validate: /^validate\//,
  eval: /^cel\//,
  'kyverno conditions': /^kyverno\/conditions/,
  'kyverno jmespath': /^kyverno\/(?:jmespath|certificates)/,
  'kyverno substitute': /^kyverno\/substitute/,
  'kyverno rules': /^kyverno\/(?:validate|mutate|patches|pod-security|surroundings|sections)/,
  'kyverno autogen': /^kyverno\/autogen/,
};

const folders = ['admit', 'cel', 'decode', 'kyverno', 'lint', 'validate', 'write'];
const recordedFiles = folders.flatMap((folder) =>
  readdirSync(conformance + folder)
    .filter((name) => name.endsWith('.ndjson'))
    .sort()
    .map((name) => `${folder}/${name}`),
);

/** An answer with the escapes that the program writes for terminals in the place of characters without a width. */
function withEscapes(answer: string): string {
  return answer.replaceAll(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** An answer without the times of its defaults, which differ between two moments. */
function withoutTimes(answer: string): string {
  return answer.replaceAll(/"(timeAdded|lastPhaseTransitionTime)":"[^"]*"/g, '"$1":"TIME"');
}

describe.skipIf(chromium === undefined)('the machine interface in the page', () => {
  let site: Site;
  let opened: OpenPage;
  beforeAll(async () => {
    site = await openSite();
    opened = await site.open('playground/');
    await readyPlayground(opened.page);
  });
  afterAll(() => site?.close());

  test.each(COMMANDS.map(({ name }) => name))('`%s` answers like the program', async (name) => {
    const command = commandOf(name);
    const lines = casesOf(command);
    expect(lines.length).toBeGreaterThan(Math.min(wanted, 20));
    const fromProgram = answersOfProgram(command, lines);
    const fromPage = await askAll(opened.page, name, lines);
    expect(fromPage.map(withEscapes).map(withoutTimes)).toEqual(fromProgram.map(withoutTimes));
    expect(opened.problems).toEqual([]);
  });

  test('answers objects with objects', async () => {
    const given = { id: 'sum', expression: '1 + x', variables: { x: 2 } };
    const answer = await opened.page.evaluate(
      (input) => window.kubeadmit?.ask('eval', input),
      given,
    );
    expect(answer).toMatchObject({ id: 'sum', result: '3', type: 'int' });
  });

  test('lists the commands for an unknown one', async () => {
    const answer = await ask(opened.page, 'guess', '{"id": "a"}');
    expect(JSON.parse(answer)).toEqual({
      id: 'a',
      failure: `unknown command \`guess\`; expected one of ${COMMANDS.map((each) => `\`${each.name}\``).join(', ')}`,
    });
  });

  test('reports that a line is not a case', async () => {
    expect(JSON.parse(await ask(opened.page, 'eval', '{"id": "a", nope'))).toMatchObject({
      id: 'a',
      failure: expect.stringContaining('not JSON'),
    });
  });

  test('takes nothing but cases and texts', async () => {
    const refusals = await opened.page.evaluate(async () => {
      const told: string[] = [];
      const { ask, open } = window.kubeadmit as unknown as Record<
        'ask' | 'open',
        (...given: readonly unknown[]) => Promise<unknown>
      >;
      const calls = [
        () => ask('admit'),
        () => ask('admit', null),
        () => open({ 'a.yaml': 5 }),
        () => open('a'),
      ];
      for (const call of calls) await call().catch((error: unknown) => told.push(String(error)));
      return told;
    });
    const askProblem = 'TypeError: kubeadmit.ask expects a command and a case';
    const openProblem = 'TypeError: kubeadmit.open expects an object with the content of each file';
    const expected = [askProblem, askProblem, openProblem, openProblem];
    expect(refusals).toEqual(expected.map((text) => expect.stringContaining(text)));
    expect(await ask(opened.page, 'eval', '{"id": 1, "expression": "1"}')).toContain('"result"');
  });
});

/** Recorded cases of a command, evenly taken from all of them. */
function casesOf(command: Command): string[] {
  const pattern = recordedIn[command.name];
  const all = recordedFiles
    .filter((path) => pattern?.test(path))
    .flatMap((path) => readLines<string>(conformance + path, String));
  const step = Math.max(1, Math.floor(all.length / wanted));
  return all
    .filter((_, index) => index % step === 0)
    .slice(0, wanted)
    .map((line) => {
      const recorded = parseJson(line, { wholeDoubles: true }) as unknown as JsonObject;
      return stringifyJson(splitLine(command, recorded).input);
    });
}

function answersOfProgram({ kubeadmit }: Command, lines: readonly string[]): readonly string[] {
  const { stdout, stderr, status } = spawnSync(process.execPath, [program, ...kubeadmit], {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(stderr);
  return parseLines<string>(stdout, String);
}
