import type { Answerer, MachineCommand } from '@kubeadmit/machine';

/** Returns the loader of a command's answers. */
export function answererOf(command: MachineCommand): () => Promise<Answerer> {
  return async () => {
    const { loadAnswerer } = await import('@kubeadmit/machine');
    return loadAnswerer(command, { clock: Date.now });
  };
}
