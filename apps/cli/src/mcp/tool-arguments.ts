import * as z from 'zod/v4';
import type { ToolHost } from './run-command.ts';
import { servedPath } from './served-path.ts';

/** A file or folder that a client names. */
export const path = z
  .string()
  .min(1)
  .describe('File or folder, relative to the folder of the server');
/** One or more files or folders. */
export const someFiles = z.array(path).min(1);
/** A Kubernetes version. */
export const kubernetesVersion = z
  .string()
  .regex(/^v?\d+\.\d+(?:\.\d+)?$/)
  .optional()
  .describe('Kubernetes version, for example "1.34" (default: the newest that is known)');

/** The most requests that one call generates: 20,000 take about a minute. */
export const mostRequests = 20_000;

/** A number of generated requests. */
export const requests = z.int().min(1).max(mostRequests);

/** The arguments of `check` and `explain`. */
export const checked = {
  paths: z
    .array(path)
    .default([])
    .describe(
      'Files and folders with policies, bindings and manifests together. Objects are recognized by kind.',
    ),
  policies: z
    .array(path)
    .default([])
    .describe('Files and folders with policies, bindings, parameters, namespaces and definitions'),
  resources: z
    .array(path)
    .default([])
    .describe('Files and folders with manifests to check, of any kind'),
  namespace: z
    .string()
    .min(1)
    .default('default')
    .describe('Namespace for manifests without one (default: "default")'),
  operation: z
    .enum(['CREATE', 'UPDATE', 'DELETE'])
    .default('CREATE')
    .describe('Operation to simulate (default: CREATE)'),
  oldResources: z
    .array(path)
    .default([])
    .describe('Files and folders with the objects before an UPDATE'),
  user: z
    .string()
    .min(1)
    .default('kubernetes-admin')
    .describe('User of the requests (default: "kubernetes-admin")'),
  groups: z.array(z.string().min(1)).default([]).describe('Groups of the user'),
  kubernetesVersion,
};

/** Returns the options of `check` and `explain`. */
export function checkArguments(
  given: z.infer<z.ZodObject<typeof checked>>,
  host: ToolHost,
): readonly string[] {
  return [
    ...pathOptions('--policies', given.policies, host),
    ...pathOptions('--resources', given.resources, host),
    ...pathOptions('--old-resource', given.oldResources, host),
    ...given.groups.map((group) => `--as-group=${group}`),
    `--namespace=${given.namespace}`,
    `--operation=${given.operation}`,
    `--as=${given.user}`,
    ...versionOption(given),
  ];
}

/** Returns an option for each path. */
export function pathOptions(
  option: string,
  paths: readonly string[],
  host: ToolHost,
): readonly string[] {
  return paths.map((each) => `${option}=${servedPath(each, host.folder)}`);
}

/** Returns paths as arguments after all options. */
export function pathArguments(paths: readonly string[], host: ToolHost): readonly string[] {
  return ['--', ...paths.map((each) => servedPath(each, host.folder))];
}

/** Returns the option for the Kubernetes version, if one was given. */
export function versionOption({
  kubernetesVersion: given,
}: {
  kubernetesVersion?: string | undefined;
}) {
  return given === undefined ? [] : [`--kubernetes-version=${given}`];
}
