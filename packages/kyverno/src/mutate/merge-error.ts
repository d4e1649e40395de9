import { interruptedText, isInterrupted } from '@kubeadmit/cel/unstable-internal';

/** Documents that cannot be merged; the message is kustomize's. Never leaves this folder. */
export class MergeError extends Error {}

/** Ends merging where evaluation is interrupted. */
export function checkTime(): void {
  if (isInterrupted()) throw new MergeError(interruptedText);
}
