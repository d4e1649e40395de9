import { admit, type Cluster, loadCluster } from '@kubeadmit/admission';
import { isObject, listOf, member } from '@kubeadmit/apimachinery';
import type { ExplainedExpression } from '@kubeadmit/chain/expressions';
import { type ObservedRule, storeCustomResource } from '@kubeadmit/custom-resources';
import { schemasOf, sortInputs } from '@kubeadmit/lint';
import type { Manifest } from '@kubeadmit/manifest';
import type { ServiceContext } from '../service/service-context.ts';
import { isOfReview, requestsOf } from './example-requests.ts';
import { explained, type PolicyValue } from './policy-values.ts';

/**
 * Evaluates the rules of a CustomResourceDefinition for examples. The path of an expression is that in the definition:
 * `spec.versions[0].schema.openAPIV3Schema.x-kubernetes-validations[0].rule`.
 */
export async function ruleValues(
  { schemas: { version: kubernetesVersion } }: ServiceContext,
  definition: Manifest,
  examples: readonly Manifest[],
): Promise<readonly PolicyValue[]> {
  const inputs = sortInputs([{ manifest: definition, role: 'policies' }]);
  const schemas = await schemasOf(inputs, kubernetesVersion);
  const resources = [definition.object];
  const cluster = loadCluster({ resources, schemas, kubernetesVersion, onErrors: 'report' });
  return requestsOf(examples, schemas).flatMap((example) => {
    const seen: ObservedRule[] = [];
    const { request } = example;
    admit(observed(cluster, seen), request, { isOfClient: !isOfReview(example) });
    const version = versionPath(definition, request.kind?.version);
    return seen.map((rule): PolicyValue => {
      const group = [{ ...rule, home: { spec: {}, path: `${version}.${rule.place}` } }];
      const [expression] = explained(group, {});
      return {
        request: example,
        ...(rule.path === '' ? {} : { about: rule.path }),
        expression: expression as ExplainedExpression,
      };
    });
  });
}

function observed(cluster: Cluster, seen: ObservedRule[]): Cluster {
  return {
    ...cluster,
    storeCustomResource: (resource, schemas) =>
      storeCustomResource({ ...resource, observe: (each) => seen.push(each) }, schemas),
  };
}

function versionPath({ object }: Manifest, version: unknown): string {
  const versions = member(member(object, 'spec'), 'versions');
  const index = listOf(versions).findIndex((each) => isObject(each) && each['name'] === version);
  return `spec.versions[${index}].schema.openAPIV3Schema`;
}
