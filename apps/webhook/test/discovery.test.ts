import { expect, test } from 'vitest';
import { ApiError } from '../src/cluster/api-error.ts';
import { Discovery } from '../src/cluster/discovery.ts';

function list(...kinds: readonly string[]): string {
  const verbs = ['list', 'watch'];
  const resources = kinds.map((kind) => ({
    ...{ name: `${kind.toLowerCase()}s`, kind, namespaced: true, verbs },
  }));
  return JSON.stringify({ resources });
}

function group(name: string, ...versions: readonly string[]): object {
  const all = versions.map((version) => ({ groupVersion: `${name}/${version}` }));
  return { preferredVersion: all[0], versions: all };
}

const answers: Readonly<Record<string, string>> = {
  '/apis': JSON.stringify({ groups: [group('a.example', 'v2', 'v1'), group('b.example', 'v1')] }),
  '/api/v1': list('Pod'),
  '/apis/a.example/v2': list('Alpha'),
  '/apis/a.example/v1': list('Alpha', 'Beta'),
};

test('finds kinds that only another version serves, and names groups that do not answer', async () => {
  const discovery = new Discovery({
    ask: async (path) => {
      const answer = answers[path];
      if (answer === undefined) throw new ApiError(503, 'unreachable');
      return answer;
    },
  });
  await discovery.refresh();
  expect(discovery.resources.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
    'v1 Pod',
    'a.example/v2 Alpha',
    'a.example/v1 Beta',
  ]);
  expect(discovery.silent).toEqual(['b.example/v1']);
});
