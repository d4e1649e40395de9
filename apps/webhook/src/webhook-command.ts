import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { stringifyYaml } from '@kubeadmit/manifest';
import { Command, CommanderError } from 'commander';
import { CertificateError } from './certificates/pair.ts';
import { ApiClient } from './cluster/api-client.ts';
import { ApiError } from './cluster/api-error.ts';
import {
  collected,
  lifelineNames,
  type OptionOutput,
  webhookSeconds,
} from './configuration/command.ts';
import { describeOption } from './configuration/command-help.ts';
import { UsageError } from './configuration/usage-error.ts';
import { defaultService, type ManifestsOptions, manifestsFor } from './manifests/manifests.ts';
import { setPaused } from './registration/pause.ts';
import { registrationStatus } from './registration/status.ts';
import { uninstall } from './registration/uninstall.ts';

const guide = `
Examples:
  kubeadmit webhook manifests -p policies/ | kubectl apply -f -
  kubeadmit webhook status --context production
  kubeadmit webhook uninstall

Exit codes: 0 no problems, 1 status found a problem, 2 invalid usage or policies, 4 the cluster cannot be
reached.`;

const usageExitCode = 2;
const unreachableExitCode = 4;

interface ClusterOptions {
  readonly name: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

const processOutput: OptionOutput = {
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
};

/**
 * Runs `kubeadmit webhook`: `manifests`, `status`, `uninstall` and `resume`.
 *
 * Returns the exit code: 0, 1 if the status has a problem, 2 for invalid options or policies, 4 for an unreachable
 * cluster.
 */
export async function webhookCommand(
  args: readonly string[],
  output: OptionOutput = processOutput,
): Promise<number> {
  let exitCode = 0;
  const command = createCommand(output, (code) => {
    exitCode = code;
  });
  try {
    await command.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : usageExitCode;
    const isExpected =
      error instanceof UsageError || error instanceof CertificateError || error instanceof ApiError;
    if (!isExpected) throw error;
    output.writeErr(`error: ${error.message}\n`);
    return error instanceof ApiError ? unreachableExitCode : usageExitCode;
  }
}

function createCommand(output: OptionOutput, finish: (exitCode: number) => void): Command {
  const command = new Command('kubeadmit webhook')
    .description('Register the admission webhook with a cluster, show its status, or remove it.')
    .helpOption('-h, --help', 'Print help')
    .helpCommand('help [command]', 'Print help for a command')
    .addHelpText('after', guide)
    .showHelpAfterError('(run with --help for usage)')
    .configureHelp({ optionDescription: describeOption })
    .exitOverride()
    .configureOutput(output)
    .showSuggestionAfterError();
  command
    .command('manifests')
    .summary('Print the webhook configurations that the policies need')
    .description('Print the webhook configurations that the policies need.')
    .helpOption('-h, --help', 'Print help')
    .requiredOption('-p, --policies <path>', 'File or folder with policies (repeatable)', collected)
    .option('--name <name>', 'Name of the configurations', 'kubeadmit')
    .option(
      '--service <namespace/name[:port]>',
      `Service that kube-apiserver calls (default: ${defaultService})`,
    )
    .option('--webhook-url <url>', 'URL that kube-apiserver calls')
    .option('--ca-bundle <file>', 'CA certificates for the configurations')
    .option('--webhook-timeout <seconds>', 'Timeout of the webhooks', webhookSeconds, 10)
    .option(
      '--include-control-plane <resource>',
      'Also match this resource (repeatable)',
      lifelineNames,
      [],
    )
    .option('--exclude-namespace <name>', 'Skip this namespace (repeatable)', collected, [])
    .option('--no-system-namespaces', 'Include kube-system and other system namespaces')
    .option('--kubernetes-version <version>', 'Version of the cluster (default: newest)')
    .action(async (options: ManifestsOptions) => {
      const { objects, exemptions } = await manifestsFor(options);
      for (const text of exemptions) output.writeErr(`warning: ${text}\n`);
      output.writeOut(objects.map((object) => stringifyYaml(object)).join('---\n'));
    });
  inCluster(command.command('status'))
    .summary('Show which webhooks are registered, reachable and ready')
    .description('Show which webhooks are registered, reachable and ready.')
    .action(async (options: ClusterOptions) => {
      const client = await clientOf(options);
      const { lines, hasProblem } = await registrationStatus(client, options.name, Date.now());
      output.writeOut(`${lines.join('\n')}\n`);
      finish(hasProblem ? 1 : 0);
    });
  inCluster(command.command('uninstall'))
    .summary('Delete the webhook configurations')
    .description('Delete the webhook configurations.')
    .action(async (options: ClusterOptions) => {
      const done = await uninstall(await clientOf(options), options.name);
      output.writeOut(`${done.join('\n') || 'nothing is registered'}\n`);
    });
  inCluster(command.command('resume'))
    .summary('Let a running webhook register itself again')
    .description('Let a running webhook register itself again.')
    .action(async (options: ClusterOptions) => {
      const namespaces = await setPaused(await clientOf(options), options.name, false);
      const lines = namespaces.map((each) => `registration of the webhook in ${each} resumed`);
      output.writeOut(`${lines.join('\n') || 'no webhook registration found'}\n`);
    });
  return command;
}

function inCluster(command: Command): Command {
  return command
    .option('--name <name>', 'Name of the configurations', 'kubeadmit')
    .option('--kubeconfig <file>', 'Kubeconfig (default: KUBECONFIG, then ~/.kube/config)')
    .option('--context <name>', 'Context of the kubeconfig (default: the current one)');
}

function clientOf({ kubeconfig, context }: ClusterOptions): Promise<ApiClient> {
  const file = kubeconfig || process.env['KUBECONFIG'] || join(homedir(), '.kube/config');
  return ApiClient.open({
    kind: 'kubeconfig',
    file,
    ...(context === undefined ? {} : { context }),
  });
}
