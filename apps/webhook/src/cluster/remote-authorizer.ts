import { member } from '@kubeadmit/apimachinery';
import { errorText, getOrMake } from '@kubeadmit/base';
import { parseJson } from '@kubeadmit/cel';
import type { Authorizer, AuthorizerAttributes, AuthorizerDecision } from '@kubeadmit/engine';
import { accessReview } from './access-review.ts';
import type { ApiClient } from './api-client.ts';

const allowedMilliseconds = 30_000;
const otherMilliseconds = 10_000;
const mostKept = 10_000;

interface Kept {
  readonly decision: AuthorizerDecision;
  readonly until: number;
}

const unknown: AuthorizerDecision = { decision: 'no-opinion', reason: '' };

/** Checks permissions of users in a cluster, and remembers the answers for a while. */
export class RemoteAuthorizer {
  readonly #client: ApiClient;
  readonly #now: () => number;
  readonly #kept: Map<string, Kept> = new Map();
  readonly #asking: Map<string, Promise<AuthorizerDecision>> = new Map();

  constructor(client: ApiClient, now: () => number = () => performance.now()) {
    this.#client = client;
    this.#now = now;
  }

  /** The authorizer of one request. */
  forRequest(): RequestAuthorizer {
    return new RequestAuthorizer(this);
  }

  /** Returns the remembered decision, or `undefined` if there is none. */
  recall(key: string): AuthorizerDecision | undefined {
    const kept = this.#kept.get(key);
    return kept === undefined || kept.until < this.#now() ? undefined : kept.decision;
  }

  /** Checks a permission in the cluster; concurrent checks with the same key share the answer. Never rejects. */
  decide(key: string, attributes: AuthorizerAttributes): Promise<AuthorizerDecision> {
    return getOrMake(this.#asking, key, () =>
      this.#ask(attributes).then((decision) => {
        this.#asking.delete(key);
        this.#keep(key, decision);
        return decision;
      }),
    );
  }

  #keep(key: string, decision: AuthorizerDecision): void {
    if (decision.error !== undefined) return;
    if (this.#kept.size >= mostKept) this.#kept.clear();
    const milliseconds = decision.decision === 'allow' ? allowedMilliseconds : otherMilliseconds;
    this.#kept.set(key, { decision, until: this.#now() + milliseconds });
  }

  async #ask(attributes: AuthorizerAttributes): Promise<AuthorizerDecision> {
    try {
      const text = await this.#client.ask('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
        method: 'POST',
        body: JSON.stringify(accessReview(attributes)),
      });
      const status = member(parseJson(text), 'status');
      const error = member(status, 'evaluationError');
      return {
        decision:
          member(status, 'allowed') === true
            ? 'allow'
            : member(status, 'denied') === true
              ? 'deny'
              : 'no-opinion',
        reason: String(member(status, 'reason') ?? ''),
        ...(typeof error === 'string' && error !== '' ? { error } : {}),
      };
    } catch (error) {
      return { ...unknown, error: errorText(error) };
    }
  }
}

/**
 * Answers the permission checks of one request from known decisions, and records the others.
 *
 * Expressions cannot wait, so the request is evaluated again once those are answered.
 */
export class RequestAuthorizer implements Authorizer {
  readonly #remote: RemoteAuthorizer;
  readonly #answers: Map<string, AuthorizerDecision> = new Map();
  readonly #open: Map<string, AuthorizerAttributes> = new Map();

  constructor(remote: RemoteAuthorizer) {
    this.#remote = remote;
  }

  authorize(attributes: AuthorizerAttributes): AuthorizerDecision {
    const key = JSON.stringify(attributes);
    const known = this.#answers.get(key) ?? this.#remote.recall(key);
    if (known === undefined) {
      this.#open.set(key, attributes);
      return unknown;
    }
    // The same question has the same answer within a request.
    this.#answers.set(key, known);
    return known;
  }

  /** Whether there are unanswered questions. */
  get hasOpenQuestions(): boolean {
    return this.#open.size > 0;
  }

  /** Gets the answers. */
  async answer(): Promise<void> {
    const open = [...this.#open];
    this.#open.clear();
    await Promise.all(
      open.map(async ([key, attributes]) => {
        this.#answers.set(key, await this.#remote.decide(key, attributes));
      }),
    );
  }
}
