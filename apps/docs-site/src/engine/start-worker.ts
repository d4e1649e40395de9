import type { AnswerTo, EarlyAnswer, Question } from './protocol.ts';

declare global {
  interface Window {
    /** A worker that the page started before anything else; the first that asks takes it. */
    kubeadmitWorker?: Worker;
    /** What that worker told before anybody asked. */
    kubeadmitEarly?: EarlyAnswer;
  }
}

/** What the worker answered before it was asked, once, and if it is what is asked. */
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
