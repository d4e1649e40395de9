import { newestMinor } from '@kubeadmit/engine';
import { firstExample } from '../examples/first-example.ts';
import { judge } from './judge.ts';
import type { Judgement, Setting } from './judgement.ts';
import { plainRequest } from './plain-request.ts';
import type { EarlyAnswer } from './protocol.ts';

const setting: Setting = {
  files: firstExample.files,
  request: plainRequest,
  kubernetesVersions: [`1.${newestMinor}`],
};

/** The judgement of the files that the playground opens first, until the page asks a question. */
let early: Promise<readonly Judgement[]> | undefined;

/**
 * Judges the first files of the playground before the page can ask, and sends the result to the page.
 *
 * The main thread is busy with rendering at that time, and the first rendering can include the result. If the page
 * asks for something else, the engines are at least loaded and compiled.
 */
export function judgeEarly(tell: (answer: EarlyAnswer) => void): void {
  early = judge(setting);
  early.then(
    (answer) => tell({ question: { type: 'judge', setting }, answer }),
    // The same failure occurs again when the page asks, which then shows it.
    () => {
      early = undefined;
    },
  );
}

/** Returns the early judgement if it is the one requested; it can be used only once. */
export function judgedEarly(asked: Setting): Promise<readonly Judgement[]> | undefined {
  const found = JSON.stringify(asked) === JSON.stringify(setting) ? early : undefined;
  early = undefined;
  return found;
}
