import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { writeErrorText } from '../input/streams.ts';
import { CommandFailure, type Terminal, write } from '../terminal.ts';

/** What is printed, and where: on standard output where there is no file. */
export interface OutputTarget {
  readonly format: string;
  readonly file?: string;
}

/** The option `--output` of a command that has these formats, the first of which is the default. */
export function outputOption(formats: readonly string[]): Option {
  const about = `how to print the results, and where; repeatable (choices: ${formats.join(', ')}; default: ${formats[0]})`;
  return new Option('-o, --output <format[=file]>', about).argParser(outputTarget(formats));
}

/** Reads `FORMAT` or `FORMAT=FILE`, and adds it to those before; for options that may be repeated. */
export function outputTarget(
  formats: readonly string[],
): (text: string, previous: readonly OutputTarget[] | undefined) => readonly OutputTarget[] {
  return (text, previous = []) => {
    const equals = text.indexOf('=');
    const format = equals === -1 ? text : text.slice(0, equals);
    const file = equals === -1 ? undefined : text.slice(equals + 1);
    if (!formats.includes(format)) {
      throw new InvalidArgumentError(`Allowed choices are ${formats.join(', ')}.`);
    }
    if (file === '') throw new InvalidArgumentError('A file is missing behind the equals sign.');
    const all = [...previous, file === undefined ? { format } : { format, file }];
    if (all.filter((one) => one.file === undefined).length > 1) {
      throw new InvalidArgumentError('Standard output takes one format; others need a file.');
    }
    return all;
  };
}

/**
 * Writes a report in every format that is asked for; text on standard output where nothing is. Files are written
 * whole or not at all.
 *
 * @throws CommandFailure when a file cannot be written.
 */
export async function writeTargets(
  targets: readonly OutputTarget[] | undefined,
  render: (target: OutputTarget) => string,
  terminal: Terminal,
): Promise<void> {
  const asked = targets ?? [];
  const isHeard = asked.some(({ file }) => file === undefined);
  const all = isHeard ? asked : [...asked, { format: 'text' }];
  for (const target of all) {
    const text = render(target);
    if (target.file === undefined) await write(terminal.stdout, text);
    else writeWhole(target.file, text);
  }
}

/** Writes a file beside its place first, so that nobody finds half of it. */
export function writeWhole(file: string, text: string): void {
  const part = `${file}.part`;
  try {
    writeFileSync(part, text);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw new CommandFailure(`${file}: ${writeErrorText(error as NodeJS.ErrnoException)}`);
  }
}
