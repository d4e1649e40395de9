import { Command } from 'commander';
import { lintFormats } from '../output/formats/names.ts';
import { outputOption } from '../output/targets.ts';
import { type CommandContext, running } from './context.ts';
import { addBatchOption, addReadOptions, collect, staticOption } from './input-options.ts';

const guide = `
Finds policies that kube-apiserver or Kyverno would reject (errors), warnings of the type checker, and
parts without effect (warnings), with positions. CustomResourceDefinitions among the inputs define
their kinds.

Mutations are checked against the kinds that their policy matches, which no server does: unknown fields,
wrong types, immutable lists and maps, invalid paths and operations. Mutations that fail on every request
are errors, others warnings. Hints (info) report unknown resources and kinds, and unused parts.

Each issue ends with the code of its rule. --rule, or kubeadmit.yaml in this folder or a parent, turns
rules off or changes their severity, except for errors of the server:

  lint:
    minKubernetesVersion: "1.32"
    rules:
      unused-variable: off
      policy-without-binding: error

A comment "# kubeadmit-ignore CODE" silences a rule: at the end of a line for that line, alone on a line
for the next one and all lines that are indented further, at the start of a document for the document.

Examples:
  kubeadmit lint policies/
  kubeadmit lint --fix policies/
  kubeadmit lint --rule unused-variable=off --fail-on-warn policies/
  kubeadmit lint -o json policies/ crds/ | jq -r '.issues[] | [.file, .line, .message] | @tsv'
  kubeadmit lint --kubernetes-version 1.32 policies/

--static-manifests names a folder that a 1.37 server reads from its own disk (staticManifestsDir).
Names of these policies end in .static.k8s.io. An error in them prevents the server from starting.

Exit codes: 0 no errors, 1 other errors (such as a mutation that fails on every request), 2 invalid usage
or unreadable input, 3 a policy that kube-apiserver would reject.`;

/** `kubeadmit lint`: finds mistakes in policies without a request. */
export function lintCommand(context: CommandContext): Command {
  const reading = new Command('lint')
    .summary('Find mistakes in policies')
    .description('Find errors, warnings and unused parts in policies and bindings.')
    .argument('[paths...]', 'Files, folders, or - for standard input');
  const command = addReadOptions(reading)
    .addOption(outputOption(lintFormats))
    .option('--kubernetes-version <version>', 'Kubernetes version, for example 1.34')
    .addOption(staticOption())
    .option('--min-kubernetes-version <version>', 'Oldest Kubernetes version to support')
    .option('--fix', 'Fix issues in place where it is safe')
    .option(
      '--rule <code=severity>',
      'Severity of a rule: off, info, warn or error (repeatable)',
      collect,
    )
    .option('--config <file>', 'Configuration file (default: the nearest kubeadmit.yaml)')
    .option('--fail-on-warn', 'Exit with 1 if there are warnings');
  return addBatchOption(command)
    .addHelpText('after', guide)
    .action(running(context, async () => (await import('../lint/lint.ts')).lint));
}
