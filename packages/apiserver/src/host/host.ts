import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { ApiResponse } from '../http/response.ts';

/** The time, which packages do not have themselves. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after so many milliseconds, or early when the signal aborts; never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}

/** One call of a registered admission webhook. */
export interface WebhookCall {
  /** `clientConfig` of the webhook: its url or service, and its caBundle. */
  readonly clientConfig: KubernetesObject;
  /** An AdmissionReview of `admission.k8s.io`, in the version that the webhook takes. */
  readonly review: KubernetesObject;
  /** How long the webhook may take. */
  readonly timeoutSeconds: number;
  /** Aborts the call if its result is no longer needed. */
  readonly signal?: AbortSignal | undefined;
}

/** The HTTP response of a webhook. */
export interface WebhookAnswer {
  /** Of HTTP. */
  readonly status: number;
  /** The header; absent where there was none. */
  readonly contentType?: string | undefined;
  /** The text of the answer. */
  readonly body: string;
}

/** Calls admission webhooks. */
export interface WebhookClient {
  /**
   * The answer, whatever its status. Rejects with an Error where there is none, whose message is the text of the
   * failure, such as `Post "https://…": context deadline exceeded`.
   */
  call(call: WebhookCall): Promise<WebhookAnswer>;
}

/** An object that a token is bound to: the token is invalid without it. */
export interface BoundObject {
  /** `Node` for tokens of Pods, too. */
  readonly kind: 'Pod' | 'Secret' | 'Node';
  /** The name of the object. */
  readonly name: string;
  /** Empty for the node of a pod, if the cluster has no such node. */
  readonly uid: string;
}

/** A token for a ServiceAccount (TokenRequest of `authentication.k8s.io/v1`). */
export interface TokenIssuer {
  /** The audiences of tokens that are requested without any: those of the server. */
  readonly audiences: readonly string[];
  /** Signs a token for a service account. */
  issue(request: {
    readonly namespace: string;
    readonly serviceAccount: KubernetesObject;
    /** `spec` of the TokenRequest, defaults set. */
    readonly spec: KubernetesObject;
    /** The object that the token is bound to, if there is one, and the node of a pod. */
    readonly bound: readonly BoundObject[];
  }): Promise<{ readonly token?: string; readonly expirationTimestamp?: string }>;
  /** The certificate that clients trust, for the `kube-root-ca.crt` of each namespace. */
  readonly certificateAuthority?: string | undefined;
}

/** Reviews tokens (TokenReview of `authentication.k8s.io/v1`). */
export interface TokenReviewer {
  /** The `status` of the review. */
  review(spec: KubernetesObject): Promise<KubernetesObject>;
}

/** Answers a page of the host; undefined for paths that are part of the API or unknown. */
export type Pages = (path: string, query: URLSearchParams) => Promise<ApiResponse | undefined>;
