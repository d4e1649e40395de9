import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { WebhookPart } from '@kubeadmit/admission/unstable-internal';
import type { RemoteAuthorizer } from '../cluster/remote-authorizer.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { Generation } from '../policies/generation.ts';
import type { PolicyStore } from '../policies/policy-store.ts';
import { Backlog } from '../review/backlog.ts';
import { answerMilliseconds } from '../review/deadline.ts';
import { decideReview, type ReviewDecision, type ReviewStep } from '../review/decide-review.ts';
import { type Review, readReview } from '../review/read-review.ts';
import { Refusal } from '../review/refusal.ts';
import type { RequestNamespaces } from '../review/request-namespace.ts';
import { turns } from '../review/turns.ts';
import { writeAnswer } from '../review/write-answer.ts';
import { AnswerBatch, type ReadyAnswer } from './answer-batch.ts';
import { checkHead, HeldBytes, readBody } from './read-body.ts';

/** A request on its way; times are those of `performance.now()`. */
export interface Arrival {
  readonly step: ReviewStep;
  readonly headers: IncomingHttpHeaders;
  /** When its head was there. */
  readonly start: number;
}

/** A decided request, as observers receive it. */
export interface DecidedReview extends Arrival {
  /** When its body was there, by `performance.now()`. */
  readonly began: number;
  readonly review: Review;
  readonly decision: ReviewDecision;
  readonly generation: Generation;
  /** The milliseconds in which it waited for other requests, the cluster and registries. */
  readonly waited: number;
  /** From the head of the request to the answer. */
  readonly seconds: number;
  /** The same without the time that the body took to arrive. */
  readonly decidingSeconds: number;
}

/** Receives decided and refused requests. */
export interface ReviewObserver {
  decided(review: DecidedReview): void;
  refused(arrival: Arrival, refusal: Refusal, seconds: number): void;
  /** An internal error that no request should be able to cause. */
  failed(step: ReviewStep, error: unknown): void;
}

interface Answering {
  readonly deadline: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Answers the reviews of one process. */
export class ReviewEndpoint {
  readonly #configuration: Configuration;
  readonly #policies: PolicyStore;
  readonly #observer: ReviewObserver;
  readonly #excludedNamespaces: ReadonlySet<string>;
  readonly #held: HeldBytes;
  readonly #answers: AnswerBatch = new AnswerBatch();
  readonly #backlog: Backlog = new Backlog();

  /** Checks permissions in the cluster, if one is followed. */
  authorizer: RemoteAuthorizer | undefined;
  /** Reads namespaces from the cluster, as soon as one is followed. */
  namespaces: RequestNamespaces | undefined;

  constructor(configuration: Configuration, policies: PolicyStore, observer: ReviewObserver) {
    this.#configuration = configuration;
    this.#policies = policies;
    this.#observer = observer;
    this.#excludedNamespaces = new Set(configuration.excludedNamespaces);
    this.#held = new HeldBytes(configuration.limits.heldBytes);
  }

  /** How many requests are being decided. */
  get requestsInFlight(): number {
    return this.#backlog.count;
  }

  /** The expected wait of a new request for those in progress, in seconds. */
  get expectedWaitSeconds(): number {
    return this.#backlog.milliseconds / 1000;
  }

  /** Answers one request; never rejects. */
  async answer(
    step: ReviewStep,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const start = performance.now();
    const arrival: Arrival = { step, headers: request.headers, start };
    try {
      const { limits } = this.#configuration;
      checkHead(request, limits);
      const body = await readBody(request, limits, this.#held);
      const deadline = start + answerMilliseconds(timeoutOf(request));
      await this.#decide(arrival, body, { deadline, request, response });
    } catch (error) {
      if (!(error instanceof Refusal)) this.#observer.failed(step, error);
      const refusal =
        error instanceof Refusal ? error : new Refusal(500, 'the request could not be decided');
      this.#observer.refused(arrival, refusal, (performance.now() - start) / 1000);
      refuse(request, response, refusal);
    }
  }

  async #decide(
    arrival: Arrival,
    body: Buffer,
    { deadline, request, response }: Answering,
  ): Promise<void> {
    if (this.#backlog.count >= this.#configuration.limits.requestsInFlight) {
      throw new Refusal(429, 'too many requests are in progress');
    }
    let generation = this.#policies.current;
    if (generation === undefined) throw new Refusal(503, 'policies are still being loaded');
    const began = performance.now();
    this.#backlog.begin(deadline - began);
    let worked: number | undefined;
    this.#answers.hurry(began);
    try {
      const { review, waited } = await readInTurn(body, deadline);
      const read = performance.now();
      if (this.namespaces?.isDue(review.request, generation) === true) {
        await this.namespaces.wait(review.request, generation, deadline);
        generation = this.#policies.current ?? generation;
      }
      const waitedForNamespace = performance.now() - read;
      const options = {
        excludedNamespaces: this.#excludedNamespaces,
        deadline,
        authorizer: this.authorizer,
        webhook: webhookOf(request, this.#configuration),
        checksKyverno: this.#configuration.policyGroups.kyverno,
      };
      const decision = await decideReview(generation, arrival.step, review, options);
      const decidedBy = generation;
      const answer = writeAnswer(review, decision);
      const decided = performance.now();
      // A decision that was cut off at its deadline would make requests look cheap.
      if (decided < deadline) {
        worked = decided - began - waited - waitedForNamespace - decision.waited;
      }
      const ready: ReadyAnswer = {
        write: () => sendJson(response, 200, answer),
        tell: () =>
          this.#tell({
            step: arrival.step,
            headers: arrival.headers,
            start: arrival.start,
            began,
            review,
            decision,
            waited: waited + decision.waited,
            generation: decidedBy,
            seconds: (performance.now() - arrival.start) / 1000,
            decidingSeconds: (decided - began) / 1000,
          }),
      };
      this.#answers.add(ready, decided);
    } finally {
      this.#backlog.end(worked);
    }
  }

  #tell(decided: DecidedReview): void {
    try {
      this.#observer.decided(decided);
    } catch (error) {
      this.#observer.failed(decided.step, error);
    }
  }
}

/**
 * Reads a review in its turn.
 *
 * @throws Refusal if its deadline has passed by then, or if it is invalid
 */
async function readInTurn(
  body: Buffer,
  deadline: number,
): Promise<{ readonly review: Review; readonly waited: number }> {
  const start = performance.now();
  const turn = turns.enter('new');
  if (turn !== undefined) await turn;
  const began = performance.now();
  try {
    if (turn !== undefined && began > deadline) {
      const milliseconds = Math.round(began - start);
      throw new Refusal(429, `overloaded: the request waited ${milliseconds} ms for others`);
    }
    return { review: readReview(body), waited: began - start };
  } finally {
    turns.leave(performance.now() - began);
  }
}

// `/validate/fail` and `/validate/ignore` evaluate only the policies of one webhook, as these were registered.
function webhookOf(
  { url = '' }: IncomingMessage,
  { registration }: Pick<Configuration, 'registration'>,
): WebhookPart | undefined {
  const [, kind] = /^\/\w+\/(fail|ignore)(?:\?|$)/.exec(url) ?? [];
  if (kind === undefined) return undefined;
  return {
    failurePolicy: kind === 'fail' ? 'Fail' : 'Ignore',
    split: registration === undefined ? 'failurePolicy' : 'effect',
  };
}

// The `timeout` that kube-apiserver puts into the URL.
function timeoutOf({ url = '' }: IncomingMessage): string | undefined {
  return /[?&]timeout=([^&]*)/.exec(url)?.[1];
}

// After a refusal, a client that is still sending is read until it has been silent for the first of these times, or
// for the second one at most. Closing a connection with unread bytes resets it, and a reset can discard an answer
// that the client has not read yet.
const silenceMilliseconds = 500;
const lingerMilliseconds = 5000;

/** Answers with a Status, as kube-apiserver does, and discards the rest of the request. */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { code, message }: Refusal,
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (code === 429 || code === 503) response.setHeader('Retry-After', '1');
  if (!request.complete) response.setHeader('Connection', 'close');
  const status = {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message,
    code,
  };
  const text = JSON.stringify(status);
  if (request.complete) sendJson(response, code, text);
  else linger(request, response, code, text);
}

// The answer is written completely; only its end, at which Node closes the connection, is delayed.
function linger(
  request: IncomingMessage,
  response: ServerResponse,
  code: number,
  text: string,
): void {
  writeHead(response, code, text);
  response.write(text);
  let isOver = false;
  const finish = (): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(silence);
    clearTimeout(limit);
    response.end(() => request.destroy());
  };
  const silence = setTimeout(finish, silenceMilliseconds);
  const limit = setTimeout(finish, lingerMilliseconds);
  request.on('data', () => silence.refresh());
  request.once('end', finish);
  request.once('close', finish);
}

function sendJson(response: ServerResponse, code: number, text: string): void {
  writeHead(response, code, text);
  response.end(text);
}

function writeHead(response: ServerResponse, code: number, text: string): void {
  const length = String(Buffer.byteLength(text));
  response.writeHead(code, ['Content-Type', 'application/json', 'Content-Length', length]);
}
