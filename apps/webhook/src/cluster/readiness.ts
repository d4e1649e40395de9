/** One readiness check. */
export interface Check {
  readonly name: string;
  /** Why the check fails; empty if it passes. */
  readonly problem: string;
  /** Whether requests are answered even if the check fails. */
  readonly isTolerated?: boolean;
}

/** Whether a check fails and requests are not answered because of it. */
export function isFailed({ problem, isTolerated }: Check): boolean {
  return problem !== '' && isTolerated !== true;
}
