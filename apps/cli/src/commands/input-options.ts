import type { Command } from 'commander';

/** Adds the arguments that say what to read, and as whom it is created. */
export function addInputOptions(command: Command): Command {
  return command
    .argument('[paths...]', 'files, folders or -, with policies and manifests')
    .option('-p, --policies <path>', 'policies and what they need; repeatable', collect)
    .option('-r, --resources <path>', 'manifests, whatever their kind; repeatable', collect)
    .option('-n, --namespace <name>', 'the namespace of manifests that name none', 'default')
    .option('--as <user>', 'the user who creates the manifests', 'kubernetes-admin')
    .option('--as-group <group>', 'a group of that user; repeatable', collect)
    .option('--kubernetes-version <version>', 'the version of the server, for example 1.34')
    .option('--ignore-unknown-kinds', 'skip manifests whose kind is not known, and say so');
}

/** Collects the values of an option that may be given more than once. */
export function collect(value: string, previous: readonly string[] | undefined): readonly string[] {
  return [...(previous ?? []), value];
}
