import { type Chain, type ChainOptions, loadChain } from '@kubeadmit/chain';
import { defaultPluginsFor } from '@kubeadmit/chain/plugins';
import { NothingToCheckError, type PreparedCheck, prepareCheck } from '@kubeadmit/check';
import type { Problem, RequestSetting, Setting } from './judgement.ts';
import { type ReadFiles, readFiles, shownProblem } from './read-files.ts';
import { settledRequest } from './requests.ts';

/** The files of the playground, ready to be judged in one version. */
export interface PreparedFiles {
  readonly read: ReadFiles;
  readonly problems: readonly Problem[];
  /** Absent where nothing can be decided, or nothing is to be. */
  readonly check: PreparedCheck | undefined;
  readonly chain: Chain | undefined;
}

/** The settings for preparing the files for one Kubernetes version. */
type VersionSetting = Omit<Setting, 'kubernetesVersions'>;

const chains = new Map<string, Chain>();

/** Reads the files, creates requests for their objects, and loads the policies; unchanged parts are reused. */
export async function prepareFiles(
  kubernetesVersion: string,
  { files, request }: VersionSetting,
): Promise<PreparedFiles> {
  const read = readFiles(files);
  const problems = read.problems.map((problem) => shownProblem(problem, 'error'));
  const given = read.given.filter(({ manifest }) => manifest.file !== request.oldObjects);
  const before = read.given
    .map(({ manifest }) => manifest)
    .filter(({ file }) => file === request.oldObjects);
  let check: PreparedCheck | undefined;
  try {
    check = await prepareCheck(
      given,
      {
        user: { name: request.user, groups: request.groups },
        namespace: request.namespace,
        kubernetesVersion,
        ignoreUnknownKinds: true,
        withPlugins: true,
      },
      (problem, severity) => problems.push(shownProblem(problem, severity)),
    );
  } catch (error) {
    if (!(error instanceof NothingToCheckError)) throw error;
  }
  if (check === undefined) return { read, problems, check, chain: undefined };
  const requests = check.requests.map((each) => settledRequest(each, request, before));
  const chain = await loadChain({
    resources: [...check.held, ...check.inputs.kyverno].map(({ object }) => object),
    lookups: check.inputs.subjects.map(({ object }) => object),
    schemas: check.schemas,
    kubernetesVersion,
    clock: () => Date.now(),
    plugins: pluginsOf(check, request),
    previous: chains.get(kubernetesVersion),
  });
  chains.set(kubernetesVersion, chain);
  return { read, problems, check: { ...check, requests }, chain };
}

/** Returns the admission plugins of a new cluster; undefined if none of them concerns the files. */
function pluginsOf(
  { inputs }: PreparedCheck,
  { namespace, operation }: RequestSetting,
): ChainOptions['plugins'] {
  const choice = defaultPluginsFor(inputs);
  const { leftovers, subjects } = inputs;
  const objects =
    operation === 'CREATE'
      ? { existing: leftovers, created: subjects }
      : { existing: [...leftovers, ...subjects] };
  return choice && { ...choice, namespace, ...objects };
}
