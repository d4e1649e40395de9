/** One cause in the details of a Status (meta/v1 StatusCause). */
export interface StatusCause {
  /** The kind of error, such as `FieldValueInvalid`. */
  readonly reason?: string;
  /** The error for people. */
  readonly message?: string;
  /** The path of the field. */
  readonly field?: string;
}

/** The object that a Status refers to (meta/v1 StatusDetails). */
export interface StatusDetails {
  /** The name of the object. */
  readonly name?: string;
  /** The group of the object; absent for the core group. */
  readonly group?: string;
  /** The kind, or the plural name of the resource. */
  readonly kind?: string;
  /** The uid of the object. */
  readonly uid?: string;
  /** One for each field that is wrong. */
  readonly causes?: readonly StatusCause[];
  /** When to try again, in seconds. */
  readonly retryAfterSeconds?: number;
}

/** The answer of kube-apiserver to a request that failed (meta/v1 Status). */
export interface Status {
  /** Always empty. */
  readonly metadata: Readonly<Record<string, never>>;
  /** Always `Failure`. */
  readonly status: 'Failure';
  /** For people. */
  readonly message?: string;
  /** For programs, such as `Forbidden`. */
  readonly reason?: string;
  /** The object that the failure refers to. */
  readonly details?: StatusDetails;
  /** Of HTTP. */
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

/** Optional parts of a failure's Status. */
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
