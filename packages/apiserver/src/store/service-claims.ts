import type { ServicePlaces } from '@kubeadmit/admission/writes';
import { member, memberList } from '@kubeadmit/apimachinery';
import { parseJson } from '@kubeadmit/cel';
import type { Store } from './store.ts';

/** The dependencies of writing claims. */
export interface ClaimOptions {
  readonly store: Store;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly randomId: () => string;
}

/** Addresses that a request has taken for its service and that the store may not contain yet. */
interface Claim extends ServicePlaces {
  readonly id: string;
  /** When it was taken, in milliseconds since 1970. */
  readonly at: number;
}

/** Beside the objects and out of reach of the API. */
const claimsKey = '/kubeadmit-claims/services';

/** No request takes longer than this many milliseconds: older claims are of servers that ended before their write. */
const lifetime = 300_000;

/**
 * Addresses and node ports of services that are on their way to the store, so that two requests at once do not get the
 * same ones: an entry of the store, which all servers of that store write with its revision, as kube-apiserver's
 * allocators do. A claim ends when the service is stored.
 */
export class ServiceClaims {
  readonly #options: ClaimOptions;
  readonly #open: Map<object, string> = new Map();
  /** Claims of requests that are over, and that the entry may hold still. */
  readonly #finished: Set<string> = new Set();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ClaimOptions) {
    this.#options = options;
  }

  /**
   * Takes addresses for a request, in place of those it took before.
   *
   * @param choose receives the addresses of other requests, then reads the services in the store; it returns the
   * addresses to take, and is called again if another server was faster
   */
  async take<Result extends ServicePlaces>(
    claimant: object,
    choose: (others: readonly ServicePlaces[]) => Promise<Result>,
  ): Promise<Result> {
    return this.#inTurn(async () => {
      const { now, randomId } = this.#options;
      for (;;) {
        const { claims, revision } = await this.#read();
        const own = this.#open.get(claimant);
        const others = claims.filter(({ id }) => id !== own);
        const chosen = await choose(others);
        const { addresses, ports } = chosen;
        if (addresses.length + ports.length === 0 && own === undefined) return chosen;
        const id = randomId();
        const claim: Claim = { id, at: now(), addresses, ports };
        if (!(await this.#write([...others, claim], revision))) continue;
        this.#open.set(claimant, id);
        return chosen;
      }
    });
  }

  /** Says that a request is over: its service is stored, or nothing came of it. */
  finish(claimant: object): void {
    const id = this.#open.get(claimant);
    if (id === undefined) return;
    this.#open.delete(claimant);
    this.#finished.add(id);
    // Runs in the background; the next claim removes leftovers, which do not count here.
    void this.#inTurn(() => this.#release()).catch(() => {});
  }

  async #release(): Promise<void> {
    if (this.#finished.size === 0) return;
    const { claims, revision } = await this.#read();
    await this.#write(claims, revision);
  }

  async #read(): Promise<{ readonly claims: readonly Claim[]; readonly revision: number }> {
    const entry = await this.#options.store.get(claimsKey);
    if (entry === undefined) return { claims: [], revision: 0 };
    const now = this.#options.now();
    const claims = memberList(parseJson(entry.value), 'claims').map(claimOf);
    const counting = claims.filter(
      ({ id, at }) => !this.#finished.has(id) && Math.abs(now - at) < lifetime,
    );
    return { claims: counting, revision: entry.revision };
  }

  async #write(claims: readonly Claim[], expected: number): Promise<boolean> {
    const finished = [...this.#finished];
    const { done } = await this.#options.store.put(claimsKey, JSON.stringify({ claims }), {
      expected,
    });
    if (done) for (const id of finished) this.#finished.delete(id);
    return done;
  }

  // Requests of one server do not make each other try again.
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#turn.then(work, work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}

function claimOf(value: unknown): Claim {
  return {
    id: String(member(value, 'id')),
    at: Number(member(value, 'at')),
    addresses: memberList(value, 'addresses').map(String),
    ports: memberList(value, 'ports').map(Number),
  };
}
