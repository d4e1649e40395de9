import type { Option } from 'commander';

/** The part of the help after the options. */
export const serveGuide: string = `
Examples:
  kubeadmit serve --policies policies/ --self-signed tls/
  kubeadmit serve --kubeconfig ~/.kube/config --tls-cert tls.crt --tls-key tls.key
  kubeadmit serve --config webhook.yaml

Policies come from files (--policies), from a cluster (--kubeconfig or --in-cluster), or both. Files and
clusters are watched for changes. The guide about the webhook shows how to run it in a cluster.

Exit codes: 0 the webhook was stopped, 2 invalid usage or unreadable input.`;

/** Describes an option with its choices and its default, unless that is an empty list or off. */
export function describeOption({
  description,
  argChoices,
  defaultValue,
  ...option
}: Option): string {
  const isPlain = typeof defaultValue === 'boolean' || Array.isArray(defaultValue);
  const standard = option.defaultValueDescription ?? defaultValue;
  const notes = [
    ...(argChoices === undefined ? [] : [`choices: ${argChoices.join(', ')}`]),
    ...(standard === undefined || isPlain ? [] : [`default: ${standard}`]),
  ];
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`;
}
