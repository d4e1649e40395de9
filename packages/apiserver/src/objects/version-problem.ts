import { parseUint64, quote } from '@kubeadmit/go/internal';

/** Why a text is no resource version, in the words of Go; undefined where it is one. */
export function versionProblem(text: string): string | undefined {
  const problem = parseUint64(text);
  if (typeof problem !== 'string') return undefined;
  return `strconv.ParseUint: parsing ${quote(text)}: ${problem}`;
}
