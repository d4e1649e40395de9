import type { UserInfo } from '@kubeadmit/engine';

/** The limit of concurrent requests of all users (kube-apiserver's two limits together); others get 429. */
const mostRequests = 600;

/** The most concurrent requests of one user, so that a tenant with slow requests leaves room for others. */
const mostOfUser = 200;

/** The place of a request among those that are answered now. */
export interface Turn {
  /** Counts the request for its user; false if there are too many. */
  take(user: UserInfo): boolean;
  /**
   * Waits for the earlier large requests of the user, and lets others be read first. One thread answers all requests, and
   * a large one takes seconds: many at once would block all other users for minutes.
   */
  waitForOwn(): Promise<void>;
  end(): void;
}

/**
 * Counts the requests that are answered now, in total and for each user. Those of administrators (`system:masters`) are
 * not counted, as in kube-apiserver's priority level `exempt`.
 */
export class InFlight {
  readonly #byUser: Map<string, number> = new Map();
  /** The end of the last large request of each user. */
  readonly #large: Map<string, Promise<unknown>> = new Map();
  #total = 0;

  begin(): Turn {
    let key: string | undefined;
    let finish: (() => void) | undefined;
    return {
      take: (user) => {
        if (user.groups?.includes('system:masters') === true) return true;
        const before = this.#byUser.get(keyOf(user)) ?? 0;
        if (this.#total >= mostRequests || before >= mostOfUser) return false;
        key = keyOf(user);
        this.#total++;
        this.#byUser.set(key, before + 1);
        return true;
      },
      waitForOwn: async () => {
        if (key === undefined) return;
        const before = this.#large.get(key);
        const own = new Promise<void>((resolve) => {
          finish = resolve;
        });
        this.#setLastLarge(key, Promise.all([before, own]));
        await before;
        await new Promise((resolve) => setImmediate(resolve));
      },
      end: () => {
        finish?.();
        if (key !== undefined) this.#release(key);
      },
    };
  }

  #setLastLarge(key: string, last: Promise<unknown>): void {
    this.#large.set(key, last);
    void last.then(() => {
      if (this.#large.get(key) === last) this.#large.delete(key);
    });
  }

  #release(key: string): void {
    this.#total--;
    const left = (this.#byUser.get(key) ?? 0) - 1;
    if (left > 0) this.#byUser.set(key, left);
    else this.#byUser.delete(key);
  }
}

/** The service accounts of a namespace count as one user: a tenant creates as many as they like. */
function keyOf({ username = '' }: UserInfo): string {
  return /^system:serviceaccount:[^:]*(?=:)/.exec(username)?.[0] ?? username;
}
