import type { FieldRequirement, LabelRequirement, ParseError } from '@kubeadmit/apimachinery';

/** Who asks, as an authorizer sees it (authentication.k8s.io `UserInfo`). */
export interface AuthorizerUser {
  /** Such as `jane` or `system:serviceaccount:shop:cart`. */
  readonly username: string;
  /** Names the user beyond renaming. */
  readonly uid?: string;
  /** Such as `system:authenticated`. */
  readonly groups?: readonly string[];
  /** Additional information from authentication, by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** A question to an authorizer: may this user do this? (`authorizer.AttributesRecord`) */
export type AuthorizerAttributes = PathAttributes | ResourceAttributes;

/** A request for a path outside of the API, such as `/healthz`. */
export interface PathAttributes {
  readonly kind: 'path';
  readonly user: AuthorizerUser;
  readonly verb: string;
  readonly path: string;
}

/** A request for a resource; the version is always `*`. */
export interface ResourceAttributes {
  readonly kind: 'resource';
  readonly user: AuthorizerUser;
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  /** The parsed field selector, or why it cannot be parsed; absent when none was given. */
  readonly fieldSelector?: readonly FieldRequirement[] | ParseError;
  /** The parsed label selector, or why it cannot be parsed; absent when none was given. */
  readonly labelSelector?: readonly LabelRequirement[] | ParseError;
}

/** The answer of an authorizer; only `allow` allows. */
export interface AuthorizerDecision {
  /** `no-opinion` denies as well, unless another authorizer allows. */
  readonly decision: 'allow' | 'deny' | 'no-opinion';
  /** For people; may be empty. */
  readonly reason: string;
  /** The text of a failure, if there was one; it does not change the decision. */
  readonly error?: string;
}

/** Decides the permissions of users. The same question must always have the same answer. */
export interface Authorizer {
  /** Decides whether a user may do something. */
  authorize(attributes: AuthorizerAttributes): AuthorizerDecision;
}
