import type { AnswerTo, EarlyAnswer, Question } from '../worker/protocol.ts';

declare global {
  interface Window {
    /** A worker that the page started before anything else; the first that asks takes it. */
    kubeadmitWorker?: Worker;
    /** The answer that this worker sent before the first question. */
    kubeadmitEarly?: EarlyAnswer;
  }
}

/** Returns the worker's early answer if it answers this question; the answer can be used only once. */
export function earlyAnswer(
  asked: EarlyAnswer['question'] & Question,
): AnswerTo<'judge'> | undefined {
  const early = window.kubeadmitEarly;
  delete window.kubeadmitEarly;
  const isAsked = JSON.stringify(early?.question) === JSON.stringify(asked);
  return isAsked ? early?.answer : undefined;
}

/** Starts the worker that holds the engines. */
export function startWorker(): Worker {
  const early = window.kubeadmitWorker;
  delete window.kubeadmitWorker;
  return early ?? new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module' });
}
