import { type Terminal, write } from '../../process/terminal.ts';
import { takesColours } from '../style.ts';
import { allTargets, type OutputTarget, WholeFile } from '../targets.ts';
import type { ReportStream, StreamTarget, TimedObject } from './stream.ts';
import type { CheckSummary } from './tally.ts';

/** Returns the streams of all requested formats. */
export function streamTargetsOf(
  {
    output,
    quiet = false,
  }: { readonly output?: readonly OutputTarget[]; readonly quiet?: boolean },
  { stdout, env }: Terminal,
): readonly StreamTarget[] {
  return allTargets(output).map(({ format, file }) => ({
    format,
    isColoured: file === undefined && takesColours(stdout, env),
    isQuiet: quiet,
  }));
}

/** Writes the report of a check in all formats at once, while objects are still checked. */
export class CheckWriter {
  readonly #outputs: readonly {
    readonly stream: ReportStream;
    readonly write: (text: string) => Promise<void> | void;
    readonly file: WholeFile | undefined;
  }[];

  /** Opens the files; throws a CommandFailure where that is not possible. */
  constructor(
    targets: readonly OutputTarget[] | undefined,
    streams: readonly ReportStream[],
    { stdout }: Terminal,
  ) {
    const opened: WholeFile[] = [];
    try {
      this.#outputs = allTargets(targets).map(({ file: path }, index) => {
        const file = path === undefined ? undefined : new WholeFile(path);
        if (file !== undefined) opened.push(file);
        return {
          stream: streams[index] as ReportStream,
          write: (text) => (file === undefined ? write(stdout, text) : file.write(text)),
          file,
        };
      });
    } catch (error) {
      for (const file of opened) file.abandon();
      throw error;
    }
  }

  /** Adds the next objects to all reports. */
  async add(objects: readonly TimedObject[]): Promise<void> {
    for (const { stream, write } of this.#outputs) {
      for (const text of stream.add(objects)) if (text !== '') await write(text);
    }
  }

  /** Writes the rest, and puts files in their places. */
  async finish(summary: CheckSummary): Promise<void> {
    for (const { stream, write, file } of this.#outputs) {
      for (const text of stream.end(summary)) {
        if (text === '') continue;
        await write(text);
        // Gives signals a chance to be handled, and releases written texts.
        await new Promise((resolve) => setImmediate(resolve));
      }
      file?.finish();
    }
  }

  /** Removes an incomplete report. */
  abandon(): void {
    for (const { file } of this.#outputs) file?.abandon();
  }
}
