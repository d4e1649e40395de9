import { type Manifest, type Path, parseFieldPath } from '@kubeadmit/manifest';
import { loadSchemas, type Schemas, withDefinitions } from '@kubeadmit/schemas';
import type { Inputs } from './inputs.ts';
import { type PolicyProblem, refusalProblems } from './refusal-problems.ts';

/**
 * The kinds of a Kubernetes version (default: the newest) and of the definitions among the inputs. Rejects with
 * `UnknownVersionError` for a version that is not known.
 */
export async function schemasOf(
  inputs: Inputs,
  kubernetesVersion: string | undefined,
): Promise<Schemas> {
  const { context } = inputs;
  const version = kubernetesVersion === undefined ? {} : { version: kubernetesVersion };
  const definitions = definitionsAmong(context).map(({ object }) => object);
  return withDefinitions(await loadSchemas(version), definitions);
}

/**
 * Returns kube-apiserver's errors about definitions among the inputs, with their positions. Their validation is loaded
 * only if there are any, because pages load it over the network.
 */
export async function definitionProblems(
  { context }: Inputs,
  schemas: Schemas,
): Promise<readonly PolicyProblem[]> {
  const definitions = definitionsAmong(context);
  if (definitions.length === 0) return [];
  const { validateWithDefinition } = await import('@kubeadmit/custom-resources/definitions');
  return definitions.flatMap((manifest) => {
    const { definition, failure } = validateWithDefinition(
      { definition: manifest.object, kubernetesVersion: schemas.version },
      schemas,
    );
    if (failure === undefined && definition.length === 0) return [];
    const resource = `${manifest.kind}/${manifest.name}`;
    const refusal = { resource, message: failure ?? '', fields: withoutSums(definition) };
    return refusalProblems(manifest, refusal, definitionPath);
  });
}

/** Drops errors about the total cost if a single rule is too expensive: that rule has to change. */
function withoutSums(findings: readonly string[]): readonly string[] {
  const isSum = (text: string): boolean => /estimated rule cost total/.test(text);
  const isOwn = findings.some((text) => /estimated rule cost exceeds budget/.test(text));
  return isOwn ? findings.filter((text) => !isSum(text)) : findings;
}

/**
 * The server reports shared fields of all versions as if the definition had them: they are in the first version.
 */
function definitionPath(field: string): Path {
  const path = parseFieldPath(field);
  const [spec, part = '', ...rest] = path;
  if (spec !== 'spec') return path;
  if (part === 'validation') return ['spec', 'versions', 0, 'schema', ...rest];
  return part === 'subresources' || part === 'additionalPrinterColumns'
    ? ['spec', 'versions', 0, part, ...rest]
    : path;
}

/** Returns the CustomResourceDefinitions among manifests. */
export function definitionsAmong(manifests: readonly Manifest[]): readonly Manifest[] {
  return manifests.filter(({ kind }) => kind === 'CustomResourceDefinition');
}
