import { expect, test } from 'vitest';
import { ApiClient, type ApiRequest, type ApiResponse, serverUser } from '../src/index.ts';

const text: ApiResponse['body'] = { type: 'text', text: '404 page not found' };

function clientOf(asked: ApiRequest[], body: ApiResponse['body']): ApiClient {
  const handle = async (request: ApiRequest): Promise<ApiResponse> => {
    asked.push(request);
    return { status: 404, headers: {}, body };
  };
  return new ApiClient({ handle }, serverUser, 'test');
}

test('a client asks by the name of its user, with all of a query', async () => {
  const asked: ApiRequest[] = [];
  const path = '/api/v1/namespaces/a%20b?labelSelector=a%3Db&fieldManager=who?';
  await clientOf(asked, text).ask({ method: 'GET', path });
  expect(asked).toMatchObject([{ path: '/api/v1/namespaces/a%20b', user: serverUser }]);
  expect([...(asked[0]?.query ?? [])]).toEqual([
    ['labelSelector', 'a=b'],
    ['fieldManager', 'who?'],
  ]);
});

test('returns the status of a response without an object', async () => {
  const answer = await clientOf([], text).ask({ method: 'GET', path: '/nowhere' });
  expect(answer).toEqual({ status: 404, object: {} });
});
