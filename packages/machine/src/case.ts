/** A case of the machine interface: one JSON object. */
export type Case = Readonly<Record<string, unknown>>;

/** The answer to a case; `id` is added to it. */
export type Answer = Readonly<Record<string, unknown>>;

/** Answers one case. A {@link CaseFailure} becomes the `failure` of its answer. */
export type Answerer = (input: Case) => Answer | Promise<Answer>;

/** Reads and compiles one case; the result answers it repeatedly, for benchmarks. */
export type Preparer = (input: Case) => (() => unknown) | Promise<() => unknown>;

/** A case that cannot be answered: the text is its `failure`. */
export class CaseFailure extends Error {}
