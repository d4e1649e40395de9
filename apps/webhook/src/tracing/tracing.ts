import type { Refusal } from '../review/refusal.ts';
import type { Arrival, DecidedReview } from '../server/review-endpoint.ts';

/** Who tells a collector of requests. */
export interface Tracing {
  decided(review: DecidedReview): void;
  refused(arrival: Arrival, refusal: Refusal, seconds: number): void;
  /** Sends what is not sent yet; never rejects. */
  stop(): Promise<void>;
}
