import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { decodeConfiguration } from '@kubeadmit/admission/internal';
import type { StaticKind } from '@kubeadmit/apiserver';
import { readErrorText } from '@kubeadmit/files';
import { quote } from '@kubeadmit/go/internal';
import type { StaticFolder } from '../loading/static-folders.ts';
import { UsageError } from './usage-error.ts';

/** The admission plugins that can be configured here, with the kinds of their configurations and of their folders. */
const plugins: Readonly<
  Record<string, { readonly configured: string; readonly folderKind: StaticKind }>
> = {
  ValidatingAdmissionPolicy: {
    configured: 'ValidatingAdmissionPolicyConfiguration',
    folderKind: 'ValidatingAdmissionPolicy',
  },
  MutatingAdmissionPolicy: {
    configured: 'MutatingAdmissionPolicyConfiguration',
    folderKind: 'MutatingAdmissionPolicy',
  },
  ValidatingAdmissionWebhook: {
    configured: 'WebhookAdmissionConfiguration',
    folderKind: 'ValidatingWebhookConfiguration',
  },
  MutatingAdmissionWebhook: {
    configured: 'WebhookAdmissionConfiguration',
    folderKind: 'MutatingWebhookConfiguration',
  },
};

/** The plugins that kube-apiserver enables by default (1.37, `--help`) and that this server does not have. */
const missingPlugins: ReadonlySet<string> = new Set([
  'CertificateApproval',
  'CertificateSigning',
  'CertificateSubjectRestriction',
  'ClusterTrustBundleAttest',
  'DefaultIngressClass',
  'DefaultStorageClass',
  'DefaultTolerationSeconds',
  'LimitRanger',
  'NamespaceLifecycle',
  'NodeDeclaredFeatureValidator',
  'PersistentVolumeClaimResize',
  'PodGroupProtection',
  'PodResizeValidator',
  'PodSecurity',
  'PodTopologyLabels',
  'Priority',
  'ResourceQuota',
  'RuntimeClass',
  'ServiceAccount',
  'StorageObjectInUseProtection',
  'TaintNodesByCondition',
]);

/**
 * Returns the folders of static manifests that an admission configuration names.
 *
 * Reads it as kube-apiserver reads the file of `--admission-control-config-file` (apiserver admission/config.go,
 * plugin/policy/config and plugin/webhook/config). If a plugin is configured twice, the first configuration is
 * used. Plugins that kube-apiserver does not run are ignored.
 *
 * @param warn receives a warning for each ignored plugin
 * @throws UsageError with kube-apiserver's text, and for plugins of kube-apiserver that cannot be configured here
 */
export function readAdmissionConfiguration(
  file: string,
  warn: (line: string) => void,
): readonly StaticFolder[] {
  const unreadable = (why: string): string =>
    `unable to read admission control configuration from ${quote(file)} [open ${file}: ${why}]`;
  const configuration = within('failed to read plugin config', () =>
    decodeConfiguration(readFile(file, unreadable), 'AdmissionConfiguration'),
  );
  const configured = (configuration['plugins'] ?? []) as readonly PluginConfiguration[];
  for (const { name } of configured) {
    if (Object.hasOwn(plugins, name ?? '')) continue;
    const what = `--admission-control-config-file: ${file} configures the admission plugin ${quote(name ?? '')}`;
    if (missingPlugins.has(name ?? '')) {
      throw new UsageError(`${what}, which cannot be configured on this server`);
    }
    warn(`${what}, which does not run; its configuration is ignored`);
  }
  return Object.entries(plugins).flatMap(([plugin, { configured: kind, folderKind }]) => {
    const own = configured.find(({ name }) => name === plugin);
    const folder = own && folderOf(kind, { ...own, name: plugin }, file);
    return folder === undefined ? [] : [{ folder, folderKind, plugin }];
  });
}

/** The configuration of one plugin; `null` means unset. */
interface PluginConfiguration {
  readonly name?: string | null;
  readonly path?: string | null;
  readonly configuration?: unknown;
}

function folderOf(
  kind: string,
  { name, path, configuration }: PluginConfiguration & { readonly name: string },
  file: string,
): string | undefined {
  if (configuration == null && !path) return undefined;
  return within(`couldn't init admission plugin ${quote(name)}`, () => {
    const own = resolve(dirname(file), path ?? '');
    const given =
      configuration == null
        ? readFile(own, (why) => `Couldn't open admission plugin configuration ${own}: ${why}`)
        : JSON.stringify(configuration);
    const { staticManifestsDir, kubeConfigFile } = decodeConfiguration(given, kind);
    if (kubeConfigFile) throw new Error(kubeConfigProblem(String(kubeConfigFile)));
    const folder = String(staticManifestsDir ?? '');
    const problem = folder === '' ? undefined : folderProblem(folder);
    if (problem === undefined) return folder === '' ? undefined : folder;
    throw new Error(`staticManifestsDir: Invalid value: ${quote(folder)}: ${problem}`);
  });
}

function kubeConfigProblem(file: string): string {
  return isAbsolute(file)
    ? `kubeConfigFile: ${quote(file)}: this server calls webhooks without credentials`
    : `kubeConfigFile: Invalid value: ${quote(file)}: must be an absolute file path`;
}

function folderProblem(folder: string): string | undefined {
  if (!isAbsolute(folder)) return 'must be an absolute file path';
  try {
    return statSync(folder).isDirectory() ? undefined : 'must be a directory';
  } catch (error) {
    return `unable to read: stat ${folder}: ${readErrorText(error)}`;
  }
}

function readFile(file: string, problem: (why: string) => string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error(problem(readErrorText(error)));
  }
}

function within<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`failed to apply admission: ${what}: ${why}`);
  }
}
