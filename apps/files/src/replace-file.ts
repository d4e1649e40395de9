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
 * Replaces a file atomically by a new one with exactly these permissions.
 *
 * Readers see either the old or the new content. A link is replaced and not followed. Devices and pipes are written to.
 *
 * @param mode such as `0o600`, whatever the umask is
 * @throws the error of the system
 */
export function replaceFile(path: string, content: string | Uint8Array, mode: number): void {
  if (isDevice(path)) {
    writeFileSync(path, content);
    return;
  }
  const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
  try {
    writeNew(temporary, content, mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeNew(path: string, content: string | Uint8Array, mode: number): void {
  // Fails if the name exists, even as a link.
  const descriptor = openSync(path, 'wx', mode);
  try {
    fchmodSync(descriptor, mode);
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// `/dev/stdout` may be a link to a file, but must not be replaced.
function isDevice(path: string): boolean {
  if (/^\/(?:dev|proc)\//.test(resolve(path))) return true;
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}
