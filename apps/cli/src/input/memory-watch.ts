import { spawn } from 'node:child_process';
import process from 'node:process';
import { getHeapStatistics } from 'node:v8';

/**
 * The part of the memory limit of V8 that texts may take: objects with their positions take up to 20 times as much, and
 * with a small limit newer versions reserve most of it for young objects.
 */
const harmlessPart = 1 / 64;

const megabyte = 2 ** 20;

// V8 ends a process that runs out of memory without running its code, so another process reports it.
const teller = 'process.stdin.resume().on("end", () => process.stderr.write(process.argv[1]))';

let textBytes = 0;
let isWatched = false;

/**
 * Records that a text of this size is kept in memory. If texts take more than a small part of the memory, a second
 * process watches this one: if it runs out of memory, standard error explains how to raise the limit.
 */
export function holdText(bytes: number): void {
  textBytes += bytes;
  if (isWatched || textBytes < megabyte) return;
  const limit = getHeapStatistics().heap_size_limit;
  if (textBytes < limit * harmlessPart) return;
  isWatched = true;
  watch(exhaustedText(textBytes, limit));
}

function exhaustedText(bytes: number, limit: number): string {
  const read = Math.round(bytes / megabyte);
  const most = Math.round(limit / megabyte);
  return `error: the program ended unexpectedly, so nothing was checked. Unless it was killed, it ran out of memory: its limit is ${most} MB, and it had read more than ${read} MB of text. Raise the limit (NODE_OPTIONS=--max-old-space-size=${2 * most}), or check fewer or smaller files at once\n`;
}

function watch(text: string): void {
  const child = spawn(process.execPath, ['-e', teller, text], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  // Without it the run is as good, but for these words.
  child.on('error', () => {});
  child.stdin.on('error', () => {});
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  process.on('exit', () => child.kill());
}
