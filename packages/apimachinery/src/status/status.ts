/** One cause in the details of a Status (meta/v1 StatusCause). */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What a Status is about (meta/v1 StatusDetails). */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The kind, or the plural name of the resource. */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The answer of kube-apiserver to a request that failed (meta/v1 Status). */
export interface Status {
  readonly metadata: Readonly<Record<string, never>>;
  readonly status: 'Failure';
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code: number;
}

/** The details without the members that Go leaves out of JSON when they are empty. */
export function statusDetails(details: StatusDetails): StatusDetails {
  const { name, group, kind, uid, causes, retryAfterSeconds } = details;
  return {
    ...(name ? { name } : {}),
    ...(group ? { group } : {}),
    ...(kind ? { kind } : {}),
    ...(uid ? { uid } : {}),
    ...(causes?.length ? { causes } : {}),
    ...(retryAfterSeconds ? { retryAfterSeconds } : {}),
  };
}

/** What a Status of a failure says besides its code and message. */
export interface FailureOptions {
  /** The reason; none where kube-apiserver knows none. */
  readonly reason?: string;
  readonly details?: StatusDetails;
}

/** A Status of a failure; for those of apimachinery's `errors` there are functions such as `notFoundStatus`. */
export function failureStatus(
  code: number,
  message: string,
  { reason, details }: FailureOptions = {},
): Status {
  return {
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}
