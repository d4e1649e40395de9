import { dns1123SubdomainProblems } from '@kubeadmit/apimachinery/names';
import { isReservedWord } from '@kubeadmit/cel/syntax';
import type { NamedThing } from './named-thing.ts';

/** Matches plain scalars that YAML 1.1, as Kubernetes reads it, parses as a boolean, null or a number. */
const notString =
  /^(?:y|n|yes|no|on|off|true|false|null|[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?|0x[0-9a-f_]+|[0-9][0-9_]*(?::[0-9]+)+)$/i;

/** Returns why a new name cannot be used, or `undefined` if it can. */
export function newNameProblem({ kind, taken }: NamedThing, newName: string): string | undefined {
  const name = `\`${newName}\``;
  if (taken?.has(newName)) return `${name} already exists: choose another name for this ${kind}`;
  const problem = syntaxProblem(kind, newName);
  if (problem !== undefined) return `${name} is not a valid name: ${problem}`;
  const isInYaml = kind !== 'loop variable';
  return isInYaml && notString.test(newName)
    ? `${name} is not a valid name: YAML reads it as another type unless it is quoted`
    : undefined;
}

function syntaxProblem(kind: NamedThing['kind'], newName: string): string | undefined {
  const isCel = kind === 'variable' || kind === 'loop variable';
  if (!isCel && kind !== 'context entry') return dns1123SubdomainProblems(newName)[0];
  if (!/^[A-Za-z_]\w*$/.test(newName)) {
    return 'use letters, digits and underscores, and start with a letter or an underscore';
  }
  return isCel && isReservedWord(newName) ? 'it is a reserved word of CEL' : undefined;
}
