import { newestMinor } from '@kubeadmit/engine/internal';
import type { EarlyAnswer } from '../engine/protocol.ts';
import { firstExample } from '../playground/first-example.ts';
import { judge } from './judge.ts';
import type { Judgement, Setting } from './judgement.ts';
import { plainRequest } from './plain-request.ts';

const setting: Setting = {
  files: firstExample.files,
  request: plainRequest,
  kubernetesVersions: [`1.${newestMinor}`],
};

/** What comes out for the files that the playground opens with, while nobody asked for another. */
let early: Promise<readonly Judgement[]> | undefined;

/**
 * Judges the files that the playground opens with before the page can ask, since its main thread is busy with drawing
 * itself by then, and tells what comes out, so that the page need not be drawn once without it. Where the page asks for
 * something else, what the engines need is loaded and compiled at least.
 */
export function judgeEarly(tell: (answer: EarlyAnswer) => void): void {
  early = judge(setting);
  early.then(
    (answer) => tell({ question: { type: 'judge', setting }, answer }),
    // What goes wrong here goes wrong again where somebody sees it.
    () => {
      early = undefined;
    },
  );
}

/** What was judged early, once, and if it is what is asked for. */
export function judgedEarly(asked: Setting): Promise<readonly Judgement[]> | undefined {
  const found = JSON.stringify(asked) === JSON.stringify(setting) ? early : undefined;
  early = undefined;
  return found;
}
