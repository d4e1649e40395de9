import type { Command } from 'commander';
import type { CommandContext } from './context.ts';
import { answererOf, streamCommand } from './stream.ts';

/** `kubeadmit admit`: a stream of admission requests. */
export function admitCommand(context: CommandContext): Command {
  return streamCommand(context, {
    name: 'admit',
    summary: 'answer a stream of admission requests (JSON lines)',
    description:
      'Run admission requests through mutating and validating policies, as kube-apiserver does.',
    input: '{"id", "kubernetesVersion"?, "resources": […], "request": AdmissionRequest}',
    output: '{"id", "response": AdmissionResponse, "object"?, "errors"?, "failure"?}',
    notes: `Resources are whatever the cluster holds: policies, bindings, parameters, namespaces,
CustomResourceDefinitions, RBAC. Policies that kube-apiserver would refuse come back in "errors" and
do not act. A namespace that is not given exists with its name label.`,
    examples: [
      'kubeadmit admit - < cases.ndjson',
      "kubeadmit admit cases.ndjson | jq -c 'select(.response.allowed | not) | .id'",
    ],
    load: answererOf('admit'),
  });
}
