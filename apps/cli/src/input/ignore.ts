import { existsSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { matchesPath, type PathPattern, parsePathPattern } from './name-pattern.ts';
import { foundFile, requiredText } from './streams.ts';

/** The file in the working directory that lists the paths to ignore. */
const ignoreFile = '.kubeadmitignore';

/** A line of such a file. */
interface IgnoreRule {
  /** Whether it includes files again that an earlier line excludes. */
  readonly isNegated: boolean;
  readonly pattern: PathPattern;
}

/** Where the patterns of files to leave out come from. */
export interface IgnoreOptions {
  /** Patterns in addition to those of the file; default none. */
  readonly ignore?: readonly string[];
  /** Whether `.kubeadmitignore` is read; default yes. */
  readonly ignoreFile?: boolean;
}

/**
 * Returns why a file is left out, or undefined if it is not: by an option, or by a line of `.kubeadmitignore`. A pattern
 * without a slash matches names at any depth, another one paths from the working directory. A pattern that matches a
 * folder excludes everything in it, and a line that begins with `!` includes files again.
 *
 * @param folder the only folder that may be read; default no limit
 * @throws CommandFailure if `.kubeadmitignore` cannot be read
 */
export function ignoreRules(
  { ignore = [], ignoreFile: isRead = true }: IgnoreOptions,
  folder?: string,
): (file: string) => string | undefined {
  const isFound = isRead && existsSync(ignoreFile);
  const lines = isFound ? requiredText(ignoreFile, folder, foundFile).split('\n') : [];
  const rules = [
    ...lines.map((line, index) => ({ line, from: `${ignoreFile}:${index + 1}` })),
    ...ignore.map((line) => ({ line, from: `--ignore ${line}` })),
  ]
    .map(({ line, from }) => ({ line: line.trim(), from }))
    .filter(({ line }) => line !== '' && !line.startsWith('#'))
    .map(({ line, from }) => ({ ...parseRule(line), from }));
  return (file) => {
    const names = relative('', file).split(sep);
    const last = rules.findLast(({ pattern }) => matchesPath(pattern, names));
    return last === undefined || last.isNegated ? undefined : last.from;
  };
}

function parseRule(line: string): IgnoreRule {
  const isNegated = line.startsWith('!');
  const text = (isNegated ? line.slice(1) : line).replace(/^\.?\//, '').replace(/\/$/, '');
  const names = text.split('/');
  const anchored = names.length > 1 ? names : ['**', ...names];
  // A pattern that ends within a path names a folder above the file.
  return { isNegated, pattern: parsePathPattern([...anchored, '**']) };
}
