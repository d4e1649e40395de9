import { loadPlugins, type PluginSet } from '@kubeadmit/admission/plugins';
import { type Answer, type Ask, answerReview, disabledPlugins } from '@kubeadmit/apiserver-tools';
import { loadSchemas, type Schemas } from '@kubeadmit/schemas';
import {
  decodeProtobuf,
  encodeProtobuf,
  hasProtobufForm,
  loadProtobuf,
} from '@kubeadmit/schemas/protobuf';
import {
  type ApiServer,
  type Codec,
  createApiServer,
  encodeBody,
  encodeEvent,
  type Pages,
  type WebhookClient,
} from '../src/index.ts';
import { MemoryStore, type Store } from '../src/store.ts';

/** When the server's time begins: on the day on which the answers with ages were recorded. */
const begin = '2026-11-22T12:00:00Z';

/** How much sooner the server wakes up than it wanted to. */
const speed = 20;

/** A server in memory that skips most of the time that it waits. */
export async function startLocalServer({
  controllers = false,
  store = new MemoryStore(),
  webhooks = webhookOfCases,
  pages,
  plugins,
}: {
  readonly controllers?: boolean;
  readonly store?: Store;
  /** Default one that answers by the path of its URL. */
  readonly webhooks?: WebhookClient;
  readonly pages?: Pages;
  /** Default those of the recorded servers. */
  readonly plugins?: PluginSet;
} = {}): Promise<{
  readonly ask: Ask;
  readonly server: ApiServer;
  /** Lets time pass for the server. */
  readonly pass: (milliseconds: number) => void;
}> {
  const schemas = await loadSchemas();
  const recorded = { plugins: 'default', disable: disabledPlugins, minor: 37 } as const;
  const codecs = [await loadCodec(schemas)];
  // Time passes only while a caller waits, so that no answer depends on the speed of the machine.
  let now = Date.parse(begin);
  const server = createApiServer({
    store,
    schemas,
    kubernetesVersion: '1.37.1',
    clock: {
      now: () => now,
      sleep: (milliseconds, signal) =>
        new Promise((resolve) => {
          const finish = (): void => {
            clearTimeout(timer);
            signal?.removeEventListener('abort', finish);
            resolve();
          };
          const end = now + milliseconds;
          const timer = setTimeout(() => {
            now = Math.max(now, end);
            finish();
          }, milliseconds / speed);
          signal?.addEventListener('abort', finish);
        }),
    },
    randomUid: () => crypto.randomUUID(),
    controllers,
    plugins: plugins ?? (await loadPlugins(recorded)),
    tokenReviewer: { review: async () => ({ authenticated: false }) },
    tokens: { audiences: [], issue: async () => never, certificateAuthority: 'certificate' },
    codecs,
    webhooks,
    pages,
  });
  await server.ready;
  const pass = (milliseconds: number): void => {
    now += milliseconds;
  };
  const ask: Ask = async ({ method, path, headers, body, as }): Promise<Answer> => {
    if (as === 'nobody') return unauthorized;
    const url = new URL(path, 'http://localhost');
    const response = await server.handle({
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      ...(body === undefined ? {} : { readBody: async () => ({ bytes: bytesOf(body) }) }),
      user: users[as],
    });
    let text = '';
    let bytes: Uint8Array | undefined;
    if (response.body.type === 'events') {
      const { mediaType } = response.body;
      for await (const event of response.body.events) {
        text += String(encodeEvent(event, { schemas, codecs, mediaType }));
      }
    } else {
      const encoded = encodeBody(response.body, { schemas, codecs });
      text = typeof encoded === 'string' ? encoded : new TextDecoder().decode(encoded);
      if (typeof encoded !== 'string') bytes = encoded;
    }
    return {
      status: response.status,
      headers: response.headers,
      text: method === 'HEAD' ? '' : text,
      bytes,
    };
  };
  return { ask, server, pass };
}

const webhookOfCases: WebhookClient = {
  call: async ({ clientConfig, review }) => {
    const { pathname } = new URL(String(clientConfig['url']));
    const answer = answerReview(pathname, JSON.stringify(review));
    return { ...answer, contentType: 'application/json' };
  },
};

const never = { token: '', expirationTimestamp: '' };

async function loadCodec(schemas: Schemas): Promise<Codec> {
  const protobuf = await loadProtobuf(schemas);
  return {
    mediaType: 'application/vnd.kubernetes.protobuf',
    streamMediaType: 'application/vnd.kubernetes.protobuf;stream=watch',
    encodes: (_, { apiVersion = '', kind = '' }) =>
      hasProtobufForm(protobuf, { apiVersion: String(apiVersion), kind: String(kind) }),
    encode: (_, object) => encodeProtobuf(protobuf, object) ?? new Uint8Array(),
    encodeEvent: () => new Uint8Array(),
    decode(_, bytes, { apiVersion, kind }) {
      const [version = '', group = ''] = apiVersion.split('/').reverse();
      const read = decodeProtobuf(protobuf, bytes, { group, version, kind });
      return read.error === undefined ? { object: read.object } : { error: read.error };
    },
  };
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}

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
