import type { PlaygroundModel } from './state.ts';

/** The interface of the playground for scripts, available as `window.kubeadmit`. */
export interface PageInterface {
  /**
   * Answers a case of the machine interface in the page's worker; `command` as on the command line, such as
   * `admit`, `eval` or `kyverno rules`. A line of JSON is answered with a line, which keeps every digit.
   */
  ask<Case extends object | string>(command: string, input: Case): Promise<Case>;
  /** Shows files as if they were dropped. */
  open(files: Readonly<Record<string, string>>): Promise<void>;
  /** The files that are open. */
  files(): Readonly<Record<string, string>>;
}

declare global {
  interface Window {
    kubeadmit?: PageInterface;
  }
}

// Anything else would break the editor, which shows texts alone.
function requireTexts(files: unknown): void {
  const isObject = typeof files === 'object' && files !== null && !Array.isArray(files);
  if (isObject && Object.values(files).every((text) => typeof text === 'string')) return;
  throw new TypeError(
    'kubeadmit.open expects an object with the content of each file, such as { "a.yaml": "…" }',
  );
}

/** Offers a playground to scripts. */
export function offerToScripts(model: PlaygroundModel): void {
  window.kubeadmit = {
    async ask<Case extends object | string>(command: string, input: Case): Promise<Case> {
      if (input === null || !['object', 'string'].includes(typeof input)) {
        throw new TypeError(
          'kubeadmit.ask expects a command and a case, as an object or a line of JSON',
        );
      }
      if (typeof input === 'string') return (await model.ask(command, input)) as Case;
      return JSON.parse(await model.ask(command, JSON.stringify(input))) as Case;
    },
    async open(files) {
      requireTexts(files);
      model.open(files);
      await model.settled();
    },
    files: () => ({ ...model.state.files }),
  };
}
