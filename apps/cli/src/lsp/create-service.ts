import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLanguageService, type JsonSchema, type LanguageService } from '@kubeadmit/language';
import { suiteSchema } from '@kubeadmit/testing';
import { configurationFile } from '../input/local/configuration-file.ts';
import { type LintConfiguration, readFoundConfiguration } from '../lint/configuration.ts';
import { CommandFailure } from '../process/terminal.ts';

/** The initialization options of editors. */
export interface Settings {
  readonly kubernetesVersion?: string;
  readonly documentation?: string;
}

/** The inputs of a service beside the settings of the editor. */
interface ServiceInputs {
  /** The version of the command line, which takes precedence over that of the editor. */
  readonly version: string | undefined;
  /** The folders of the workspace. */
  readonly folders: readonly string[];
  /** Shows a message to the user. */
  readonly showError: (message: string) => void;
}

/** Creates the language service for the settings of an editor; invalid settings are shown and left out. */
export async function createService(
  { kubernetesVersion, documentation }: Settings,
  { version, folders, showError }: ServiceInputs,
): Promise<LanguageService> {
  const given = kubernetesVersion === '' ? undefined : kubernetesVersion;
  const options = {
    lint: lintSettings(folders, showError),
    documentation: documentationOf(documentation, showError),
    clock: () => Date.now(),
    pause: () => new Promise<void>((resolve) => setImmediate(resolve)),
    suites: suiteSchema as JsonSchema,
  };
  try {
    return await createLanguageService({ ...options, kubernetesVersion: version ?? given });
  } catch (error) {
    showError((error as Error).message);
    return createLanguageService(options);
  }
}

function documentationOf(
  setting: unknown,
  showError: ServiceInputs['showError'],
): string | undefined {
  if (setting === undefined || setting === '') return undefined;
  if (typeof setting === 'string' && /^https?:\/\/\S+$/i.test(setting)) return setting;
  showError('the setting `documentation` must be an http:// or https:// URL');
  return undefined;
}

/** Reads the rule settings in `kubeadmit.yaml` of a folder. */
function lintSettings(
  folders: readonly string[],
  showError: ServiceInputs['showError'],
): LintConfiguration['settings'] {
  const file = folders
    .map((folder) => join(folder, configurationFile))
    .find((path) => existsSync(path));
  if (file === undefined) return new Map();
  try {
    return readFoundConfiguration(file).settings;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    showError(error.message);
    return new Map();
  }
}
