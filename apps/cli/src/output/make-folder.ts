import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those around it that are missing. One by one: where no folder can be made, such as in `/proc`,
 * Node's recursive way does not end. Throws what the system says.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let each = resolve(folder); !existsSync(each); each = dirname(each)) missing.push(each);
  for (const each of missing.reverse()) mkdirSync(each);
}
