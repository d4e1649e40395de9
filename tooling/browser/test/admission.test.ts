import { readLines } from '@kubeadmit/test-support';
import { beforeAll, describe, expect, test } from 'vitest';
import { runInBareWorld } from '../src/bare-world.ts';
import { type Bundle, bundle } from '../src/bundle.ts';
import { findChromium } from '../src/chromium.ts';
import { runInPage } from '../src/page.ts';

const LARGEST_BUNDLE = 400_000;

interface Recorded {
  readonly id: string;
  readonly response: object;
  readonly object?: object;
}

const lines = readLines<string>(new URL('cases/admission.ndjson', import.meta.url), String);

let built: Bundle;
beforeAll(async () => {
  built = await bundle('admission.ts');
});

describe('an admission without Node', () => {
  test.each(lines)('equals the recorded answer: %#', async (line) => {
    const world = runInBareWorld(`${built.code}\nglobalThis.decide = kubeadmitProof.decide;`);
    const { decide } = world as { decide: (text: string) => Promise<string> };
    expectRecorded(line, await decide(line));
  });

  test('is a bundle of reasonable size', () => {
    console.info(`NOTE: admission in a page: ${Math.round(built.gzipSize / 1024)} KiB gzip`);
    expect(built.gzipSize).toBeLessThan(LARGEST_BUNDLE);
  });
});

const chromium = findChromium();

describe.skipIf(chromium === undefined)('an admission in Chromium', () => {
  test('equals the recorded answers', async () => {
    const decideAll = `Promise.all(${JSON.stringify(lines)}.map(kubeadmitProof.decide))`;
    const outcome = await runInPage(chromium ?? '', built.code, decideAll);
    expect(outcome.problems).toEqual([]);
    const answers = outcome.value as readonly string[];
    expect(answers).toHaveLength(lines.length);
    for (const [index, line] of lines.entries()) expectRecorded(line, answers[index] ?? '');
  });
});

function expectRecorded(line: string, answer: string): void {
  const { response, object }: Recorded = JSON.parse(line);
  const actual: Recorded = JSON.parse(answer);
  const { patch: _, patchType: __, ...decided } = actual.response as Record<string, unknown>;
  expect({ response: decided, object: actual.object }).toEqual({ response, object });
}
