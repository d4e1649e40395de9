import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';

/**
 * Writes a file as a new one with exactly these permissions and puts it in the place of what has its name: an existing file
 * keeps neither its content nor its mode, a link is replaced and not followed, and readers see the old text or the new
 * one. Devices and pipes are written to.
 *
 * @param mode such as `0o600`, whatever the umask is
 * @throws the error of the system
 */
export function replaceFile(path: string, text: string, mode: number): void {
  if (isDevice(path)) {
    writeFileSync(path, text);
    return;
  }
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    writeNew(temporary, text, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeNew(path: string, text: string, mode: number): void {
  // Fails where anything has the name, a link too.
  const descriptor = openSync(path, 'wx', mode);
  try {
    fchmodSync(descriptor, mode);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// `/dev/stdout` may lead to a file, and is not to be replaced by one.
function isDevice(path: string): boolean {
  if (/^\/(?:dev|proc)\//.test(resolve(path))) return true;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
