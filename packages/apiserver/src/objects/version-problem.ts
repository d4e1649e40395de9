import { parseUint64, quote } from '@kubeadmit/go/internal';

/** Returns Go's error for an invalid resource version, or `undefined`. */
export function versionProblem(text: string): string | undefined {
  const problem = parseUint64(text);
  if (typeof problem !== 'string') return undefined;
  return `strconv.ParseUint: parsing ${quote(text)}: ${problem}`;
}
