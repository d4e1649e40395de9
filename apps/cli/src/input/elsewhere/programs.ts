import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newestVersion } from '@kubeadmit/schemas';
import { outsideText, type ReadBoundary } from '../local/boundary.ts';
import { findProgram } from '../local/find-program.ts';
import { ElsewhereError, type FoundText } from '../local/found-text.ts';
import { readKustomizationTree } from '../local/kustomization-tree.ts';
import type { SkippedFiles } from '../local/skipped-files.ts';

/** How programs of the user are run. */
export interface ProgramSettings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The size in bytes above which an output is not taken. */
  readonly maxFileSize: number;
  /** The milliseconds after which a program is ended; default none. */
  readonly timeout?: number;
  /** Values files of charts, as for `helm template --values`. */
  readonly helmValues?: readonly string[] | undefined;
  readonly namespace?: string | undefined;
  /** The Kubernetes version that charts are rendered for (default: the newest known one). */
  readonly kubernetesVersion?: string | undefined;
  /** Whether kustomizations may fetch remote bases (default: false). */
  readonly allowRemoteBases?: boolean | undefined;
  /** The folders that links and kustomizations may lead to. */
  readonly boundary: ReadBoundary;
  /** Takes the manifests that are found and not read. */
  readonly skipped: SkippedFiles;
}

/**
 * Runs a program of the user and returns its output; undefined if `PATH` has no such program.
 *
 * @param args those that are paths go through {@link pathArgument}
 * @throws ElsewhereError with the program's own error, if it fails
 */
export function outputOf(
  program: string,
  args: readonly string[],
  { env, maxFileSize, timeout }: Pick<ProgramSettings, 'env' | 'maxFileSize' | 'timeout'>,
  input?: string,
): Uint8Array | undefined {
  const file = findProgram(program, env);
  if (file === undefined) return undefined;
  const { error, status, signal, stdout, stderr } = spawnSync(file, args, {
    env: { ...env },
    ...(timeout === undefined ? {} : { timeout, killSignal: 'SIGKILL' }),
    maxBuffer: Math.min(maxFileSize, 2 ** 31),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(input === undefined ? {} : { input }),
  });
  const code = error === undefined ? undefined : (error as NodeJS.ErrnoException).code;
  const called = `\`${[program, ...args].join(' ')}\``;
  if (code === 'ENOBUFS') {
    throw new ElsewhereError(`${called} printed more than ${maxFileSize} bytes (--max-file-size)`);
  }
  if (code === 'ETIMEDOUT') {
    throw new ElsewhereError(`${called} ran longer than ${Number(timeout) / 1000} s`);
  }
  if (error !== undefined) throw new ElsewhereError(`${called}: ${error.message}`);
  if (status === 0) return stdout;
  // Credential helpers print their errors to standard output.
  const printed = stderr.length > 0 ? stderr : stdout;
  const lines = printed.toString('utf8').split('\n');
  const reason = lines
    .filter((line) => line.trim() !== '')
    .slice(0, 5)
    .join('; ');
  throw new ElsewhereError(
    `${called} failed with ${signal ?? `exit code ${status}`}${reason === '' ? '' : `: ${reason}`}`,
    status,
  );
}

/** Returns a path as an argument that no program takes for an option. */
function pathArgument(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

/** Whether a folder is a chart of Helm. */
export function isChart(folder: string): boolean {
  return existsSync(join(folder, 'Chart.yaml'));
}

/**
 * Renders a chart with the user's own `helm`.
 *
 * @throws ElsewhereError without helm, if the chart does not render, and for a link that leads out of the boundary,
 *   which helm would follow
 */
export function renderChart(chart: string, settings: ProgramSettings): FoundText {
  const { helmValues = [], namespace, kubernetesVersion = newestVersion, boundary } = settings;
  const link = linkOutside(chart, boundary);
  if (link !== undefined) throw new ElsewhereError(`${link}: ${outsideText}`);
  const args = [
    'template',
    'release',
    pathArgument(chart),
    ...(namespace === undefined ? [] : [`--namespace=${namespace}`]),
    `--kube-version=${kubernetesVersion}`,
    ...helmValues.map((file) => `--values=${file}`),
  ];
  const isFetching = helmValues.some((file) => file.includes('://'));
  const running = { timeout: renderingTimeout, ...(isFetching ? settings : offline(settings)) };
  const bytes = renderWithoutSchemas(args, running);
  if (bytes === undefined) {
    throw new ElsewhereError(
      'this is a Helm chart, and helm is not installed; install it, or pass the output of `helm template` with `-r -`',
    );
  }
  return { name: `${chart} (helm template)`, bytes };
}

/**
 * Runs helm without the schemas of a chart's values: they may refer to files and to servers on this machine, which no
 * proxy setting keeps helm from. Helm before 3.16 has no option for that.
 */
function renderWithoutSchemas(
  args: readonly string[],
  settings: Parameters<typeof outputOf>[2],
): Uint8Array | undefined {
  const option = '--skip-schema-validation';
  try {
    return outputOf('helm', [...args, option], settings);
  } catch (error) {
    const isOld =
      error instanceof ElsewhereError && error.message.includes(`unknown flag: ${option}`);
    if (isOld) return outputOf('helm', args, settings);
    throw error;
  }
}

/** The first link in a folder, or in folders that links in it lead to, that leads out of a boundary. */
function linkOutside(
  folder: string,
  boundary: ReadBoundary,
  seen: Set<string> = new Set(),
): string | undefined {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  const real = realpathSync.native(folder);
  if (seen.has(real)) return undefined;
  seen.add(real);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isFile()) continue;
    if (entry.isSymbolicLink() && !boundary.contains(path)) return path;
    const link = linkOutside(path, boundary, seen);
    if (link !== undefined) return link;
  }
  return undefined;
}

/**
 * Keeps helm and kustomize off the network: they have no option for that. Their HTTP clients take the proxy, and the
 * git that kustomize runs the protocols, from the environment.
 */
const withoutNetwork = {
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  http_proxy: 'http://127.0.0.1:9',
  https_proxy: 'http://127.0.0.1:9',
  NO_PROXY: '',
  no_proxy: '',
  GIT_ALLOW_PROTOCOL: 'none',
};

function offline(settings: ProgramSettings): ProgramSettings {
  return { ...settings, env: { ...settings.env, ...withoutNetwork } };
}

/** The milliseconds for a chart or a kustomization: a template can loop for hours. */
const renderingTimeout = 120_000;

/**
 * Builds a kustomization with the user's own `kustomize`, or with `kubectl kustomize`; undefined with neither.
 * Manifests in its folder that it does not name are reported as skipped.
 *
 * @throws ElsewhereError if it does not build, names something remote that is not allowed, or leads out of the boundary
 */
export function buildKustomization(
  folder: string,
  settings: ProgramSettings,
): FoundText | undefined {
  const { boundary, allowRemoteBases = false, skipped } = settings;
  const { files, remote, outside } = readKustomizationTree(folder, boundary);
  if (outside[0] !== undefined) throw new ElsewhereError(`${outside[0]}: ${outsideText}`);
  if (remote.length > 0 && !allowRemoteBases) {
    throw new ElsewhereError(
      `this kustomization fetches ${remote.join(', ')}; use --allow-remote-bases to allow that`,
    );
  }
  const running = {
    timeout: renderingTimeout,
    ...(allowRemoteBases ? settings : offline(settings)),
  };
  const bytes =
    outputOf('kustomize', ['build', pathArgument(folder)], running) ??
    outputOf('kubectl', ['kustomize', pathArgument(folder)], running);
  if (bytes === undefined) return undefined;
  skipped.addFolder(
    folder,
    'not listed in the kustomization',
    (file) => !files.has(realpathSync(file)),
  );
  return { name: `${folder} (kustomize build)`, bytes };
}
