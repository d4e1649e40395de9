import { type Answer, type Ask, answerReview } from '@kubeadmit/apiserver-tools';
import { loadSchemas } from '@kubeadmit/schemas';
import {
  type ApiServer,
  type Codec,
  createApiServer,
  encodeBody,
  encodeEvent,
  MemoryStore,
} from '../src/index.ts';

/** How much sooner the server wakes up than it wanted to. */
const speed = 20;

/** A server in memory that skips most of the time that it waits. */
export async function startLocalServer({
  controllers = false,
}: {
  readonly controllers?: boolean;
} = {}): Promise<{
  readonly ask: Ask;
  readonly server: ApiServer;
}> {
  const schemas = await loadSchemas();
  let skipped = 0;
  const server = createApiServer({
    store: new MemoryStore(),
    schemas,
    kubernetesVersion: '1.37.1',
    clock: {
      now: () => Date.now() + skipped,
      sleep: (milliseconds, signal) =>
        new Promise((resolve) => {
          const finish = (): void => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', finish);
            resolve();
          };
          const timer = setTimeout(() => {
            skipped += milliseconds - milliseconds / speed;
            finish();
          }, milliseconds / speed);
          signal?.addEventListener('abort', finish);
        }),
    },
    randomUid: () => crypto.randomUUID(),
    controllers,
    tokens: { issue: async () => never, certificateAuthority: 'certificate' },
    codecs: [protobuf],
    webhooks: {
      call: async ({ clientConfig, review }) => {
        const { pathname } = new URL(String(clientConfig['url']));
        const answer = answerReview(pathname, JSON.stringify(review));
        return { ...answer, contentType: 'application/json' };
      },
    },
  });
  await server.ready;
  const ask: Ask = async ({ method, path, headers, body, as }): Promise<Answer> => {
    if (as === 'nobody') return unauthorized;
    const url = new URL(path, 'http://localhost');
    const response = await server.handle({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      ...(body === undefined
        ? {}
        : { readBody: async () => ({ bytes: new TextEncoder().encode(body) }) }),
      user: users[as],
    });
    let text = '';
    if (response.body.type === 'events') {
      const { mediaType } = response.body;
      for await (const event of response.body.events) {
        text += String(encodeEvent(event, { schemas, mediaType }));
      }
    } else {
      const encoded = encodeBody(response.body, { schemas });
      text = typeof encoded === 'string' ? encoded : new TextDecoder().decode(encoded);
    }
    return {
      status: response.status,
      headers: response.headers,
      text: method === 'HEAD' ? '' : text,
    };
  };
  return { ask, server };
}

const never = { token: '', expirationTimestamp: '' };

// Takes part in negotiation only.
const protobuf: Codec = {
  mediaType: 'application/vnd.kubernetes.protobuf',
  streamMediaType: 'application/vnd.kubernetes.protobuf;stream=watch',
  encodes: () => false,
  encode: () => new Uint8Array(),
  encodeEvent: () => new Uint8Array(),
  decode: () => ({ error: 'no protobuf here' }),
};

const users = {
  admin: {
    username: 'admin',
    uid: 'admin-uid',
    groups: ['system:masters', 'system:authenticated'],
  },
  alice: { username: 'alice', uid: 'alice-uid', groups: ['developers', 'system:authenticated'] },
  anonymous: { username: 'system:anonymous', groups: ['system:unauthenticated'] },
};

// A host answers this before it asks the server.
const unauthorized: Answer = {
  status: 401,
  headers: { 'content-type': 'application/json' },
  text: JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Unauthorized',
    reason: 'Unauthorized',
    code: 401,
  }),
};
