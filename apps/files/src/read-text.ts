import { readFileSync } from 'node:fs';

/**
 * The text of a file.
 *
 * @throws what the system says where it cannot be read, and an Error where it is no UTF-8.
 */
export function readText(file: string): string {
  return decodeText(readFileSync(file));
}

/**
 * The text that bytes are as UTF-8.
 *
 * @throws Error that says what else they may be.
 */
export function decodeText(bytes: Uint8Array): string {
  if (isUtf16(bytes)) throw notText(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notText(bytes);
  }
}

function notText(bytes: Uint8Array): Error {
  return new Error(`not UTF-8 text${whatElse(bytes)}`);
}

/** Whether the first two characters are written with two bytes each, as ASCII is in UTF-16: as UTF-8 one would be NUL. */
function isUtf16([first, second, third, fourth]: Uint8Array): boolean {
  const isBigEndian = first === 0 && third === 0 && second !== 0;
  return (second === 0 && fourth === 0 && first !== 0) || isBigEndian;
}

/** What bytes are by their beginning that are no text. */
function whatElse(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  if (start === 'fffe' || start === 'feff' || isUtf16(bytes)) {
    return ' but UTF-16, as PowerShell writes it: save it as UTF-8';
  }
  if (start === '1f8b') return ' but packed with gzip: archives are called .tgz or .tar.gz';
  return start === '504b' ? ' but a zip archive: .tar and .tgz are read' : '';
}
