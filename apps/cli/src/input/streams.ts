import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { type ReadLimits, readErrorText, readText } from '@kubeadmit/files';
import { CommandFailure, type Terminal } from '../process/terminal.ts';
import { leadsOut } from './local/boundary.ts';

/**
 * A stream of a file's bytes; `-` is standard input.
 *
 * @throws CommandFailure when the file cannot be opened, when standard input was read before, or when reading fails later
 * on.
 */
export async function openInput(
  file: string,
  terminal: Terminal,
): Promise<AsyncIterable<Uint8Array | string>> {
  if (file === '-') {
    const { stdin } = terminal;
    if (stdin.readableEnded) throw new CommandFailure('standard input (-) can be read only once');
    return chunks(stdin, '<stdin>');
  }
  const stream = createReadStream(file);
  try {
    await once(stream, 'open');
  } catch (error) {
    throw new CommandFailure(`${file}: ${readErrorText(error)}`);
  }
  return chunks(stream, file);
}

async function* chunks(stream: Readable, name: string): AsyncGenerator<Uint8Array | string> {
  try {
    for await (const chunk of stream) yield chunk as Uint8Array | string;
  } catch (error) {
    throw new CommandFailure(`${name}: ${readErrorText(error)}`);
  }
}

/** The limits on files that a command finds by itself, such as a configuration: any author of a folder can write them. */
export const foundFile: ReadLimits = { regularOnly: true, maxSize: 2 ** 20 };

/**
 * Returns the text of a file that a command cannot do without.
 *
 * @param folder the only folder that may be read; default no limit
 * @throws CommandFailure if it cannot be read, or is a link out of its repository or folder
 */
export function requiredText(file: string, folder?: string, limits?: ReadLimits): string {
  try {
    const place = folder === undefined ? 'repository or folder' : 'folder';
    if (leadsOut(file, folder)) throw new Error(`a link that leads outside the ${place}`);
    return readText(file, limits);
  } catch (error) {
    throw new CommandFailure(`${file}: ${readErrorText(error)}`);
  }
}

const writeTexts: ReadonlyMap<string, string> = new Map([
  ['EPIPE', 'the reader has closed the pipe'],
  ['ENOSPC', 'no space left on the device'],
  ['ENOENT', 'its folder does not exist'],
]);

/** Why something could not be written, in words. */
export function writeErrorText(error: unknown): string {
  return writeTexts.get((error as NodeJS.ErrnoException).code ?? '') ?? readErrorText(error);
}

/**
 * Runs a function that writes output.
 *
 * @param name what people call it
 * @throws CommandFailure where it cannot be written
 */
export function writing<Result>(name: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw new CommandFailure(`${name}: ${writeErrorText(error)}`);
  }
}
