import { findIssues, schemasOf, sortInputs } from '@kubeadmit/lint';
import type { Problem, Setting } from './judgement.ts';
import { readFiles, shownProblem } from './read-files.ts';

/** What is wrong with the policies of the files, found without a request. */
export async function lint({ files, kubernetesVersions }: Setting): Promise<Problem[]> {
  const [kubernetesVersion] = kubernetesVersions;
  const { given, problems } = readFiles(files);
  const schemas = await schemasOf(sortInputs(given), kubernetesVersion);
  const issues = await findIssues(given, { schemas, kubernetesVersion, unreadable: problems });
  return issues.map((issue) => shownProblem(issue, issue.severity));
}
