declare global {
  interface Window {
    /** A worker that the page started before anything else; the first that asks takes it. */
    kubeadmitWorker?: Worker;
  }
}

/** Starts the worker that holds the engines. */
export function startWorker(): Worker {
  const early = window.kubeadmitWorker;
  delete window.kubeadmitWorker;
  return early ?? new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module' });
}
