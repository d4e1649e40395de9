import { resultCosts } from '@kubeadmit/convert';
import { conversionTexts } from '@kubeadmit/convert/unstable-internal';
import { type Manifest, stringifyYaml } from '@kubeadmit/manifest';
import { conversionPage } from './conversion-page.ts';
import { convertFiles } from './convertible-files.ts';
import { judge } from './judge.ts';
import type { ComparedObject, ConvertedFiles, ConvertedRule, Setting } from './judgement.ts';

/**
 * Converts the Kyverno policies in the files.
 *
 * The result includes the parts of each rule that are missing, and whether both versions give the same results for
 * the objects in the files.
 */
export async function convert(setting: Setting): Promise<ConvertedFiles> {
  const { manifests, conversions, schemas } = await convertFiles(setting);
  const rules: ConvertedRule[] = [];
  const texts: string[] = [];
  const taken = new Set<Manifest>();
  for (const { manifest, policy, conversion } of conversions) {
    texts.push(...conversionTexts(conversion, manifest));
    if (conversion.rules.every(({ status }) => status !== 'none')) taken.add(manifest);
    const costs = resultCosts(conversion.objects, { schemas }).filter(({ isNear }) => isNear);
    for (const [index, rule] of conversion.rules.entries()) {
      const cost = costs.find(({ policy: result }) => rule.results.includes(result));
      const { file } = manifest;
      const { line } =
        rule.rule === undefined ? manifest : manifest.place(['spec', 'rules', index], 0);
      const page = conversionPage(policy, index);
      const costlyAt = cost === undefined ? {} : { costlyAt: cost.bytes };
      rules.push({ ...rule, file, line, page, ...costlyAt });
    }
  }
  const text = texts.join('---\n');
  const rest = withoutManifests(setting.files, manifests, taken);
  const files = { [freeName(setting)]: text, ...rest };
  return { text, files, rules, compared: await compare(setting, files) };
}

/** The files as they are when the policies that were converted whole are gone; those that nothing is left of, too. */
function withoutManifests(
  files: Setting['files'],
  manifests: readonly Manifest[],
  taken: ReadonlySet<Manifest>,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, text] of Object.entries(files)) {
    const own = manifests.filter(({ file }) => file === name);
    const rest = own.filter((manifest) => !taken.has(manifest));
    if (rest.length === own.length) kept[name] = text;
    else if (rest.length > 0)
      kept[name] = rest.map(({ object }) => stringifyYaml(object as never)).join('---\n');
  }
  return kept;
}

function freeName({ files }: Pick<Setting, 'files'>): string {
  let name = 'admission-policy.yaml';
  for (let i = 2; Object.hasOwn(files, name); i++) name = `admission-policy-${i}.yaml`;
  return name;
}

/** Evaluates each object with the original files and with the converted ones. */
async function compare(setting: Setting, files: Setting['files']): Promise<ComparedObject[]> {
  const kubernetesVersions = setting.kubernetesVersions.slice(0, 1);
  const [after] = await judge({ ...setting, files, kubernetesVersions });
  const [before] = await judge({ ...setting, kubernetesVersions });
  return (before?.objects ?? []).flatMap(
    ({ kind, namespace, name, file, line, outcome }, index) => {
      const now = after?.objects[index]?.outcome;
      return now === undefined
        ? []
        : [{ kind, namespace, name, file, line, before: outcome, after: now }];
    },
  );
}
