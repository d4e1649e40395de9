import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { UserInfo } from '@kubeadmit/engine';

/** An answer to a request; `encodeBody`, `encodeParts` and `encodeEvent` give its bytes. */
export interface ApiResponse {
  /** Of HTTP. */
  readonly status: number;
  /** Headers with names in lower case, `content-type` among them. Each warning is a separate value. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** An object, a text, or a stream of events. */
  readonly body: ResponseBody;
  /** The audit record; absent for requests outside of the API. */
  readonly audit?: AuditRecord | undefined;
}

/** The body of an answer. */
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
  /** The type of event. */
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  /** The object after the event, or before it was deleted; a Status for `ERROR`. */
  readonly object: KubernetesObject;
}

/** The part of an audit event (`audit.k8s.io/v1` Event) that the host does not know. */
export interface AuditRecord {
  /** Names the request. */
  readonly auditId: string;
  /** Such as `create` or `watch`. */
  readonly verb: string;
  /** The user of the request. */
  readonly user: UserInfo;
  /** The impersonated user, if there is one. */
  readonly impersonatedUser?: UserInfo | undefined;
  /** The object that the request refers to. */
  readonly objectRef?: Readonly<Record<string, string>> | undefined;
  /** Whether the server has the resource; the path of a request may name any other. */
  readonly isServed: boolean;
  /** The object that was sent. */
  readonly requestObject?: KubernetesObject | undefined;
  /** The object that was answered. */
  readonly responseObject?: KubernetesObject | undefined;
  /** The Status of an answer that is one. */
  readonly responseStatus?: Status | undefined;
  /** Of the authorizer and the policies. */
  readonly annotations: Readonly<Record<string, string>>;
}
