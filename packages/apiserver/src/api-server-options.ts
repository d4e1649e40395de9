import type { Schemas } from '@kubeadmit/schemas';
import type { Codec } from './encoding/codec.ts';
import type { Clock, TokenIssuer, TokenReviewer, WebhookClient } from './host.ts';
import type { Store } from './store/store.ts';

/** What an API server is made of. */
export interface ApiServerOptions {
  readonly store: Store;
  /** What is known about built-in kinds, from `loadSchemas`. */
  readonly schemas: Schemas;
  /** Such as `1.37` or `1.37.1`; default the newest known. */
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
