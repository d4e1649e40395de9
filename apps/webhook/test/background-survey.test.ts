import { expect, test } from 'vitest';
import { surveyResources } from '../src/background/survey.ts';
import { ApiError } from '../src/cluster/api-error.ts';

const path = '/apis/example.com/v1/widgets';
const widgets = {
  ...{ group: 'example.com', version: 'v1', kind: 'Widget', resource: 'widgets', path },
  ...{ apiVersion: 'example.com/v1', isNamespaced: true, verbs: new Set(['list', 'delete']) },
};
const none = { labelled: new Set<string>(), listable: new Set<string>() };
const known = { labelled: new Set([path]), listable: new Set([path]) };

test.each([
  [403, none],
  [404, none],
  [405, none],
  [0, known],
  [429, known],
  [503, known],
])(
  'treats a resource as before unless the error %i says that it has no list',
  async (code, expected) => {
    const client = { ask: () => Promise.reject(new ApiError(code, 'failed')) };
    expect(await surveyResources(client, [widgets], known)).toEqual(expected);
  },
);
