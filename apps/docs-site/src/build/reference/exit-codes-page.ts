import { type Page, table } from '../page.ts';
import { readText } from '../repository.ts';

/** What people can do about a code, by its name in the program. */
const help: Readonly<Record<string, string>> = {
  success: 'Nothing is to be done.',
  refused:
    'A policy denied an object, a test failed, or a mutation fails on every request. Standard output tells which; `kubeadmit explain` tells why.',
  usage:
    'The command line, a configuration or an input cannot be read or makes no sense. Standard error tells what and, for a file, the line and column. Nothing was decided: an input that is left out would be worse than none.',
  invalidPolicy:
    'kube-apiserver would refuse to create a policy or a binding. Standard error has its text and the place; `kubeadmit lint` tells everything that is wrong with policies at once.',
  unreachable:
    'A cluster could not be reached: look at the address, the certificate and the network.',
};

/** The page about the codes that the program ends with, from where the program defines them. */
export function exitCodesPage(): Page {
  const source = readText('apps/cli/src/terminal.ts');
  const codes = [...source.matchAll(/^\s*(\w+): (\d),/gm)].map(([, name = '', number = '']) => ({
    name,
    number,
  }));
  if (codes.length < 4) throw new Error('the exit codes of the program are written in another way');
  const markdown = `# Exit codes

${table(
  ['code', 'name'],
  codes.map(({ number, name }) => [`[${number}](#code-${number})`, name]),
)}

Results go to standard output and nothing else does.

${codes.map(({ number, name }) => `## Code ${number} {#code-${number}}\n\n${help[name] ?? name}`).join('\n\n')}
`;
  return { path: 'reference/exit-codes', markdown };
}
