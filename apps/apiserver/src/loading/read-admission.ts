import {
  isPluginName,
  loadPlugins,
  type PluginOptions,
  type PluginSet,
} from '@kubeadmit/admission/plugins';
import { formatAggregate } from '@kubeadmit/apimachinery/field-errors';
import { errorText } from '@kubeadmit/base';
import { newestMinor, parseVersion } from '@kubeadmit/engine';
import { staticManifestsProblem } from '@kubeadmit/files';
import { quote } from '@kubeadmit/go';
import type { ServerOptions } from '../configuration/server-options.ts';
import { UsageError } from '../configuration/usage-error.ts';
import { readAdmissionConfiguration } from './admission-configuration.ts';
import type { StaticFolder } from './static-folders.ts';

/** The admission of a server: its plugins, and the folders of static manifests. */
export interface Admission {
  readonly plugins: PluginSet;
  readonly folders: readonly StaticFolder[];
}

/**
 * Reads the options about admission.
 *
 * @throws UsageError for unknown plugins, invalid configurations, and versions without static manifests
 */
export async function readAdmission(
  options: ServerOptions,
  warn: (line: string) => void,
): Promise<Admission> {
  const { staticManifests = [], admissionConfigurationFile: file, kubernetesVersion } = options;
  if (staticManifests.length > 0) requireStatic('--static-manifests', kubernetesVersion);
  const named = staticManifests.map((folder) => ({ folder }));
  const chosen = chosenPlugins(options);
  if (file === undefined) {
    const plugins = await loaded({ ...chosen, configurations: new Map() });
    return { plugins, folders: named };
  }
  const enabled = [...(await loaded(chosen)).names];
  const { folders, configurations } = readAdmissionConfiguration(file, { enabled, warn });
  if (folders.length > 0) requireStatic('--admission-control-config-file', kubernetesVersion);
  const plugins = await loaded({ ...chosen, configurations, warn });
  return { plugins, folders: [...named, ...folders] };
}

function chosenPlugins(options: ServerOptions): PluginOptions {
  const { enableAdmissionPlugins: enable = [], disableAdmissionPlugins: disable = [] } = options;
  const minor = minorOf(options.kubernetesVersion);
  const problems = pluginProblems(enable, disable, minor);
  if (problems.length > 0) throw new UsageError(formatAggregate(problems));
  return { plugins: 'default', enable, disable, minor };
}

/** Returns the problems of the names of plugins (apiserver `AdmissionOptions.Validate`). */
function pluginProblems(
  enable: readonly string[],
  disable: readonly string[],
  minor: number,
): readonly string[] {
  const unknown = (option: string, names: readonly string[]): readonly string[] =>
    names
      .filter((name) => !isPluginName(name, minor))
      .map((name) => `${option} plugin ${quote(name)} is unknown`);
  const both = [...new Set(enable)].filter((name) => disable.includes(name)).sort();
  const overlap = `[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`;
  return [
    ...unknown('enable-admission-plugins', enable),
    ...unknown('disable-admission-plugins', disable),
    ...(both.length > 0 ? [overlap] : []),
  ];
}

function minorOf(version: string | undefined): number {
  if (version === undefined) return newestMinor;
  try {
    return parseVersion(version);
  } catch (error) {
    throw new UsageError(`--kubernetes-version: ${errorText(error)}`);
  }
}

async function loaded(options: PluginOptions): Promise<PluginSet> {
  try {
    return await loadPlugins(options);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw new UsageError(`failed to apply admission: ${errorText(error)}`);
  }
}

function requireStatic(option: string, version: string | undefined): void {
  const problem = staticManifestsProblem(option, version);
  if (problem !== undefined) throw new UsageError(problem);
}
