import { readdirSync, readFileSync } from 'node:fs';
import {
  cleanUp,
  loadProtobufForms,
  type Normalized,
  normalizeAnswers,
  playCase,
  type RestCase,
} from '@kubeadmit/apiserver-tools';
import { readLines } from '@kubeadmit/test-support';
import { afterAll, describe, expect, test } from 'vitest';
import { startLocalServer } from './local-server.ts';

interface RecordedCase extends RestCase {
  readonly answers: readonly Normalized[];
}

const webhook = { url: 'https://127.0.0.1:9443', authority: 'YXV0aG9yaXR5' };
const protobuf = await loadProtobufForms();

const folder = new URL('cases/', import.meta.url);
const gaps = JSON.parse(
  readFileSync(new URL('known-gaps.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;

for (const file of readdirSync(folder)) {
  const cases = readLines<RecordedCase>(new URL(file, folder));
  describe(file, async () => {
    const { ask, server, pass } = await startLocalServer();
    const pause = async (milliseconds: number): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 80));
      pass(milliseconds);
    };
    afterAll(() => server.close());
    for (const recorded of cases) {
      const play = async (): Promise<void> => {
        try {
          const answers = await playCase(recorded, { ask, pause, webhook, protobuf });
          expect(normalizeAnswers(answers, webhook, recorded)).toEqual(recorded.answers);
        } finally {
          await cleanUp(ask);
        }
      };
      // A case that starts to hold is to be taken off the list.
      if (Object.hasOwn(gaps, recorded.id)) test.fails(recorded.id, play);
      else test(recorded.id, play);
    }
  });
}
