import { Command } from 'commander';
import { lintFormats } from '../output/formats/names.ts';
import { outputOption } from '../output/targets.ts';
import { type CommandContext, running } from './context.ts';
import { addBatchOption, addReadOptions, collect, staticOption } from './input-options.ts';

const guide = `
Finds what kube-apiserver, and Kyverno of its own policies, would refuse (errors), what its type
checker would warn of, and what has no effect (warnings), with the place in the YAML.
CustomResourceDefinitions among the inputs make their kinds known.

Mutations are checked against the kinds that their policy matches, which no server does: a field
that does not exist, a value of the wrong type, a list or map that may not be changed, a path or an
operation that cannot work. What fails on every request is an error, what fails on some a warning.
Hints (info) tell of resources and kinds that are not known and of what nothing uses.

Each issue ends with the code of its rule. --rule, or kubeadmit.yaml in this folder or one above,
turns rules off or gives them another severity, apart from what a server refuses:

  lint:
    minKubernetesVersion: "1.32"
    rules:
      unused-variable: off
      policy-without-binding: error

A comment "# kubeadmit-ignore CODE" silences a rule: behind something for its line, alone on a line
for what follows (with all that is indented further), before everything else for its document.

Examples:
  kubeadmit lint policies/
  kubeadmit lint --fix policies/
  kubeadmit lint --rule unused-variable=off --fail-on-warn policies/
  kubeadmit lint -o json policies/ crds/ | jq -r '.issues[] | [.file, .line, .message] | @tsv'
  kubeadmit lint --kubernetes-version 1.32 policies/

--static-manifests names what a server of 1.37 reads from its own disk (staticManifestsDir): a folder of
policies whose names end in .static.k8s.io. What is an error there keeps the server from starting.

Exit codes: 0 no errors, 1 other errors (a mutation that fails on every request), 2 usage or input
that cannot be read, 3 a policy that kube-apiserver would refuse.`;

/** `kubeadmit lint`: what is wrong with policies before anything is asked of them. */
export function lintCommand(context: CommandContext): Command {
  const reading = new Command('lint')
    .summary('find mistakes in policies')
    .description('Find what is wrong with policies and bindings, as kube-apiserver would.')
    .argument('[paths...]', 'files, folders or -, with policies and what they need');
  const command = addReadOptions(reading)
    .addOption(outputOption(lintFormats))
    .option('--kubernetes-version <version>', 'the version of the server, for example 1.34')
    .addOption(staticOption())
    .option('--min-kubernetes-version <version>', 'the oldest server that is to take the policies')
    .option('--fix', 'write files anew with what can be repaired for certain')
    .option('--rule <code=severity>', 'off, info, warn or error for a rule; repeatable', collect)
    .option('--config <file>', 'the configuration (default: the nearest kubeadmit.yaml)')
    .option('--fail-on-warn', 'warnings are a failure of the run');
  return addBatchOption(command)
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../lint/lint.ts')).lint));
}
