import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import type { Chain, Passage } from '@kubeadmit/chain';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { stringifyJson } from '@kubeadmit/go';
import {
  differ,
  type Judgement,
  judgeBoth,
  judgementOf,
  type Likeness,
  storedObject,
} from './judge.ts';
import { isPlausible } from './plausible.ts';
import { shrink } from './shrink.ts';

/** The outcome of a request; no server accepts the object of a refused one, whatever the policies say. */
export type Answer = 'refused' | 'repeated' | 'compared';

/** Asks both sides about requests, and keeps where they differ. */
export class Comparison {
  /** The number of different requests that both sides evaluated. */
  requests = 0;
  readonly #answers: Map<string, Answer> = new Map();
  readonly reached: Readonly<Record<'old' | 'new', Set<string>>> = {
    old: new Set(),
    new: new Set(),
  };
  readonly found: Difference[] = [];
  /** How many of them have no known reason. */
  open = 0;
  readonly #seen: Set<string> = new Set();
  readonly #before: Chain;
  readonly #after: Chain;
  readonly #likeness: Likeness;
  readonly #known: readonly KnownDifference[];
  /** How many requests differ for a reason. */
  readonly explained: Map<string, number> = new Map();

  constructor(
    before: Chain,
    after: Chain,
    {
      likeness,
      known,
    }: { readonly likeness: Likeness; readonly known: readonly KnownDifference[] },
  ) {
    this.#before = before;
    this.#after = after;
    this.#likeness = likeness;
    this.#known = known;
  }

  /** The verdicts of both sides on the last request. */
  last = '';

  /** Evaluates a request on both sides, unless it was evaluated before: small rules make equal requests again and again. */
  ask(request: AdmissionRequest): Answer {
    const text = stringifyJson(request);
    const known = this.#answers.get(text);
    if (known !== undefined) return known;
    const answer = this.#compare(request);
    this.#answers.set(text, answer === 'compared' ? 'repeated' : answer);
    return answer;
  }

  #compare(request: AdmissionRequest): Answer {
    const { schemas } = this.#before.cluster;
    const objects = [request.object, request.oldObject].filter(isObject);
    if (!objects.every((object) => isPlausible(object, schemas))) return 'refused';
    const both = judgeBoth(this.#before, this.#after, request);
    if (both === undefined) return 'refused';
    const { old, now } = both;
    this.requests++;
    this.last = [old, now]
      .flatMap(({ findings }) => findings.map(({ rule, verdict }) => `${rule} ${verdict}`))
      .join();
    for (const [side, { findings }] of [
      ['old', old],
      ['new', now],
    ] as const) {
      for (const { policy, verdict } of findings) {
        if (!['allow', 'skip'].includes(verdict)) this.reached[side].add(policy);
      }
    }
    if (!this.#differ(old, now)) return 'compared';
    // Of those with a known reason a few are enough.
    const reason = this.#reasonOf(request, old, now);
    const count = reason === undefined ? 0 : this.#explain(reason);
    if (count < mostExplained) this.#keep(this.#smallest(request, reason), reason);
    return 'compared';
  }

  /** Counts a request that differs for a reason; returns how many did before. */
  #explain(reason: string): number {
    const count = this.explained.get(reason) ?? 0;
    this.explained.set(reason, count + 1);
    return count;
  }

  #reasonOf(request: AdmissionRequest, old: Passage, now: Passage): string | undefined {
    if (old.findings.some(({ verdict }) => verdict === 'error' || verdict === 'ignore'))
      return oldError;
    const sides = { old: this.#storedJudgement(old), new: this.#storedJudgement(now) };
    return this.#known.find(({ explains }) =>
      explains(request, sides, (other) => this.#differsFor(other)),
    )?.reason;
  }

  #storedJudgement(passage: Passage): Judgement {
    const judgement = judgementOf(passage);
    return judgement.object === undefined
      ? judgement
      : { ...judgement, object: storedObject(passage, this.#before.cluster.schemas) };
  }

  // Also where a server would not take the object.
  #differsFor(request: AdmissionRequest): boolean {
    const both = judgeBoth(this.#before, this.#after, request);
    return both === undefined || this.#differ(both.old, both.now);
  }

  #differ(old: Passage, now: Passage): boolean {
    const likeness = this.#likeness;
    const before = this.#before;
    return differ(old, now, { likeness, schemas: before.cluster.schemas });
  }

  // With the same reason, or none, all the way down.
  #smallest(request: AdmissionRequest, reason: string | undefined): AdmissionRequest {
    let smallest = request;
    for (const part of ['object', 'oldObject'] as const) {
      const object = smallest[part];
      if (!isObject(object)) continue;
      const differs = (smaller: JsonObject): boolean => {
        if (!isPlausible(smaller, this.#before.cluster.schemas)) return false;
        const asked = { ...smallest, [part]: smaller } as AdmissionRequest;
        const both = judgeBoth(this.#before, this.#after, asked);
        if (both === undefined) return false;
        const { old, now } = both;
        return this.#differ(old, now) && this.#reasonOf(asked, old, now) === reason;
      };
      // An explanation asks both sides again and again.
      const tries = reason === undefined ? undefined : triesWithReason;
      smallest = { ...smallest, [part]: shrink(object, differs, tries) } as AdmissionRequest;
    }
    return smallest;
  }

  // The same small request is found again and again.
  #keep(request: AdmissionRequest, reason: string | undefined): void {
    const text = stringifyJson([
      request.operation,
      request.subResource,
      request.object,
      request.oldObject,
    ]);
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    const both = judgeBoth(this.#before, this.#after, request);
    if (both === undefined) return;
    const { old, now } = both;
    if (reason === undefined) this.open++;
    this.found.push({
      request,
      old: judgementOf(old),
      new: judgementOf(now),
      ...(reason === undefined ? {} : { reason }),
    });
  }
}

/** How many differences of one cause are kept. */
export const mostExplained = 1;

const triesWithReason = 40;

/** The reason of differences where the old side ends in an error. */
export const oldError = 'the old side ends in an error';

/** A known cause of different answers, and how to detect it in a request. */
export interface KnownDifference {
  /** The cause, in words. */
  readonly reason: string;
  /**
   * Whether it is the cause for this request. The objects are those that a server stores; `differsFor` asks both sides
   * about another request, so that the cause can be taken away.
   */
  readonly explains: (
    request: AdmissionRequest,
    sides: { readonly old: Judgement; readonly new: Judgement },
    differsFor: (other: AdmissionRequest) => boolean,
  ) => boolean;
}

/** A request of which two sets of policies say something else, as small as it goes. */
export interface Difference {
  /** The smallest request that was found for it. */
  readonly request: AdmissionRequest;
  /** The verdict of the old policies. */
  readonly old: Judgement;
  /** The verdict of the new policies. */
  readonly new: Judgement;
  /** Why they differ, where that is known. */
  readonly reason?: string;
  /** The parameters that did not exist: `ConfigMap namespace/name`; absent if all existed. */
  readonly missing?: readonly string[];
}
