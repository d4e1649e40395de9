import { Command, Option } from 'commander';
import type { CheckOptions } from '../check/options.ts';
import type { CommandContext } from './context.ts';
import { addInputOptions } from './input-options.ts';

const guide = `
Policies, bindings, parameters, namespaces and CustomResourceDefinitions are recognised by kind
wherever they lie. Every other object is checked as if it was created; objects of -r are always
checked. An AdmissionReview is checked as the request that it holds (UPDATE, DELETE, CONNECT).
Folders are read recursively (*.yaml, *.yml, *.json); 'policies/**/*.yaml' names files, and - is
standard input.

Of the output formats, json is one document, and cases are the requests instead of the answers,
as JSON lines for \`kubeadmit admit -\`.

Examples:
  kubeadmit check examples/replica-limits
  kubeadmit check -p policies/ -r manifests/ -r namespaces.yaml
  kubeadmit check -o json policies/ deployment.yaml | jq '.results[] | select(.verdict == "deny")'
  helm template shop | kubeadmit check -p policies/ -r - --namespace shop
  kubeadmit check --as dev@example.com --as-group developers policies/ pod.yaml

Exit codes: 0 nothing denied, 1 a policy denied, 2 usage or input that cannot be read,
3 a policy that kube-apiserver would refuse.`;

/** `kubeadmit check`: policies on manifests, one report. */
export function checkCommand(context: CommandContext): Command {
  const command = new Command('check')
    .summary('check manifests against policies')
    .description('Check manifests against admission policies, as kube-apiserver would.');
  return addInputOptions(command)
    .addOption(
      new Option('-o, --output <format>', 'how to print the result')
        .choices(['text', 'json', 'cases'])
        .default('text'),
    )
    .addHelpText('after', guide)
    .action(async (paths: readonly string[], options: CheckOptions) => {
      const { check } = await import('../check/check.ts');
      context.finish(await check(paths, options, context.terminal));
    });
}
