import { Command } from 'commander';
import { checkFormats } from '../output/formats/names.ts';
import type { CheckOptions } from '../prepare/options.ts';
import { withoutReader } from '../process/terminal.ts';
import type { CommandContext } from './context.ts';
import { addInputOptions, addVerdictOptions } from './input-options.ts';

const guide = `
How input is read:
  - Policies, bindings, parameters, namespaces and CustomResourceDefinitions are recognized by kind,
    wherever they are. Every other object is checked. Objects given with -r are always checked.
  - Folders are read recursively (*.yaml, *.yml, *.json). Files without Kubernetes objects are skipped.
    'policies/**/*.yaml' selects files; - is standard input.
  - main:policies/ reads a folder from a git revision. Helm charts are rendered with your helm,
    kustomizations with your kustomize or kubectl. Archives (.tar, .tgz) are read as folders.
  - https://… reads a manifest or an archive, checked against a digest in #sha256:…;
    oci://HOST/NAME:TAG@sha256:… reads an artifact with the credentials of docker login or podman login.
  - An AdmissionReview is checked as the request that it contains; missing parts come from its object
    and from the options.
  - Invalid inputs are reported and skipped. Everything else is still checked; the exit code is then 2.

Without policies, objects are checked against the schemas of their kinds: unknown fields, wrong types, and
the validation rules of custom resources. The server's hand-written rules for built-in kinds (such as the
maximum of 65535 for a port) are not applied.

-o json prints one document. -o cases prints the requests as JSON Lines, the input of
\`kubeadmit machine admit -\`.

Examples:
  kubeadmit check examples/replica-limits
  kubeadmit check -p policies/ -r manifests/ -r namespaces.yaml
  kubeadmit check crds/ manifests/
  kubeadmit check -o json policies/ deployment.yaml | jq '.results[] | select(.verdict == "deny")'
  helm template shop | kubeadmit check -p policies/ -r - --namespace shop
  kubeadmit check --as dev@example.com --as-group developers policies/ pod.yaml
  kubeadmit check --operation UPDATE --old-resource main/ -p policies/ -r manifests/
  kubeadmit check -p main:policies/ -r charts/shop --helm-values production.yaml
  kubeadmit check --strict --fail-on-warn policies/ manifests/
  kubeadmit check --watch --quiet policies/ manifests/

Exit codes:
  0  nothing denied
  1  a policy or the server denied an object
  2  invalid usage, unreadable input, or no policy matches any object (with --strict, also any unused
     policy, missing namespace or skipped file)
  3  a policy that kube-apiserver would reject
  4  the cluster of --context cannot be reached`;

/** `kubeadmit check`: checks manifests against policies. */
export function checkCommand(context: CommandContext): Command {
  const command = new Command('check')
    .summary('Check manifests against policies')
    .description('Check manifests against admission policies, as kube-apiserver would.');
  return addVerdictOptions(addInputOptions(command), checkFormats)
    .option('--watch', 'Check again when a file changes, until q is pressed')
    .addHelpText('after', guide)
    .action(async (paths: readonly string[], options: CheckOptions) => {
      if (options.watch === true) {
        const { watchCheck } = await import('../check/watch.ts');
        context.finish(await watchCheck(paths, options, context.terminal));
        return;
      }
      const { check } = await import('../check/check.ts');
      context.finish(await check(paths, options, withoutReader(context.terminal)));
    });
}
