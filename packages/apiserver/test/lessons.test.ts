import { readdirSync, readFileSync } from 'node:fs';
import { cleanUp, loadProtobufForms, playCase, type Step } from '@kubeadmit/apiserver-tools';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startLocalServer } from './local-server.ts';

// Explains each folder of the sources with requests: the request, the answer, and a name that gives the reason. The
// recorded cases show that kube-apiserver answers the same.

interface Lesson {
  readonly name: string;
  /** Requests that are sent first, without checks of their answers. */
  readonly after?: readonly Step[];
  readonly ask: Step;
  readonly answer: {
    readonly status: number;
    /** Members of the answer's object, among others. */
    readonly shows?: object;
    /** Lines of the answer as text. */
    readonly text?: string;
    /** Headers of the answer, among others. */
    readonly headers?: object;
  };
}

const lessons = new URL('lessons/', import.meta.url);
const sources = new URL('../src/', import.meta.url);
const webhook = { url: 'https://127.0.0.1:9443', authority: 'YXV0aG9yaXR5' };
const protobuf = await loadProtobufForms();

// Folders with separate tests, because a single answer does not show their behavior.
const separate = ['cluster', 'controllers', 'store', 'watching', 'write'];
// Folders that take part in every answer.
const everywhere = ['host', 'http', 'machinery', 'server'];

const folders = readdirSync(sources, { withFileTypes: true }).filter((each) => each.isDirectory());
const taught = readdirSync(lessons).map((file) => file.replace('.yaml', ''));

test('every source folder has a lesson', () => {
  expect([...taught, ...separate, ...everywhere].sort()).toEqual(
    folders.map(({ name }) => name).sort(),
  );
});

describe.each(taught)('%s', async (folder) => {
  const { ask, server, pass } = await startLocalServer();
  const pause = async (milliseconds: number): Promise<void> => pass(milliseconds);
  afterAll(() => server.close());
  const text = readFileSync(new URL(`${folder}.yaml`, lessons), 'utf8');
  test.each(parse(text) as readonly Lesson[])(
    '$name',
    async ({ name, after = [], ask: last, answer }) => {
      try {
        const steps = [...after, last];
        const answers = await playCase({ id: name, steps }, { ask, pause, webhook, protobuf });
        const given = answers.at(-1);
        expect(given?.status, given?.text).toBe(answer.status);
        if (answer.text !== undefined) expect(given?.text).toBe(answer.text);
        if (answer.shows !== undefined)
          expect(JSON.parse(given?.text ?? '')).toMatchObject(answer.shows);
        if (answer.headers !== undefined) expect(given?.headers).toMatchObject(answer.headers);
      } finally {
        await cleanUp(ask);
      }
    },
  );
});
