import { policyGroup } from '@kubeadmit/engine';
import { listResources } from '@kubeadmit/schemas';
import { type ObjectView, objectsOf } from '../policy/object-view.ts';
import type { Proposal } from '../service/proposal.ts';
import type { ServiceContext } from '../service/service-context.ts';
import { completionKinds } from '../workspace/protocol.ts';
import { itemsOf, nodeAt } from '../yaml/nodes.ts';
import { fileNames, isOf, objectNames, unique } from './yaml-values.ts';

/** Values in policies, exceptions and tests of Kyverno that other objects and the server's kinds decide about. */
export function kyvernoValues(
  context: ServiceContext,
  { part, root, group }: ObjectView,
  path: readonly (string | number)[],
  way: string,
): readonly Proposal[] | undefined {
  const kinds = (): readonly Proposal[] =>
    unique(listResources(context.schemas).map((row) => row.kind)).map((label) => ({
      label,
      kind: completionKinds.value,
    }));
  if (group === 'kyverno.io' && /\.resources\.kinds\.\[\]$/.test(way)) return kinds();
  if (way === 'spec.exceptions.[].policyName') return kyvernoNames(context, 'kyverno.io');
  if (way === 'spec.policyRefs.[].name') return kyvernoNames(context, 'policies.kyverno.io');
  if (group !== 'cli.kyverno.io') return undefined;
  if (way === 'results.[].policy')
    return [
      ...kyvernoNames(context),
      ...objectNames(context, isOf(policyGroup, 'ValidatingAdmissionPolicy')),
    ];
  if (way === 'results.[].rule') {
    return ruleNames(context, part.textAt(root, 'results', path[1] ?? 0, 'policy'));
  }
  if (way === 'results.[].kind') return kinds();
  return /^(?:policies|exceptions|(?:r|targetR|paramR|clusterR)esources)\.\[\]$/.test(way)
    ? fileNames(context)
    : undefined;
}

function kyvernoNames(context: ServiceContext, only?: string): readonly Proposal[] {
  return objectNames(
    context,
    ({ group, kind }) =>
      group.endsWith('kyverno.io') && group === (only ?? group) && kind.endsWith('Policy'),
  );
}

function ruleNames({ workspace }: ServiceContext, policy: string): readonly Proposal[] {
  const names = [...workspace.parts()].flatMap(({ part }) =>
    objectsOf(part)
      .filter(({ group, name }) => group === 'kyverno.io' && (policy === '' || name === policy))
      .flatMap(({ root }) =>
        itemsOf(nodeAt(root, 'spec', 'rules')).flatMap(
          (rule) => part.textOf(nodeAt(rule, 'name')) ?? [],
        ),
      ),
  );
  return unique(names).map((label) => ({ label, kind: completionKinds.reference }));
}
