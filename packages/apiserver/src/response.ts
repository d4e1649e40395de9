import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';

/** An answer to a request; `encodeBody`, `encodeParts` and `encodeEvent` give its bytes. */
export interface ApiResponse {
  /** Of HTTP. */
  readonly status: number;
  /**
   * Names in lower case, `content-type` among them. Of warnings there are several lines, so that each is a
   * value of its own.
   */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** An object, a text, or a stream of events. */
  readonly body: ResponseBody;
  /** What an audit log says of the request; absent for what is no request of the API. */
  readonly audit?: AuditRecord | undefined;
}

/** What an answer holds. */
export type ResponseBody =
  /** Nothing. */
  | { readonly type: 'none' }
  /** A text, such as that of a page for people. */
  | { readonly type: 'text'; readonly text: string }
  /** Bytes that are sent as they are, such as those of an OpenAPI document. */
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  /** One object in the media type of `content-type`. */
  | {
      readonly type: 'object';
      readonly value: KubernetesObject;
      readonly mediaType: string;
      readonly isPretty: boolean;
    }
  /** Watch events in the media type of `content-type`, each to be sent at once. */
  | {
      readonly type: 'events';
      readonly events: AsyncIterable<WatchEvent>;
      readonly mediaType: string;
    };

/** An event of a watch (`meta.k8s.io/v1` WatchEvent). */
export interface WatchEvent {
  /** What happened. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  /** The object as it is after it, or was before it went; a Status for `ERROR`. */
  readonly object: KubernetesObject;
}

/** What an audit log (`audit.k8s.io/v1` Event) says of a request beyond what its host knows. */
export interface AuditRecord {
  /** Names the request. */
  readonly auditId: string;
  /** Such as `create` or `watch`. */
  readonly verb: string;
  /** Who asked. */
  readonly user: UserInfo;
  /** As whom; absent unless somebody else was meant. */
  readonly impersonatedUser?: UserInfo | undefined;
  /** What the request was about. */
  readonly objectRef?: Readonly<Record<string, string>> | undefined;
  /** What was sent. */
  readonly requestObject?: KubernetesObject | undefined;
  /** What was answered. */
  readonly responseObject?: KubernetesObject | undefined;
  /** The Status of an answer that is one. */
  readonly responseStatus?: Status | undefined;
  /** Of the authorizer and the policies. */
  readonly annotations: Readonly<Record<string, string>>;
}
