import type { Answerer, MachineCommand } from '@kubeadmit/check/machine';

/** Returns the loader of a command's answers. */
export function answererOf(command: MachineCommand): () => Promise<Answerer> {
  return async () => {
    const { loadAnswerer } = await import('@kubeadmit/check/machine');
    return loadAnswerer(command, { clock: Date.now });
  };
}
