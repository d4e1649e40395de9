import { errorText } from '@kubeadmit/base';

const texts: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EISDIR', 'is a directory'],
  ['ENOTDIR', 'a part of the path is not a directory'],
  ['ELOOP', 'too many symbolic links'],
  ['EMFILE', 'too many open files'],
  ['EROFS', 'read-only file system'],
  ['ENAMETOOLONG', 'the name is too long'],
  ['ENOSPC', 'no space left on the device'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EIO', 'the device failed'],
  ['EPIPE', 'the reader has closed it'],
  ['ENXIO', 'nothing reads the pipe'],
]);

/** Why a file could not be read or written, in words. */
export function readErrorText(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = texts.get(code);
  if (known !== undefined) return known;
  return errorText(error);
}

/** The error about a pipe, a socket or a device among files: reading a pipe would wait for its writer. */
export const noFileText = 'not a regular file';
