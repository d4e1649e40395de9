import { Engine, SupersededError } from '../engine/engine.ts';
import { startWorker } from '../engine/start-worker.ts';
import type { Setting } from '../worker/judgement.ts';
import type { PlaygroundState } from './shown-state.ts';

/** Time limits: for the conversion of the files, and for the comparison of each policy. */
const milliseconds = 20_000;

type Result = Partial<Pick<PlaygroundState, 'conversion' | 'proof'>>;

/** Converts and proves in separate workers, so that judgements do not wait while the user types. */
export class Converter {
  readonly #converting = new Engine({ start: startWorker, milliseconds });
  readonly #proving = new Engine({ start: startWorker, milliseconds });

  /** Reports the conversion first, and the comparison when it is ready. A newer call replaces both. */
  async convert(setting: Setting, show: (result: Result) => void): Promise<void> {
    const conversion = await orFailure(
      this.#converting.askInstead<'convert'>({ type: 'convert', setting }),
    );
    if (conversion === undefined) return;
    show({ conversion, proof: undefined });
    if ('failure' in conversion) return;
    const proof = await orFailure(this.#proving.askInstead<'prove'>({ type: 'prove', setting }));
    if (proof !== undefined) show({ proof });
  }

  /** Stops the workers. */
  close(): void {
    this.#converting.close();
    this.#proving.close();
  }
}

/** Returns the message of an error instead of throwing it, and nothing if a newer question took the place of this one. */
async function orFailure<Answer>(
  answer: Promise<Answer>,
): Promise<Answer | { readonly failure: string } | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof SupersededError) return undefined;
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}
