/** The spec of a service. */
export type ServiceSpec = Readonly<Record<string, unknown>>;

/** What a request has taken for its service and the store may not tell of yet. */
interface Claim {
  readonly spec: ServiceSpec;
  /** From this revision on the store tells of it, or nothing came of it. */
  readonly until: number;
}

/**
 * Addresses and node ports of services that are on their way to the store, so that two requests at once do not get the
 * same ones. Servers that share an etcd do not see each other's.
 */
export class ServiceClaims {
  readonly #claims: Map<object, Claim> = new Map();

  /** What other requests have taken, for one who has read the store at a revision. */
  others(claimant: object, revision: number): readonly ServiceSpec[] {
    const specs: ServiceSpec[] = [];
    for (const [other, { spec, until }] of this.#claims) {
      if (until <= revision) this.#claims.delete(other);
      else if (other !== claimant) specs.push(spec);
    }
    return specs;
  }

  /** Takes what a service has, instead of what the same request took before. */
  take(claimant: object, spec: ServiceSpec): void {
    this.#claims.set(claimant, { spec, until: Number.POSITIVE_INFINITY });
  }

  /** Says that a request is over, and the revision of the last write. */
  finish(claimant: object, until: number): void {
    const claim = this.#claims.get(claimant);
    if (claim !== undefined) this.#claims.set(claimant, { ...claim, until });
  }
}
