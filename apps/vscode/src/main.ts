import { commands, type ExtensionContext, workspace } from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';

let client: LanguageClient | undefined;

/** Starts the language server when a manifest is opened. */
export async function activate(context: ExtensionContext): Promise<void> {
  const restart = async (): Promise<void> => {
    await client?.dispose();
    client = createClient(context);
    await client.start();
  };
  context.subscriptions.push(
    commands.registerCommand('kubeadmit.restart', restart),
    workspace.onDidChangeConfiguration((change) => {
      const settings = ['kubernetesVersion', 'path', 'documentation'];
      if (settings.some((name) => change.affectsConfiguration(`kubeadmit.${name}`))) void restart();
    }),
  );
  await restart();
}

/** Ends the language server. */
export async function deactivate(): Promise<void> {
  await client?.dispose();
}

function createClient(context: ExtensionContext): LanguageClient {
  const settings = workspace.getConfiguration('kubeadmit');
  const path = settings.get('path', '');
  const own = {
    module: context.asAbsolutePath('server/main.js'),
    args: ['lsp'],
    transport: TransportKind.stdio,
  };
  const server = path === '' ? own : { command: path, args: ['lsp'] };
  return new LanguageClient('kubeadmit', 'kubeadmit', server, {
    documentSelector: [{ language: 'yaml' }, { language: 'json' }].map((each) => ({
      ...each,
      scheme: 'file',
    })),
    initializationOptions: {
      kubernetesVersion: settings.get('kubernetesVersion', ''),
      documentation: settings.get('documentation', ''),
    },
  });
}
