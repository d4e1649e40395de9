import type { Status } from '@kubeadmit/apimachinery';

/**
 * A request ends with a Status (apimachinery errors.StatusError): thrown on the way of a request and answered in
 * its one place, as the phases of a request lie deep within each other.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: Status;
  /** A continue token for a list that continues without consistency (410 of a list). */
  readonly continueToken: string | undefined;

  constructor(status: Status, continueToken?: string) {
    super(status.message ?? status.reason ?? '');
    this.status = status;
    this.continueToken = continueToken;
  }
}

/** The plain text of an answer outside of the API, such as an unknown path. */
export class PlainError extends Error {
  override readonly name = 'PlainError';
  readonly code: number;

  constructor(code: number, text: string) {
    super(text);
    this.code = code;
  }
}
