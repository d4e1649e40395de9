import { Command } from 'commander';
import type { CheckOptions } from '../check/options.ts';
import { checkFormats } from '../output/formats/names.ts';
import { withoutReader } from '../terminal.ts';
import type { CommandContext } from './context.ts';
import { addInputOptions, addVerdictOptions, wholeNumber } from './input-options.ts';

const guide = `
What is read
  Policies, bindings, parameters, namespaces and CustomResourceDefinitions are recognised by kind
  wherever they lie. Every other object is checked; objects of -r are always checked. Folders are read
  recursively (*.yaml, *.yml, *.json; what is no Kubernetes object there is passed over), apart from
  what --ignore and .kubeadmitignore name; 'policies/**/*.yaml' names files, and - is standard input.
  main:policies/ is what git has in a revision. A chart (folder or archive) is rendered by your helm, the
  folder of a kustomization built by your kustomize or kubectl. Archives (.tar, .tgz) are read as folders.
  https://… is a manifest or an archive, held against a digest in #sha256:…; oci://HOST/NAME:TAG@sha256:…
  an artifact of a registry, which is told the password that docker login or podman login has kept for it.
  What cannot be used is told and left out, the rest is judged, and the exit code is 2.

What is asked
  Each object as if it was created by --as, or with --operation updated (from --old-resource), deleted
  or connected to. An AdmissionReview is checked as the request that it holds; what it leaves out is
  filled in from its object and from these options.

What is found without policies
  Unknown kinds, unknown fields (--validate), values of the wrong type, invalid CustomResourceDefinitions,
  and custom resources that break the schema or a rule of their definition are reported as on the server.
  If no policy is given, this is all that is checked. The server's own rules about built-in kinds (a port
  above 65535, an invalid name) are not checked.

Many objects are checked by several threads (--workers) where that is worth it, with the same report, and written
while they are checked; files of -o are there when they are whole.

Of the output formats, json is one document, and cases are the requests instead of the answers,
as JSON lines for \`kubeadmit machine admit -\`.

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

Exit codes: 0 nothing denied, 1 a policy or the server denied, 2 usage, input that cannot be read, or
no policy that matches any object (with --strict any unused policy or missing namespace), 3 a policy
that kube-apiserver would reject, 4 the cluster of --context cannot be reached.`;

/** `kubeadmit check`: policies on manifests, one report. */
export function checkCommand(context: CommandContext): Command {
  const command = new Command('check')
    .summary('check manifests against policies')
    .description('Check manifests against admission policies, as kube-apiserver would.');
  return addVerdictOptions(addInputOptions(command), checkFormats)
    .option(
      '--workers <count>',
      'threads that check; default more than one where that is worth it',
      wholeNumber(1),
    )
    .option('--watch', 'check again when a file changes, until q or the end of standard input')
    .addHelpText('after', guide)
    .action(async (paths: readonly string[], options: CheckOptions) => {
      if (options.watch === true) {
        const { watchCheck } = await import('../check/watch.ts');
        const { terminal, checkThread } = context;
        context.finish(await watchCheck(paths, options, terminal, checkThread));
        return;
      }
      const { check } = await import('../check/check.ts');
      context.finish(
        await check(paths, options, withoutReader(context.terminal), context.checkThread),
      );
    });
}
