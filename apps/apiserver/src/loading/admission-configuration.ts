import { statSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { configurablePlugins } from '@kubeadmit/admission/plugins';
import { decodeConfiguration } from '@kubeadmit/admission/static-policies';
import type { StaticKind } from '@kubeadmit/apiserver';
import { errorText } from '@kubeadmit/base';
import { readErrorText, readText } from '@kubeadmit/files';
import { quote, sortMembers, stringifyJson } from '@kubeadmit/go';
import { UsageError } from '../configuration/usage-error.ts';
import type { StaticFolder } from './static-folders.ts';

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

/** An AdmissionConfiguration as the server uses it. */
export interface ReadAdmissionConfiguration {
  /** The folders of static manifests. */
  readonly folders: readonly StaticFolder[];
  /** The configurations of other plugins by their names, in YAML or JSON. */
  readonly configurations: ReadonlyMap<string, string>;
}

/**
 * Returns the folders of static manifests and the configurations of plugins that an admission configuration names.
 *
 * Reads it as kube-apiserver reads the file of `--admission-control-config-file` (apiserver admission/config.go,
 * plugin/policy/config and plugin/webhook/config). If a plugin is configured twice, the first configuration is
 * used. Configurations of plugins that do not run are ignored with a warning; those of plugins that take none, silently.
 *
 * @throws UsageError with kube-apiserver's text
 */
export function readAdmissionConfiguration(
  file: string,
  { enabled, warn }: { readonly enabled: readonly string[]; readonly warn: (line: string) => void },
): ReadAdmissionConfiguration {
  const unreadable = (why: string): string =>
    `unable to read admission control configuration from ${quote(file)} [open ${file}: ${why}]`;
  const configuration = within('failed to read plugin config', () =>
    decodeConfiguration(readFile(file, unreadable), 'AdmissionConfiguration'),
  );
  const configured = (configuration['plugins'] ?? []) as readonly PluginConfiguration[];
  for (const { name } of configured) {
    if (enabled.includes(name ?? '')) continue;
    const what = `--admission-control-config-file: ${file} configures the admission plugin ${quote(name ?? '')}`;
    warn(`${what}, which does not run; its configuration is ignored`);
  }
  const running = configured.filter(({ name }) => enabled.includes(name ?? ''));
  const folders = Object.entries(plugins).flatMap(([plugin, { configured: kind, folderKind }]) => {
    const own = running.find(({ name }) => name === plugin);
    const folder = own && folderOf(kind, { ...own, name: plugin }, file);
    return folder === undefined ? [] : [{ folder, folderKind, plugin }];
  });
  const configurations = new Map<string, string>();
  for (const own of running) {
    const name = own.name ?? '';
    if (!configurablePlugins.has(name) || configurations.has(name)) continue;
    const text = textOf({ ...own, name }, file);
    if (text !== undefined) configurations.set(name, text);
  }
  return { folders, configurations };
}

/** The configuration of one plugin; `null` means unset. */
interface PluginConfiguration {
  readonly name?: string | null;
  readonly path?: string | null;
  readonly configuration?: unknown;
}

/** The text of the configuration of a plugin; undefined for none. */
function textOf(
  { name, path, configuration }: PluginConfiguration & { readonly name: string },
  file: string,
): string | undefined {
  if (configuration != null) return stringifyJson(sortMembers(configuration));
  if (!path) return undefined;
  return within(`couldn't init admission plugin ${quote(name)}`, () =>
    readFile(...fileOf(path, file)),
  );
}

function fileOf(
  path: string | null | undefined,
  file: string,
): [file: string, problem: (why: string) => string] {
  const own = resolve(dirname(file), path ?? '');
  return [own, (why) => `Couldn't open admission plugin configuration ${own}: ${why}`];
}

function folderOf(
  kind: string,
  own: PluginConfiguration & { readonly name: string },
  file: string,
): string | undefined {
  const text = textOf(own, file);
  if (text === undefined) return undefined;
  return within(`couldn't init admission plugin ${quote(own.name)}`, () => {
    const { staticManifestsDir, kubeConfigFile } = decodeConfiguration(text, kind);
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
    return readText(file);
  } catch (error) {
    throw new Error(problem(readErrorText(error)));
  }
}

function within<Result>(what: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const why = errorText(error);
    throw new UsageError(`failed to apply admission: ${what}: ${why}`);
  }
}
