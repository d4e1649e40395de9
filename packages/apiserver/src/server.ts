import type { Schemas } from '@kubeadmit/schemas';
import type { Codec } from './encoding/codec.ts';
import type { Clock, TokenIssuer, TokenReviewer, WebhookClient } from './host.ts';
import type { ApiRequest } from './request.ts';
import type { ApiResponse } from './response.ts';
import type { Store } from './store/store.ts';

/** What an API server is made of. */
export interface ApiServerOptions {
  readonly store: Store;
  /** What is known about built-in kinds, from `loadSchemas`. */
  readonly schemas: Schemas;
  /** Such as `1.37`; default the newest known. */
  readonly kubernetesVersion?: string | undefined;
  readonly clock: Clock;
  /** A random UUID of version 4 in lower case. */
  readonly randomUid: () => string;
  /** Media types beside JSON and YAML. */
  readonly codecs?: readonly Codec[] | undefined;
  /** `rbac` (default), or everything is allowed. */
  readonly authorization?: 'rbac' | 'always-allow' | undefined;
  /** Whether the small controllers run; default yes. */
  readonly controllers?: boolean | undefined;
  /** Calls registered webhooks; without it a webhook that matches fails by its failure policy. */
  readonly webhooks?: WebhookClient | undefined;
  readonly tokens?: TokenIssuer | undefined;
  readonly tokenReviewer?: TokenReviewer | undefined;
  /** The address in legacy discovery, such as `127.0.0.1:6443`. */
  readonly address?: string | undefined;
}

/** The API of a cluster: requests in, answers or streams of events out. */
export interface ApiServer {
  /** Answers a request; never rejects. */
  handle(request: ApiRequest): Promise<ApiResponse>;
  /** Resolves when what is always there (namespaces, bootstrap roles) is there, and policies are loaded. */
  readonly ready: Promise<void>;
  /** Ends watches and controllers; the store stays open. */
  close(): Promise<void>;
}

/** Makes an API server over a store. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const { clock } = options;
  return {
    handle: async () => ({
      status: 404,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        date: new Date(clock.now()).toUTCString(),
      },
      body: { type: 'text', text: '404 page not found\n' },
    }),
    ready: Promise.resolve(),
    close: async () => {},
  };
}
