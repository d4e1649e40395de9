import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import type { GivenManifest } from '@kubeadmit/lint';
import type { InputProblem } from '@kubeadmit/manifest';
import { InvalidArgumentError, Option } from 'commander';
import { requireOwnPlace } from '../input/local/boundary.ts';
import { realPath } from '../input/local/paths.ts';
import { writeErrorText } from '../input/streams.ts';
import { CommandFailure, type Terminal, write } from '../process/terminal.ts';

/** A format, and the file for it; without a file it is standard output. */
export interface OutputTarget {
  readonly format: string;
  readonly file?: string;
}

/** The option `--output` of a command that has these formats, the first of which is the default. */
export function outputOption(formats: readonly string[]): Option {
  const about = `Output format, and file to write to (repeatable; choices: ${formats.join(', ')}; default: ${formats[0]})`;
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
    if (file === '') throw new InvalidArgumentError('Missing file name after the equals sign.');
    const all = [...previous, file === undefined ? { format } : { format, file }];
    if (all.filter((one) => one.file === undefined).length > 1) {
      throw new InvalidArgumentError(
        'Only one format can be written to standard output; name a file for the others.',
      );
    }
    const isTaken = previous.some((one) => isSameFile(one.file, file));
    if (isTaken)
      throw new InvalidArgumentError(`Several formats cannot be written to the same file ${file}.`);
    return all;
  };
}

/** Writes directly to devices and pipes. */
function isSameFile(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined || one.startsWith('/dev/')) return false;
  // A file that does not exist yet has no real path.
  return (realPath(one) ?? resolve(one)) === (realPath(other) ?? resolve(other));
}

/**
 * Requires that no report overwrites an input, even one that could not be read.
 *
 * @throws CommandFailure if one would
 */
export function keepInputs(
  targets: readonly OutputTarget[] | undefined,
  given: readonly GivenManifest[],
  unreadable: readonly InputProblem[] = [],
): void {
  const files = targets?.flatMap(({ file }) => (file === undefined ? [] : [file])) ?? [];
  // A file that does not exist yet cannot be an input.
  if (!files.some((file) => existsSync(file))) return;
  const inputs = new Set(given.map(({ manifest }) => manifest.file));
  for (const { file } of unreadable) inputs.add(file);
  for (const input of inputs) {
    const file = files.find((one) => isSameFile(one, input));
    if (file === undefined) continue;
    throw new CommandFailure(`${file}: the report would overwrite an input; name another file`);
  }
}

/** Whether standard output gets annotations of GitHub, of which there are none where all is well. */
export function printsAnnotations(asked: readonly OutputTarget[] | undefined): boolean {
  return allTargets(asked).some(({ format, file }) => format === 'github' && file === undefined);
}

/** Returns all targets; text goes to standard output if no other format does. */
export function allTargets(asked: readonly OutputTarget[] = []): readonly OutputTarget[] {
  const isHeard = asked.some(({ file }) => file === undefined);
  return isHeard ? asked : [...asked, { format: 'text' }];
}

/**
 * Writes a report in every format of the targets. Files are written as a whole, or not at all.
 *
 * @throws CommandFailure if a file cannot be written
 */
export async function writeTargets(
  targets: readonly OutputTarget[] | undefined,
  render: (target: OutputTarget) => string,
  terminal: Terminal,
): Promise<void> {
  for (const target of allTargets(targets)) {
    const text = render(target);
    if (target.file === undefined) await write(terminal.stdout, text);
    else writeWhole(target.file, text);
  }
}

/**
 * Writes a file as a whole, or not at all; see {@link WholeFile}.
 *
 * @throws CommandFailure if it cannot be written
 */
export function writeWhole(file: string, text: string): void {
  const whole = new WholeFile(file);
  whole.write(text);
  whole.finish();
}

/**
 * A file that is written piece by piece under another name beside its place, and renamed when it is complete. Devices
 * and pipes are written directly. Links are followed within the repository or folder; the other name is a new one that
 * no link can have. All methods throw a CommandFailure if the file cannot be written.
 */
export class WholeFile {
  /** The name that people gave. */
  readonly #file: string;
  /** The path that is written until the file is complete. */
  #beside: string;
  #place: string;
  #part: number | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#place = file;
    this.#beside = file;
    this.#try(() => {
      requireOwnPlace(file);
      const there = statSync(file, { throwIfNoEntry: false });
      if (there?.isFile() === true) this.#place = realpathSync.native(file);
      if (there?.isFile() === false) {
        this.#part = openSync(this.#place, 'w');
        return;
      }
      const beside = `${this.#place}.${randomUUID()}.part`;
      this.#part = openSync(beside, 'wx', there?.mode);
      this.#beside = beside;
    });
  }

  write(text: string): void {
    this.#try(() => {
      if (this.#part !== undefined && text !== '') writeFileSync(this.#part, text);
    });
  }

  finish(): void {
    this.#try(() => {
      if (this.#part !== undefined) closeSync(this.#part);
      this.#part = undefined;
      if (this.#isBeside) renameSync(this.#beside, this.#place);
    });
  }

  /** Removes the incomplete file; a finished one stays. */
  abandon(): void {
    if (this.#part === undefined) return;
    closeSync(this.#part);
    this.#part = undefined;
    if (this.#isBeside) rmSync(this.#beside, { force: true });
  }

  get #isBeside(): boolean {
    return this.#beside !== this.#place;
  }

  #try(work: () => void): void {
    try {
      work();
    } catch (error) {
      try {
        this.abandon();
        if (this.#isBeside) rmSync(this.#beside, { force: true });
      } catch {
        // There is nothing beside a place that cannot be reached.
      }
      throw new CommandFailure(`${this.#file}: ${writeErrorText(error)}`);
    }
  }
}
