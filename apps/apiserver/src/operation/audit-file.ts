import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { LineFile, readErrorText } from '@kubeadmit/files';
import type { AuditLogOptions } from '../configuration/server-options.ts';
import { UsageError } from '../configuration/usage-error.ts';

const privateMode = 0o600;
const standardOutput = 1;
const megabyte = 2 ** 20;
const day = 86_400_000;

/**
 * The file of the audit log, which only its owner can read. Like kube-apiserver's, a file that would become too large
 * is renamed to `NAME-2026-01-02T03-04-05.000.EXTENSION`, and the oldest of these files are deleted.
 */
export class AuditFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #maxBackups: number;
  readonly #maxAge: number;
  #descriptor: number;
  #lines: LineFile;
  /** The bytes of the file; undefined for devices and pipes, which are not rotated. */
  #size: number | undefined;

  /**
   * The limits have the defaults of kube-apiserver (`k8s.io/apiserver/pkg/server/options/audit.go`).
   *
   * @throws UsageError for a file that cannot be written, or whose permissions cannot be changed to 0600
   */
  constructor({ path, maxSize = 100, maxBackups = 100, maxAge = 366 }: AuditLogOptions) {
    this.#path = path;
    this.#maxBytes = maxSize * megabyte;
    this.#maxBackups = maxBackups;
    this.#maxAge = maxAge * day;
    try {
      const opened = path === '-' ? { descriptor: standardOutput, size: undefined } : open(path);
      this.#descriptor = opened.descriptor;
      this.#size = opened.size;
    } catch (error) {
      throw new UsageError(`--audit-log-path: ${path}: ${readErrorText(error)}`);
    }
    this.#lines = new LineFile(this.#descriptor, 'the audit log');
  }

  /** Writes a line, which ends with its line feed; never throws. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    const limit = this.#maxBytes;
    if (limit > 0 && this.#size !== undefined && this.#size > 0 && this.#size + bytes > limit) {
      this.#rotate();
    }
    this.#lines.write(line);
    if (this.#size !== undefined) this.#size += bytes;
  }

  close(): void {
    if (this.#descriptor !== standardOutput) closeSync(this.#descriptor);
  }

  // If that fails, events go to the same file, and the next attempt is after as many bytes again.
  #rotate(): void {
    try {
      const now = Date.now();
      // Another program may have moved it.
      if (existsSync(this.#path)) renameSync(this.#path, backupPath(this.#path, now));
      const { descriptor, size } = open(this.#path);
      closeSync(this.#descriptor);
      this.#descriptor = descriptor;
      this.#lines = new LineFile(descriptor, 'the audit log');
      this.#size = size;
      this.#prune(now);
    } catch (error) {
      this.#size = 0;
      process.stderr.write(`error: the audit log cannot be rotated: ${readErrorText(error)}\n`);
    }
  }

  #prune(now: number): void {
    const newestFirst = backupsOf(this.#path).sort((left, right) => right.time - left.time);
    for (const [index, { file, time }] of newestFirst.entries()) {
      const isTooMany = this.#maxBackups > 0 && index >= this.#maxBackups;
      const isTooOld = this.#maxAge > 0 && now - time > this.#maxAge;
      if (isTooMany || isTooOld) rmSync(file);
    }
  }
}

function open(path: string): { readonly descriptor: number; readonly size: number | undefined } {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NONBLOCK = 0 } = constants;
  // The last flag refuses a pipe that nothing reads, instead of waiting for its reader.
  const flags = O_APPEND | O_CREAT | O_WRONLY | O_NONBLOCK;
  const descriptor = openSync(path, flags, privateMode);
  try {
    const found = fstatSync(descriptor);
    // A file that existed keeps its permissions.
    if (found.isFile() && modeOf(found) !== privateMode) fchmodSync(descriptor, privateMode);
    return { descriptor, size: found.isFile() ? found.size : undefined };
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function modeOf({ mode }: Stats): number {
  return mode & 0o777;
}

function nameParts(path: string): { readonly stem: string; readonly extension: string } {
  const extension = extname(path);
  return { stem: `${basename(path, extension)}-`, extension };
}

function backupPath(path: string, now: number): string {
  const { stem, extension } = nameParts(path);
  const time = new Date(now).toISOString().replaceAll(':', '-').replace('Z', '');
  return join(dirname(path), `${stem}${time}${extension}`);
}

function backupsOf(path: string): { readonly file: string; readonly time: number }[] {
  const { stem, extension } = nameParts(path);
  return readdirSync(dirname(path)).flatMap((name) => {
    if (!name.startsWith(stem) || !name.endsWith(extension)) return [];
    const text = name.slice(stem.length, name.length - extension.length);
    const [, date, hour, minute, second] =
      /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(text) ?? [];
    const time = Date.parse(`${date}T${hour}:${minute}:${second}Z`);
    return Number.isNaN(time) ? [] : [{ file: join(dirname(path), name), time }];
  });
}
