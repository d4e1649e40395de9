import type { PluginCount, PluginSet } from '@kubeadmit/admission/plugins';
import type { Schemas } from '@kubeadmit/schemas';
import type { Codec } from '../encoding/codec.ts';
import type { Store } from '../store/store.ts';
import type { Clock, Pages, TokenIssuer, TokenReviewer, WebhookClient } from './host.ts';

/** The options of an API server. */
export interface ApiServerOptions {
  /** Where objects are kept. */
  readonly store: Store;
  /** The schemas of the built-in kinds, from `loadSchemas`. */
  readonly schemas: Schemas;
  /** Such as `1.37` or `1.37.1`; default the newest known. */
  readonly kubernetesVersion?: string | undefined;
  /** Tells the time, and waits. */
  readonly clock: Clock;
  /** A random UUID of version 4 in lower case. */
  readonly randomUid: () => string;
  /** Media types beside JSON and YAML. */
  readonly codecs?: readonly Codec[] | undefined;
  /** `rbac` (default), or everything is allowed. */
  readonly authorization?: 'rbac' | 'always-allow' | undefined;
  /**
   * The admission plugins, from `loadPlugins` of `@kubeadmit/admission/plugins`; default those that kube-apiserver
   * enables by default.
   */
  readonly plugins?: PluginSet | undefined;
  /** Whether the small controllers run; default yes. */
  readonly controllers?: boolean | undefined;
  /** Calls registered webhooks; without it a webhook that matches fails by its failure policy. */
  readonly webhooks?: WebhookClient | undefined;
  /** Makes tokens of ServiceAccounts; without it TokenRequests are refused. */
  readonly tokens?: TokenIssuer | undefined;
  /** Answers TokenReviews. */
  readonly tokenReviewer?: TokenReviewer | undefined;
  /** Answers pages of the host beside the API, such as `/metrics`, to users who may ask for their paths. */
  readonly pages?: Pages | undefined;
  /** Receives the events of admission plugins that kube-apiserver counts in its metrics. */
  readonly countPluginEvent?: ((count: PluginCount) => void) | undefined;
  /** The address in legacy discovery, such as `127.0.0.1:6443`. */
  readonly address?: string | undefined;
}
