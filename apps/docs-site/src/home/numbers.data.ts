import { recordedCases } from '../build/conformance-page.ts';
import { readText } from '../build/shared/repository.ts';

/** The numbers of the home page, from the recorded answers and the measured times. */
export interface Numbers {
  readonly cases: number;
  /** How many times as long cel-go takes, at the median. */
  readonly celGo: string;
  /** How many times as long the fastest CEL library of JavaScript takes, at the median. */
  readonly celJs: string;
}

declare const data: Numbers;

export { data };

/** Read by VitePress when it builds. */
const loader = {
  watch: ['../../../../conformance/**/*.ndjson', '../../../../packages/engine/README.md'],
  load(): Numbers {
    const readme = readText('packages/engine/README.md');
    const celGo = /cel-go\*{0,2} takes ([\d.]+) times as long at the median/.exec(readme)?.[1];
    const celJs = /which counts no costs, takes ([\d.]+) times as long at the median/.exec(
      readme,
    )?.[1];
    if (celGo === undefined || celJs === undefined) {
      throw new Error('packages/engine/README.md does not have the medians of cel-go and cel-js');
    }
    return { cases: recordedCases(), celGo, celJs };
  },
};

export default loader;
