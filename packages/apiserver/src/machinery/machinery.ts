import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { ClusterState } from '../cluster/cluster-state.ts';
import type { ApiServerOptions } from '../host/api-server-options.ts';
import type { ApiRequest } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { Endpoint } from '../kinds/endpoint.ts';
import type { Negotiated } from '../negotiation/negotiate.ts';
import type { Registry } from '../store/registry.ts';

/** The state that all phases of all requests share. */
export interface Machinery {
  readonly options: ApiServerOptions & {
    readonly kubernetesVersion: string;
    readonly codecs: NonNullable<ApiServerOptions['codecs']>;
    readonly plugins: NonNullable<ApiServerOptions['plugins']>;
  };
  readonly cluster: ClusterState;
  readonly registry: Registry;
}

/** One request on its way through the phases. */
export interface Exchange {
  readonly machinery: Machinery;
  /** The request as the phases see it: its user is the one who is impersonated. */
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly auditId: string;
  /** Texts for `Warning` headers, in their order, each once. */
  readonly warnings: string[];
  readonly annotations: Record<string, string>;
  /** Additional fields of the audit event; shared by all views of the exchange. */
  readonly audited: { requestObject?: KubernetesObject | undefined };
}

export interface ResourceExchange extends Exchange {
  readonly endpoint: Endpoint;
  readonly negotiated: Negotiated;
}
