import type { AnswerTo, EarlyAnswer, Numbered, Question, Reply } from '../worker/protocol.ts';

/** A question that took longer than it may; the worker was stopped and a new one is used. */
class TimeLimitError extends Error {
  constructor(milliseconds: number) {
    super(`stopped after ${milliseconds / 1000} seconds to keep the page usable`);
  }
}

/** The result of a request that a newer request replaced. */
export class SupersededError extends Error {
  constructor() {
    super('replaced by a newer request');
  }
}

/** The options of an engine. */
export interface EngineOptions {
  /** Starts a worker. */
  readonly start: () => Worker;
  /** How long one question may keep a worker busy. */
  readonly milliseconds: number;
}

/** How long a worker may load its files, over whatever network. */
const longestLoad = 60_000;

interface Waiting {
  readonly numbered: Numbered;
  readonly resolve: (answer: never) => void;
  readonly reject: (problem: Error) => void;
}

/**
 * The engines in a worker of the page. Requests run one after the other. A request that takes too long ends its worker,
 * and the next one gets a new worker; the time to load code does not count.
 */
export class Engine {
  readonly #options: EngineOptions;
  readonly #queue: Waiting[] = [];
  #worker: Worker | undefined;
  #current: Waiting | undefined;
  /** Whether the worker is loaded. */
  #wasHeard = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading: ReturnType<typeof setTimeout> | undefined;
  #last = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
  }

  /** Answers a question when those before it are answered. */
  ask<Kind extends Question['type']>(
    question: Extract<Question, { type: Kind }>,
  ): Promise<AnswerTo<Kind>> {
    return new Promise((resolve, reject) => {
      this.#last += 1;
      this.#queue.push({ numbered: { number: this.#last, question }, resolve, reject });
      this.#next();
    });
  }

  /** Answers a question as soon as the current one is answered; those that wait are given up. */
  askInstead<Kind extends Question['type']>(
    question: Extract<Question, { type: Kind }>,
  ): Promise<AnswerTo<Kind>> {
    for (const { reject } of this.#queue.splice(0)) reject(new SupersededError());
    return this.ask(question);
  }

  /** Ends the worker; questions that wait are never answered. */
  close(): void {
    this.#stopTimers();
    this.#worker?.terminate();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    this.#current = this.#queue.shift();
    if (this.#current === undefined) return;
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage(this.#current.numbered);
    this.#loading = setTimeout(() => this.#stop(), longestLoad + this.#options.milliseconds);
    if (this.#wasHeard) this.#startTimer();
  }

  #startTimer(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#stop(), this.#options.milliseconds);
  }

  #stopTimers(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#loading);
  }

  #startWorker(): Worker {
    const worker = this.#options.start();
    this.#wasHeard = false;
    worker.onmessage = ({ data }: MessageEvent<Reply | EarlyAnswer>) => {
      // A reply without a number is an early answer; requests sent in the meantime get separate replies.
      if ('number' in data) this.#settle(data);
    };
    worker.onerror = (event) => {
      const problem = event.message || 'cannot load the engine';
      this.#settle({ number: this.#current?.numbered.number ?? 0, problem });
      this.#worker?.terminate();
      this.#worker = undefined;
    };
    return worker;
  }

  #settle({ number, isListening, answer, problem }: Reply): void {
    const current = this.#current;
    this.#wasHeard = true;
    if (current?.numbered.number !== number) return;
    if (isListening) {
      this.#startTimer();
      return;
    }
    this.#stopTimers();
    this.#current = undefined;
    if (problem === undefined) current.resolve(answer as never);
    else current.reject(new Error(problem));
    this.#next();
  }

  #stop(): void {
    this.#stopTimers();
    this.#worker?.terminate();
    this.#worker = undefined;
    const current = this.#current;
    this.#current = undefined;
    current?.reject(new TimeLimitError(this.#options.milliseconds));
    this.#next();
  }
}
