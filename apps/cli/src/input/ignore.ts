import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { segmentRegex } from './glob.ts';
import { requiredText } from './streams.ts';

/** The file that names what is left out, in the folder that the program runs in. */
const ignoreFile = '.kubeadmitignore';

/** A line of such a file. */
interface IgnoreRule {
  /** Whether it takes files back that a line before left out. */
  readonly isNegated: boolean;
  /** What each folder and at last the file must be called; `**` is any number of folders. */
  readonly segments: readonly (RegExp | '**')[];
}

/**
 * Which files are left out: those of patterns, and those that `.kubeadmitignore` names, one pattern a line. A pattern
 * without a slash is about names at any depth, others about paths from the folder that the program runs in; folders
 * stand for all that is in them, and a line that begins with `!` takes files back.
 *
 * @throws CommandFailure for a file that cannot be read: what it leaves out would be judged.
 */
export function ignoreRules(patterns: readonly string[]): (file: string) => boolean {
  const lines = existsSync(ignoreFile) ? requiredText(ignoreFile).split('\n') : [];
  const rules = [...lines, ...patterns]
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(readRule);
  return (file) => {
    const path = relative('', file).split(sep);
    const last = rules.findLast(({ segments }) => matches(path, segments));
    return last !== undefined && !last.isNegated;
  };
}

function readRule(line: string): IgnoreRule {
  const isNegated = line.startsWith('!');
  const pattern = (isNegated ? line.slice(1) : line).replace(/^\.?\//, '').replace(/\/$/, '');
  const names = pattern.split('/');
  const anchored = names.length > 1 ? names : ['**', ...names];
  return {
    isNegated,
    segments: anchored.map((name) => (name === '**' ? name : segmentRegex(name))),
  };
}

// A pattern that ends within the path names a folder above the file.
function matches(path: readonly string[], segments: readonly (RegExp | '**')[]): boolean {
  const [segment, ...rest] = segments;
  if (segment === undefined) return true;
  const [name, ...below] = path;
  if (name === undefined) return false;
  if (segment !== '**') return segment.test(name) && matches(below, rest);
  return matches(path, rest) || matches(below, segments);
}
