import type { PlaygroundModel } from './state.ts';

/** What the playground offers to scripts as `window.kubeadmit`. */
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

/** Offers a playground to scripts. */
export function offerToScripts(model: PlaygroundModel): void {
  window.kubeadmit = {
    async ask<Case extends object | string>(command: string, input: Case): Promise<Case> {
      if (typeof input === 'string') return (await model.ask(command, input)) as Case;
      return JSON.parse(await model.ask(command, JSON.stringify(input))) as Case;
    },
    async open(files) {
      model.open(files);
      await model.settled();
    },
    files: () => ({ ...model.state.files }),
  };
}
